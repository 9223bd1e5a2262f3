"""What each viewer of a table is sent: projected entries, numbered, kept for a while, and the connection they go to.

Offers are synchronous and never wait for a peer. Secrecy is `app.kernel.views.faces`; nothing here decides it. Numbers
come from the course, so that any owner of the table counts the same.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from app.kernel.decisions import Decision
from app.kernel.notation import plain_event
from app.tables.frames import Face, Frame, Kind, Plain
from app.tables.log.entries import Entry
from app.tables.match import events as me
from app.tables.ports import Connection

RING: Final = 256
"""Entries kept per seat for a resume; a longer gap, or another round's, is answered by a sync."""


class Channel:
    """One seat's line: its newest connection, the last frames of this page, the prompt it was sent last."""

    __slots__ = ("connection", "prompted", "ring")

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.prompted: Decision | None = None
        self.ring: deque[Frame] = deque(maxlen=RING)

    def offer(self, frame: Frame) -> bool | None:
        """Hand a frame over: written now, queued (False), or nobody there (None)."""
        return None if self.connection is None else self.connection.offer(frame)

    def entry(self, frame: Frame) -> None:
        """An `events` frame: kept for a resume and handed over."""
        self.ring.append(frame)
        if self.connection is not None:
            self.connection.offer(frame)

    def missed(self, last: tuple[int, int] | None, seq: tuple[int, int]) -> list[Frame] | None:
        """The frames after `last`, when the ring has all of them; None: send a sync."""
        if last is None or last[0] != seq[0] or not 0 < last[1] <= seq[1]:
            return None
        count = seq[1] - last[1]
        if count > len(self.ring):
            return None
        return list(self.ring)[len(self.ring) - count :]

    def forget(self) -> None:
        """A new holder, or a new page: nothing of before may be resumed."""
        self.ring.clear()
        self.prompted = None


def project_entry(entry: Entry, match: Plain | None, mine: dict[int, Plain]) -> tuple[Face | None, dict[int, Face]]:
    """The faces of one entry: (everybody's, by seat for those who see it otherwise). None: sent nothing.

    `match`: the MatchView, when the entry changed what all may know of the match; `mine`: private facts by seat.
    """
    common: list[Plain] = []
    own: dict[int, list[Plain]] = {seat: [] for seat in mine}
    for event, plain, (owner, owner_face, public) in zip(entry.events, entry.plain_events, entry.faces(), strict=True):
        shown = None if public is None else plain if public is event else plain_event(public)
        if owner is not None:
            mine_too = own.setdefault(owner, list(common))
            if owner_face is not None:
                mine_too.append(plain if owner_face is event else plain_event(owner_face))
        if shown is not None:
            common.append(shown)
            for seat, events in own.items():
                if seat != owner:
                    events.append(shown)
    by_seat = {seat: _face(events, match, mine.get(seat)) for seat, events in own.items()}
    seen = {seat: face for seat, face in by_seat.items() if face is not None}
    return _face(common, match, None), seen


def _face(events: list[Plain], match: Plain | None, mine: Plain | None) -> Face | None:
    if not events and match is None and mine is None:
        return None
    data: Plain = {"events": events}
    if match is not None:
        data["match"] = match
    if mine is not None:
        data["me"] = mine
    return Face(data)


def private_facts(entry: Entry) -> dict[int, Plain]:
    """What an entry tells a seat alone about itself."""
    return {event.seat: {"auto_win": event.on} for event in entry.match_events if type(event) is me.MatchAutoWin}


def is_public(entry: Entry) -> bool:
    """Whether the entry changed what everybody may know of the match."""
    return entry.match is not None or any(me.FACES.get(type(event), "all") == "all" for event in entry.match_events)


def plain_frame(kind: Kind, **data: Any) -> Frame:
    """A frame without seq: acks, errors, presence, chat, countdowns; may be lost."""
    return Frame(kind, None, Face(data))
