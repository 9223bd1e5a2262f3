"""A table's log and the state that it folds to. The same fold serves the live table and recovery.

Holds the match, the round, its open decisions, the number of entries sent to each viewer, and the request ids that were
answered. Folding judges nothing and costs at most 10 µs an entry. No clocks and no connections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.kernel.events import Event
from app.kernel.play.decisions import Decision
from app.kernel.variant import Variant
from app.tables.log.audience import Audience, audience
from app.tables.log.chain import BrokenChain, Chain
from app.tables.log.entries import Entry, Memory, Unreadable, read_entry
from app.tables.match.evolve import evolve_match
from app.tables.match.state import REMEMBERED, MatchState

_NOTHING: Final[Mapping[str, int]] = {}


class TableLog:
    """A table's state, moved by entries only.

    `open` is kept beside the round's state, since deciding asks for it at every step. `entries` holds the page's
    entries as stored. `memory` maps a user to the ids of their last requests that took effect, with their content; the
    answer to those is the bare `ack`. `chain` seals the next entry.
    """

    __slots__ = ("_told_all", "_told_own", "chain", "entries", "match", "memory", "open", "round", "rules", "variant")

    def __init__(self, variant: Variant[Any], first: Entry) -> None:
        """Begin with a page's first entry. Raises Unreadable when it is none, MalformedInput for unknown rules."""
        if first.match is None:
            raise Unreadable("a page begins with its match")
        self.variant = variant
        self.turn_page(first)
        self.rules: Any = variant.parse_rules(first.match.spec.rules)

    def turn_page(self, first: Entry) -> None:
        """Start over with the first entry of the next page: every viewer is sent it."""
        assert first.match is not None
        self.match: MatchState = first.match
        self.round: Any = None
        self.open: tuple[Decision, ...] = ()
        self.entries: list[bytes] = [first.raw]
        self.chain = Chain(first.match.spec.table_id, first.match.round_no)
        self.link(first)
        self._told_all = 1
        self._told_own = [0] * (first.match.spec.players + 1)
        self.memory: dict[str, dict[str, int]] = {user: dict(asked) for user, asked in first.memory.items()}

    @property
    def length(self) -> int:
        """Entries of this page: the next one's number."""
        return len(self.entries)

    @property
    def round_over(self) -> bool:
        """The round of this page has been settled or voided."""
        return self.round is not None and self.round.table.ending.ended is not None

    def seq(self, viewer: int) -> tuple[int, int]:
        """The viewer's `[round, n]`: n entries of this page had a face for them (SPECTATOR is −1, the last place)."""
        return self.match.round_no, self._told_all + self._told_own[viewer]

    def link(self, entry: Entry) -> None:
        """Take an entry's checksum: the next one is bound to it.

        Raises Unreadable when it differs from the written bytes.
        """
        try:
            self.chain.accept(entry.stored)
        except BrokenChain as broken:
            raise Unreadable(str(broken)) from broken

    def fold(self, entry: Entry) -> tuple[Any, MatchState]:
        """The round and the match after an entry. Changes nothing."""
        evolve, folded, match = self.variant.evolve, self.round, self.match
        for event in entry.events:
            folded = evolve(folded, event)
        for match_event in entry.match_events:
            match = evolve_match(match, match_event)
        return folded, match

    def absorb(self, entry: Entry, round_: Any, match: MatchState) -> Audience:
        """Move by one entry that is stored and linked, to the state after it. Returns its audience."""
        if entry.ref is not None and entry.seat is not None:
            self._remember(entry.seat, entry.ref, entry.content)
        self.match, self.round = match, round_
        told = audience(entry)
        if told.everybody:
            self._told_all += 1
        else:
            for seat in told.seats:
                self._told_own[seat] += 1
        self.entries.append(entry.raw)
        return told

    def derive(self) -> None:
        """Find the open decisions anew: once after a fold, and after every live entry that moved the round."""
        self.open = () if self.round is None else self.variant.decisions(self.round)

    def answered(self, user: str, ref: str) -> bool:
        """True when this request took effect before, here or on another node."""
        return ref in self.memory.get(user, ())

    def is_another(self, user: str, ref: str, content: int) -> bool:
        """True when this id took effect with other content, here or on another node (A1)."""
        first = self.memory.get(user, _NOTHING).get(ref, 0)
        return first not in (0, content)

    def remembered(self) -> Memory:
        """The memory of those who sit here, for the next page."""
        users = [seat.person.user for seat in self.match.seats if seat.person is not None]
        return {user: self.memory[user] for user in users if user in self.memory}

    def _remember(self, seat: int, ref: str, content: int) -> None:
        person = self.match.seats[seat].person
        if person is not None:
            asked = self.memory.setdefault(person.user, {})
            asked[ref] = content
            if len(asked) > REMEMBERED:
                del asked[next(iter(asked))]


def restore(
    variants: Mapping[str, Variant[Any]], raws: tuple[bytes, ...], table_id: str = "", round_no: int | None = None
) -> TableLog:  # fmt: skip
    """Fold a log, and compare every entry with its checksum; `table_id`, `round_no`: whose log and page it should be.

    Raises Unreadable for damaged entries or an unknown format; anything else out of it is our bug.
    """
    if not raws:
        raise Unreadable("an empty log, or none at all")
    first = read_entry(raws[0], 0)
    if first.match is None:
        raise Unreadable("a page begins with its match")
    if table_id and (first.match.spec.table_id, first.match.round_no) != (table_id, round_no):
        raise Unreadable(f"this is the log of table {first.match.spec.table_id}, round {first.match.round_no}")
    variant = variants.get(first.match.spec.variant)
    if variant is None:
        raise Unreadable(f"no variant {first.match.spec.variant!r} here")
    log = TableLog(variant, first)  # links it
    for n in range(1, len(raws)):
        entry = read_entry(raws[n], n)
        log.link(entry)
        if entry.events and log.round is None:
            _check_version(variant, entry.events[0])
        log.absorb(entry, *log.fold(entry))
    log.derive()
    return log


def _check_version(variant: Variant[Any], event: Event) -> None:
    version = getattr(event, "rules_version", None)
    if version != variant.meta.rules_version:
        raise Unreadable(f"rules_version {version} of {variant.meta.slug}, this node has {variant.meta.rules_version}")
