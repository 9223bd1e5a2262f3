"""What each viewer of a table is sent: projected entries, numbered, kept for a while, and the connection they go to.

Offers are synchronous and never wait for a peer. Secrecy is decided in `app.kernel.views.faces` and nowhere here.
Numbers come from the table's log, so that any owner of the table counts alike.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from app.kernel.decisions import Decision
from app.kernel.notation import plain_event
from app.tables.frames import Face, Frame, Plain
from app.tables.log.audience import Audience
from app.tables.log.entries import Entry
from app.tables.match import events as me
from app.tables.ports import Connection

RING: Final = 256
"""Entries kept per seat for a resume; a longer gap, or another round's, is answered by a sync."""


class Channel:
    """One seat: its newest connection, the last frames of this page, the prompt it was sent last."""

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


def project_entry(entry: Entry, told: Audience, match: Plain | None) -> tuple[Face | None, dict[int, Face]]:
    """The faces of one entry for those who are told of it: everybody's, and by seat for those who see it otherwise.

    `match`: the MatchView, when the entry changed what everybody may know of the match.
    """
    common: list[Plain] = []
    private = private_facts(entry)
    own: dict[int, list[Plain]] = {seat: [] for seat in private}
    for event, plain, (owner, owner_face, public) in zip(entry.events, entry.plain_events, entry.faces(), strict=True):
        if owner is not None:
            seen_by_owner = own.setdefault(owner, list(common))
            if owner_face is not None:
                seen_by_owner.append(plain if owner_face is event else plain_event(owner_face))
        if public is not None:
            shown = plain if public is event else plain_event(public)
            common.append(shown)
            for seat, events in own.items():
                if seat != owner:
                    events.append(shown)
    everybody = _face(common, match, None) if told.everybody else None
    return everybody, {
        seat: _face(events, match, private.get(seat))
        for seat, events in own.items()
        if told.everybody or seat in told.seats
    }


def _face(events: list[Plain], match: Plain | None, mine: Plain | None) -> Face:
    data: Plain = {"events": events}
    if match is not None:
        data["match"] = match
    if mine is not None:
        data["me"] = mine
    return Face(data)


def private_facts(entry: Entry) -> dict[int, Plain]:
    """What an entry tells a seat alone about itself."""
    return {event.seat: {"auto_win": event.on} for event in entry.match_events if type(event) is me.MatchAutoWin}
