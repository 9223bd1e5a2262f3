"""A table's log in the hands of its owner: the log, the token that proves ownership, and every write of both.

Every call waits until the live store has answered definitely, and raises Fenced, Conflict or StoreLost as the store
does. A wait of `STALL_S` is an outage of ours: viewers are sent "saving", and the clocks have to start afresh.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar
from zlib import crc32

from app.kernel.errors import InvariantViolation
from app.kernel.play import shuffle
from app.kernel.text.notation import plain_line
from app.tables.log.audience import EVERYBODY, Audience, audience
from app.tables.log.documents import ending_document, match_document, round_document
from app.tables.log.entries import Asked, Entry, write_entry, write_page
from app.tables.log.table_log import TableLog, restore
from app.tables.match.pages import next_page, page_after_match
from app.tables.match.state import MatchState
from app.tables.messages import RuntimeDeps
from app.tables.outcomes import Draft
from app.tables.ports import Fenced, Token

T = TypeVar("T")


class OwnedLog:
    """One table's log and token. `log` is replaced when the table is acquired again."""

    def __init__(
        self, log: TableLog, token: Token, deps: RuntimeDeps, saving: Callable[[bool, Audience], None]
    ) -> None:
        """`saving(on, told)` is called when a write takes long, and when it is over. `told`: those who may know of it.

        An answer that only its seat may know of is no business of the others while it is stored either (S1).
        """
        self.log = log
        self.token = token
        self.table_id = log.match.spec.table_id
        self.stall_count = 0
        self._deps = deps
        self._saving = saving
        self._stalled = False
        self._offset = crc32(self.table_id.encode())  # so that tables look at different entries

    def take_stall(self) -> bool:
        """True when the store kept us waiting since the last call of this: then all clocks start afresh."""
        stalled, self._stalled = self._stalled, False
        return stalled

    async def append(self, draft: Draft, asked: Asked | None) -> tuple[Entry, Audience]:
        """Make a draft durable, then take the state that it leads to. Returns the entry and its audience.

        Each time it checks before storing that the bytes read back as the decided events; for a sample (in tests for
        all) also that these fold to the decided state.
        """
        log = self.log
        entry = write_entry(
            log.chain, log.length, self._deps.clock.wall_ms(), str(self.token), asked, draft.command, draft.events,
            draft.match_events,
        )  # fmt: skip
        round_ = draft.round if draft.events else log.round
        if (entry.n + self._offset) % self._deps.limits.fold_every == 0 and log.fold(entry) != (round_, draft.match):
            raise InvariantViolation("the bytes to store do not fold to the decided state")
        storing = self._deps.store.append(self.table_id, self.token, log.match.round_no, entry.n, entry.raw)
        await self._stored(storing, entry)
        log.link(entry)
        told = log.absorb(entry, round_, draft.match)
        if draft.events:
            log.open = draft.open
        return entry, told

    async def turn_page(self) -> Entry:
        """Begin the next round's page; what this one has finished is queued for the archive in the same move."""
        log, before, now = self.log, self.log.match, self._deps.clock.wall_ms()
        if log.round_over:
            table, seed = log.round.table, self._deps.entropy.seed()
            after = next_page(
                before, table.ending.ended.outcome, table.points, table.ending.ended.next_dealer,
                tuple([plain_line(line) for line in table.lines]), log.rules.rounds, seed, shuffle.commitment(seed),
            )  # fmt: skip
            document = round_document(log, after, now)
        else:
            after, document = page_after_match(before), match_document(before, now)
        first = write_page(now, str(self.token), after, log.remembered())
        await self._stored(
            self._deps.store.turn_page(self.table_id, self.token, before.round_no, log.length, document, first.raw)
        )
        log.turn_page(first)
        return first

    def last_document(self) -> bytes | None:
        """Documents that are finished and not in the archive's queue yet, when the room ends now."""
        match, now = self.log.match, self._deps.clock.wall_ms()
        if self.log.round_over:
            return round_document(self.log, match, now)
        if match.over is not None and not match.over.told:
            return match_document(match, now)
        return None

    async def close(self, document: bytes | None, reason: str) -> None:
        """Drop the table from the store; `document` and the note of the end are queued for the archive."""
        ending = ending_document(self.table_id, reason, self._deps.clock.wall_ms())
        await self._stored(self._deps.store.close(self.table_id, self.token, document, ending))

    async def release(self) -> None:
        """Give the table up between two entries, to the next node that asks."""
        await self._deps.store.release(self.table_id, self.token)

    async def confirm(self) -> None:
        """Ask the store whether the token is still ours."""
        await self._stored(self._deps.store.confirm(self.table_id, self.token))

    async def claim(self, user: str) -> bool:
        """The user's one seat is for this table (again); False: it is for another one."""
        stall_count = self.stall_count
        held = await self._stored(self._deps.rooms.claim(self.table_id, user, self.token.epoch))
        if self.stall_count > stall_count:  # another node may have taken the table meanwhile
            await self.confirm()
        return held

    async def acquire_again(self) -> MatchState:
        """Fence writes under way and go on from the stored log. Returns the match as it was before."""
        owned = await self._deps.store.acquire(self.table_id, str(self.token), self._deps.entropy.nonce())
        if owned is None:
            raise Fenced
        before = self.log.match
        self.token = owned.token
        self.log = restore(self._deps.variants, owned.entries, self.table_id, owned.round_no)
        return before

    async def _stored(self, call: Awaitable[T], entry: Entry | None = None) -> T:
        """Wait for the store. `entry`: what is stored; None: nothing of which anybody would hear."""
        stalls = self._deps.stalls
        wait = stalls.begin(partial(self._slow, entry))
        try:
            answer = await call
        finally:
            stalled = stalls.end(wait)
        if stalled:
            self.stall_count += 1
            self._stalled = True
            self._saving(False, _told(entry))
        return answer

    def _slow(self, entry: Entry | None) -> None:
        self._saving(True, _told(entry))


def _told(entry: Entry | None) -> Audience:
    """Those who may know that this is being stored: who will be sent it, and who asked for it."""
    if entry is None:
        return EVERYBODY
    told = audience(entry)
    asker = () if entry.seat is None or entry.seat in told.seats else (entry.seat,)
    return told if told.everybody else Audience(False, (*told.seats, *asker))
