"""The channel of each viewer of a table: projected entries, numbered, kept for a while, and the connection they go to.

Offers are synchronous and never wait for a peer. Secrecy is decided in `app.kernel.views.faces` and nowhere here.
Numbers come from the table's log, so that any owner of the table counts alike.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from app.kernel.events import Event
from app.kernel.play.decisions import Decision
from app.kernel.text.notation import plain_event
from app.kernel.views import faces
from app.tables.frames import Face, Frame, Plain, Seq
from app.tables.log.audience import Audience, audience
from app.tables.log.entries import Entry, read_entry
from app.tables.match import events as me
from app.tables.ports import Connection

RING: Final = 256
"""Entries kept for a resume; a longer gap, or another round's, is answered by a sync."""


class Channel:
    """One seat: its newest connection, the prompt it was sent last, and from which entry on its person may resume."""

    __slots__ = ("connection", "prompted", "since")

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.prompted: Decision | None = None
        self.since = 0

    def offer(self, frame: Frame) -> bool | None:
        """Hand a frame over: written now, queued (False), or nobody there (None)."""
        return None if self.connection is None else self.connection.offer(frame)

    def forget(self, entries: int) -> None:
        """A new holder: nothing of the first `entries` may be resumed."""
        self.since = entries
        self.prompted = None


class Projection(NamedTuple):
    """One entry as its viewers see it: everybody's face, and by seat for those who see it otherwise.

    None: the others are sent nothing. `public`: the public faces of its events, for what spectators fold.
    """

    everybody: Face | None
    own: dict[int, Face]
    public: tuple[Event, ...]

    def face(self, seat: int) -> Face | None:
        """The channel of this seat."""
        return self.own.get(seat, self.everybody)


_Kept = tuple[bytes | None, dict[int, bytes]]
"""Everybody's face, and by seat for those who saw it otherwise."""


class History:
    """The last entries of a page as the seats saw them.

    Tables are many: what an entry of the round alone shows is made again out of the log when somebody comes back. Only
    what the match showed then is kept, as JSON, since it depends on presence and on times as well.
    """

    def __init__(self) -> None:
        self._kept: deque[_Kept | None] = deque(maxlen=RING)
        self.entries = 0
        """Number of all items ever added."""

    def add(self, projection: Projection, match: Plain | None) -> None:
        """Note the entry that is now the log's last. `match`: the MatchView in its faces."""
        self.entries += 1
        if match is None:
            self._kept.append(None)
            return
        everybody, own, _ = projection
        self._kept.append(
            (None if everybody is None else everybody.encoded, {seat: face.encoded for seat, face in own.items()})
        )

    def clear(self) -> None:
        """A new page: nothing of before may be resumed."""
        self._kept.clear()

    def missed(
        self, seat: int, since: int, last: Seq | None, seq: Seq, entries: list[bytes]
    ) -> list[Frame] | None:  # fmt: skip
        """The seat's frames after `last`, up to `seq`, when all of them can be had; None: send a sync.

        `entries`: the page's log.
        """
        if last is None or last[0] != seq[0] or not 0 < last[1] <= seq[1]:
            return None
        wanted, frames = seq[1] - last[1], list[Frame]()
        for back, kept in enumerate(reversed(self._kept)):
            if len(frames) == wanted or self.entries - back <= since:
                break
            n = len(entries) - 1 - back
            encoded = _seen_again(entries[n], n, seat) if kept is None else kept[1].get(seat, kept[0])
            if encoded is not None:
                frames.append(Frame("events", (seq[0], seq[1] - len(frames)), Face.kept(encoded)))
        frames.reverse()
        return frames if len(frames) == wanted else None


def _seen_again(raw: bytes, n: int, seat: int) -> bytes | None:
    """What the seat was sent of an entry that did not change the public view of the match; None: nothing."""
    entry = read_entry(raw, n)
    face = project_entry(entry, audience(entry), None).face(seat)
    return None if face is None else face.encoded


def project_entry(entry: Entry, told: Audience, match: Plain | None) -> Projection:
    """The faces of one entry for its audience. `match`: the MatchView, when the entry changed the public view of the
    match. A plain event is shared with the log only where the public face is the event itself.
    """
    common: list[Plain] = []
    public_events: list[Event] = []
    private = private_facts(entry)
    own: dict[int, list[Plain]] = {seat: [] for seat in private}
    for event, plain in zip(entry.events, entry.plain_events, strict=True):
        owner, owner_face, public = faces(event)
        if owner is not None:
            seen_by_owner = own.setdefault(owner, list(common))
            if owner_face is not None:
                seen_by_owner.append(plain if owner_face is event else plain_event(owner_face))
        if public is not None:
            public_events.append(public)
            shown = plain if public is event else plain_event(public)
            common.append(shown)
            for seat, events in own.items():
                if seat != owner:
                    events.append(shown)
    everybody = _face(common, match, None) if told.everybody else None
    seen = {
        seat: _face(events, match, private.get(seat))
        for seat, events in own.items()
        if told.everybody or seat in told.seats
    }
    return Projection(everybody, seen, tuple(public_events))


def _face(events: list[Plain], match: Plain | None, mine: Plain | None) -> Face:
    data: Plain = {"events": events}
    if match is not None:
        data["match"] = match
    if mine is not None:
        data["me"] = mine
    return Face(data)


def private_facts(entry: Entry) -> dict[int, Plain]:
    """The private part of an entry for its own seat."""
    return {event.seat: {"auto_win": event.on} for event in entry.match_events if type(event) is me.MatchAutoWin}
