"""Events for people outside of a table's socket: what their programs read from `GET /v1/me/events`.

A hint, no record: after an outage of the live store an event may be missing, after a repeated write it may come twice.
What play itself tells is written only for those who listen, so it costs nothing while nobody does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec

from app.refusal import ErrorCode, Refusal
from app.storage.live.rooms.notices import Notices
from app.storage.live.rooms.tickets import Ticket
from app.storage.live.wire.link import StoreUnavailable
from app.tables.log.documents import Document, FinishedRound, RoomEnded
from app.tables.ports import Summary

log = logging.getLogger(__name__)

PER_USER: Final = 3
"""Streams of one user at one node; another one replaces the oldest."""
PER_NODE: Final = 500
_LOOK_S: Final = 0.25
_LISTEN_S: Final = 1.0
_KEEP_ALIVE_S: Final = 15.0
"""A blank line is sent, and the right to the stream checked, at least so often."""
_LINGER_S: Final = 60.0
"""Events are kept for a user this long after their last stream, so that they may come back by cursor."""
_WAITING: Final = 10_000
_ALIVE: Final = b"\n"


class _Told(NamedTuple):
    user: str
    event: bytes


class _Stream:
    """One open stream. `over`: set when it must end; `reason`: why, for its last line."""

    def __init__(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self.over = asyncio.Event()
        self.reason = ""

    def end(self, reason: str) -> None:
        """Have it end."""
        self.reason = self.reason or reason
        self.over.set()


class Feed:
    """One per node. `may_stay`: whether the sign-in, or the token, of a stream still holds."""

    def __init__(self, notices: Notices, may_stay: Callable[[Ticket], Awaitable[bool]]) -> None:
        self._notices = notices
        self._may_stay = may_stay
        self._streams: dict[str, list[_Stream]] = {}
        self._lately: dict[str, float] = {}
        self._listening: frozenset[str] = frozenset()
        self._told: deque[_Told] = deque(maxlen=_WAITING)
        self._wake = asyncio.Event()
        self._full: dict[str, None] = {}

    # Events

    def tell(self, user: str, kind: str, /, **facts: Any) -> None:
        """An event of play, for a user who listens. Returns at once."""
        if user in self._listening or user in self._lately:
            self._told.append(_Told(user, _event(kind, facts)))
            self._wake.set()

    async def note(self, user: str, kind: str, /, **facts: Any) -> bool:
        """An event that is kept whether or not the user listens just now. False: the live store is away."""
        try:
            await self._notices.add(user, _event(kind, facts))
        except StoreUnavailable:
            return False
        return True

    def turn(self, table_id: str, user: str) -> None:
        """A decision of this user was opened at a table."""
        self.tell(user, "turn", room=table_id)

    def table_changed(self, summary: Summary) -> None:
        """A table's public facts changed: its people are told once when all seats are taken before a match."""
        ready = summary.phase == "waiting" and all(
            person is not None or bot for person, bot in zip(summary.seats, summary.bots, strict=True)
        )
        if not ready:
            self._full.pop(summary.table_id, None)
        elif summary.table_id not in self._full:
            self._full[summary.table_id] = None
            if len(self._full) > _WAITING:
                del self._full[next(iter(self._full))]
            for person in summary.seats:
                if person is not None:
                    self.tell(person.user, "table_ready", room=summary.table_id)

    def finished(self, document: Document) -> None:
        """A round, a match, or both, are over and in the archive."""
        if isinstance(document, RoomEnded):
            return
        where = {"room": document.table, "match": document.match}
        for seat in document.seats:
            if seat.user is None or seat.bot:
                continue
            if isinstance(document, FinishedRound):
                name = f"{document.match}.{document.round_no}"
                facts = {"round": name, "outcome": document.outcome, "net": document.nets[seat.seat]}
                self.tell(seat.user, "round_ended", **where, **facts)
            if document.match_over is not None:
                total, reason = document.totals[seat.seat], document.match_over.reason
                self.tell(seat.user, "match_ended", **where, reason=reason, total=total)

    # Streams

    def refuse_full(self) -> None:
        """Raises Refusal busy when this node has enough streams."""
        if sum(map(len, self._streams.values())) >= PER_NODE:
            raise Refusal(ErrorCode.BUSY, "this node has enough streams; try again later")

    async def lines(self, user: str, session: str, cursor: str | None) -> AsyncIterator[bytes]:
        """The events of a user after `cursor` (None: from now on), one JSON object a line, until the right ends."""
        stream = self._opened(user, session)
        try:
            at = cursor or await self._newest(user)
            yield _line("open", at)
            quiet_until = time.monotonic() + _KEEP_ALIVE_S
            while not stream.over.is_set():
                with contextlib.suppress(StoreUnavailable):
                    for at, event in await self._notices.after(user, at):  # noqa: B020
                        yield b'{"id":"%b",%b\n' % (at.encode(), event[1:])
                        quiet_until = time.monotonic() + _KEEP_ALIVE_S
                if time.monotonic() >= quiet_until:
                    quiet_until = time.monotonic() + _KEEP_ALIVE_S
                    yield _ALIVE
                    await self._recheck(stream)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_S):
                        await stream.over.wait()
            yield _line("end", at, reason=stream.reason)
        finally:
            self._closed(user, stream)

    async def _newest(self, user: str) -> str:
        while True:
            with contextlib.suppress(StoreUnavailable):
                return await self._notices.newest(user)

    def _opened(self, user: str, session: str) -> _Stream:
        stream = _Stream(Ticket(user, "", "", "lobby", session=session))
        theirs = self._streams.setdefault(user, [])
        theirs.append(stream)
        if len(theirs) > PER_USER:
            next(one for one in theirs if not one.over.is_set()).end("replaced")
        self._lately[user] = time.monotonic() + _LINGER_S
        return stream

    def _closed(self, user: str, stream: _Stream) -> None:
        self._streams[user].remove(stream)
        self._lately[user] = time.monotonic() + _LINGER_S
        if not self._streams[user]:
            del self._streams[user]

    async def recheck(self, user: str) -> None:
        """Something about this user changed: end the streams to which they have no right any more."""
        for stream in list(self._streams.get(user, ())):
            await self._recheck(stream)

    async def _recheck(self, stream: _Stream) -> None:
        if not await self._may_stay(stream.ticket):
            stream.end("not_allowed")

    def send_away(self) -> None:
        """The node stops: end all streams."""
        for streams in list(self._streams.values()):
            for stream in streams:
                stream.end("restart")

    async def run(self) -> None:
        """Learn who listens, and write what was told, until cancelled."""
        await asyncio.gather(self._listen(), self._write())

    async def _listen(self) -> None:
        while True:
            now = time.monotonic()
            self._lately = {user: until for user, until in self._lately.items() if until > now or user in self._streams}
            with contextlib.suppress(StoreUnavailable):
                self._listening = await self._notices.listen(self._lately)
            await asyncio.sleep(_LISTEN_S)

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._told:
                told = [self._told.popleft() for _ in range(min(len(self._told), 100))]
                added = [self._notices.add(user, event) for user, event in told]
                results = await asyncio.gather(*added, return_exceptions=True)
                if any(isinstance(result, BaseException) for result in results):
                    log.warning("some events of people were lost: the live store does not answer")


def _event(kind: str, facts: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"type": kind, "at_ms": int(time.time() * 1000), **facts})


def _line(kind: str, cursor: str, **facts: str) -> bytes:
    """A line of the stream itself, which is no event and is not kept."""
    return msgspec.json.encode({"id": cursor, "type": kind, **facts}) + b"\n"
