"""The audience of an entry: the one answer, for the viewers' numbers and for the frames that they get."""

from __future__ import annotations

from typing import NamedTuple

from app.kernel.views import faces, is_public_event
from app.tables.log.entries import Entry
from app.tables.match import events as me


class Audience(NamedTuple):
    """Everybody, spectators too; or else only these seats."""

    everybody: bool
    seats: tuple[int, ...]


EVERYBODY = Audience(True, ())


def audience(entry: Entry) -> Audience:
    """The viewers that are sent a face of an entry.

    Depends on the entry alone, so that any owner of the table counts alike.
    """
    if entry.match is not None:
        return EVERYBODY
    seats: list[int] = []
    for event in entry.events:
        if is_public_event(event):
            return EVERYBODY
        owner = faces(event)[0]
        if owner is not None and owner not in seats:
            seats.append(owner)
    for match_event in entry.match_events:
        told = me.FACES.get(type(match_event), "all")
        if told == "all":
            return EVERYBODY
        if told == "seat":
            seat: int = match_event.seat  # type: ignore[union-attr]
            if seat not in seats:
                seats.append(seat)
    return Audience(False, tuple(seats))


def changes_public_match(entry: Entry) -> bool:
    """True when the entry changed the public view of the match."""
    return entry.match is not None or any(me.FACES.get(type(event), "all") == "all" for event in entry.match_events)
