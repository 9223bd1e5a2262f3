"""Tells a table's viewers what they may know: entries, prompts, syncs, presence. Synchronous; waits for nobody.

Only stored entries come here. Which seat sees what is `outbox.project_entry`; who is connected stands in the channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.kernel.decisions import Decision
from app.kernel.events import Event
from app.kernel.notation import plain_view
from app.kernel.seats import SPECTATOR
from app.kernel.views import view
from app.tables.clocks.timers import TableTimers
from app.tables.frames import Face, Frame, Plain
from app.tables.log.entries import Entry
from app.tables.log.table_log import TableLog
from app.tables.match.view import match_view, room_view
from app.tables.messages import RuntimeDeps
from app.tables.ports import Connection, Person
from app.tables.viewers import replies
from app.tables.viewers.channel import Channel, is_public, private_facts, project_entry
from app.tables.viewers.spectators import Spectators


class Broadcaster:
    """The viewers of one table. `course` is replaced when the table is acquired again; `late()` asks for a call of
    `gallery.deliver`."""

    def __init__(self, course: TableLog, alarms: TableTimers, house: RuntimeDeps, late: Callable[[], object]) -> None:
        self.course = course
        self.channels = [Channel() for _ in range(course.match.spec.players)]
        self.gallery = Spectators(house.clock, house.limits.spectator_delay_s, late)
        self._alarms = alarms
        self._watched = course.match.spec.settings.spectators != "off"
        self._begin_gallery()

    @property
    def online(self) -> list[bool]:
        """Who of the seats is connected."""
        return [channel.connection is not None for channel in self.channels]

    def place_of(self, connection: Connection) -> int | None:
        """The seat whose newest connection this is."""
        for place, channel in enumerate(self.channels):
            if channel.connection is connection:
                return place
        return None

    def connections(self) -> Iterator[Connection]:
        """Everybody who is connected."""
        for channel in self.channels:
            if channel.connection is not None:
                yield channel.connection
        yield from self.gallery.connections

    def let_go(self) -> None:
        """Nobody is connected any more, and nothing is left to resume."""
        for channel in self.channels:
            channel.connection = None
            channel.forget()
        self.gallery.let_go()

    def entry(self, entry: Entry) -> None:
        """Send an entry that is stored and absorbed to everybody it concerns, with his number."""
        match = self.match_view() if is_public(entry) else None
        everybody, own = project_entry(entry, match, private_facts(entry))
        for place, channel in enumerate(self.channels):
            face = own.get(place, everybody)
            if face is not None:
                channel.entry(Frame("events", self.course.seq(place), face))
        if everybody is not None and self._watched:
            frame = Frame("events", self.course.seq(SPECTATOR), everybody)
            self.gallery.entry(frame, _public(entry), entry.match is not None)

    def prompts(self) -> None:
        """Send each seat its open decision where that has changed; a clock waits for a prompt that is queued."""
        by_seat = {decision.seat: decision for decision in self.course.open}
        for place, channel in enumerate(self.channels):
            decision = by_seat.get(place)
            if decision is channel.prompted or decision == channel.prompted:
                continue
            channel.prompted = decision
            if channel.offer(self.prompt(place, decision)) is False and decision is not None:
                self._alarms.wait_for(decision)

    def prompt(self, place: int, decision: Decision | None) -> Frame:
        """A seat's prompt frame; it repeats the seat's last number."""
        return Frame("prompt", self.course.seq(place), Face(self._prompt_data(decision)))

    def _prompt_data(self, decision: Decision | None) -> Plain:
        if decision is None:
            return replies.prompt_data(None, None, None)
        return replies.prompt_data(decision, self._alarms.left_ms(decision), self._alarms.total_ms(decision))

    def decision_of(self, place: int) -> Decision | None:
        """What a seat is asked now."""
        return next((decision for decision in self.course.open if decision.seat == place), None)

    def prompt_again(self) -> None:
        """Clocks have changed: the next `prompts` sends all of them."""
        for channel in self.channels:
            channel.prompted = None

    def sync(self, place: int) -> Frame:
        """Everything a seat may know, from one moment, its own prompt included."""
        course, person = self.course, self.course.match.seats[place].person
        table = None if course.round is None else plain_view(view(course.round.table, place))
        data = {
            "room": room_view(course.match), "match": self.match_view(), "view": table,
            "prompt": self._prompt_data(self.decision_of(place)),
            "me": {
                "seat": place, "user": person.user if person else None,
                "auto_win": course.match.seats[place].auto_win,
            },
        }  # fmt: skip
        return Frame("sync", course.seq(place), Face(data))

    def sync_all(self) -> None:
        """After the table was acquired again: what was sent before may not hold any more."""
        for place, channel in enumerate(self.channels):
            channel.forget()
            channel.prompted = self.decision_of(place)
            channel.offer(self.sync(place))
        self._begin_gallery()
        for connection in self.gallery.connections:
            connection.offer(self.gallery.snapshot(room_view(self.course.match)))

    def match_view(self) -> Plain:
        """The MatchView of this moment."""
        return match_view(self.course.match, self.course.rules, self.online, self._alarms.match_left_ms)

    def say(self, frame: Frame) -> None:
        """A frame without a number to everybody."""
        for connection in tuple(self.connections()):
            connection.offer(frame)

    def countdowns(self, keys: list[str], cancelled: list[str]) -> None:
        """Match clocks that have started or were stopped."""
        for key in cancelled:
            if (frame := replies.countdown(key, None)) is not None:
                self.say(frame)
        for key in keys:
            if (frame := replies.countdown(key, self._alarms.match_left_ms(key))) is not None:
                self.say(frame)

    def presence(self, place: int, online: bool) -> None:
        """Somebody came or went."""
        self.say(replies.presence(place, online))

    def reseat(self, before: tuple[Person | None, ...]) -> list[Connection]:
        """Seats have new holders: connections follow their people. Returns those of people without a seat now."""
        after = [seat.person for seat in self.course.match.seats]
        if [p and p.user for p in before] == [p and p.user for p in after]:
            return []
        lines = {
            person.user: channel.connection
            for person, channel in zip(before, self.channels, strict=True)
            if person is not None and channel.connection is not None
        }
        for place, person in enumerate(after):
            old = before[place]
            if (old and old.user) != (person and person.user):
                self.channels[place].forget()
                self.channels[place].connection = lines.get(person.user) if person else None
        kept = {person.user for person in after if person is not None}
        return [connection for user, connection in lines.items() if user not in kept]

    def _begin_gallery(self) -> None:
        course = self.course
        table = None if course.round is None else view(course.round.table, SPECTATOR)
        self.gallery.begin(table, self.match_view(), course.seq(SPECTATOR), room_view(course.match))


def _public(entry: Entry) -> tuple[Event, ...]:
    return tuple([public for _, _, public in entry.faces() if public is not None])
