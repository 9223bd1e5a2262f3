"""Sends a table's viewers their frames: entries, prompts, syncs, presence. Synchronous; waits for nobody.

Only stored entries come here. `channel.project_entry` decides the faces for each seat; the channels hold who is
connected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from app.kernel.play.decisions import Decision
from app.kernel.seats import SPECTATOR
from app.kernel.text.notation import plain_view
from app.kernel.views import view
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.clocks.timers import TableTimers
from app.tables.frames import NO_PROMPT, Face, Frame, Plain, plain_frame
from app.tables.log.audience import Audience, changes_public_match
from app.tables.log.entries import Entry
from app.tables.log.table_log import TableLog
from app.tables.match.timers import timers
from app.tables.match.view import match_view, room_view
from app.tables.messages import Attach, RuntimeDeps
from app.tables.ports import Connection, Person
from app.tables.viewers import replies
from app.tables.viewers.channel import Channel, History, project_entry
from app.tables.viewers.spectators import Spectators

_NO_PROMPT: Final = Face(NO_PROMPT)


class Broadcaster:
    """The viewers of one table. `log` is replaced when the table is acquired again; `late()` is called when it is time
    to call `spectators.deliver`."""

    def __init__(self, log: TableLog, timers: TableTimers, deps: RuntimeDeps, late: Callable[[], object]) -> None:
        self.log = log
        self.channels = [Channel() for _ in range(log.match.spec.players)]
        self.history = History()
        self.spectators = Spectators(deps.clock, deps.limits.spectator_delay_s, late)
        self._timers = timers
        self._turn = deps.turn
        self._watched = log.match.spec.settings.spectators != "off"
        self._begin_spectators()

    @property
    def online(self) -> list[bool]:
        """The seats whose player is connected."""
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
        yield from self.spectators.connections

    def let_go(self) -> None:
        """Nobody is connected any more, and nothing is left to resume."""
        for channel in self.channels:
            channel.connection = None
        self.history.clear()
        self.spectators.let_go()

    def entry(self, entry: Entry, told: Audience) -> None:
        """Send an entry that is stored and absorbed to everybody whom it concerns, each with their own number."""
        log = self.log
        match = self.match_view() if changes_public_match(entry) else None
        projection = project_entry(entry, told, match)
        self.history.add(projection, match)
        for place, channel in enumerate(self.channels):
            if channel.connection is not None and (face := projection.face(place)) is not None:
                channel.connection.offer(Frame("events", log.seq(place), face))
        if self._watched and projection.everybody is not None:
            frame = Frame("events", log.seq(SPECTATOR), projection.everybody)
            self.spectators.entry(frame, projection.public, match, entry.match is not None)

    def prompts(self) -> None:
        """Send each seat its open decision where that has changed; a clock waits for a prompt that is queued."""
        by_seat = {decision.seat: decision for decision in self.log.open}
        for place, channel in enumerate(self.channels):
            decision = by_seat.get(place)
            if decision is channel.prompted or decision == channel.prompted:
                continue
            channel.prompted = decision
            if channel.offer(self.prompt(place, decision)) is False and decision is not None:
                self._timers.wait_for(decision)
            if decision is not None and (person := self.log.match.seats[place].person) is not None:
                self._turn(self.log.match.spec.table_id, person.user)

    def prompt(self, place: int, decision: Decision | None) -> Frame:
        """A seat's prompt frame; it repeats the seat's last number."""
        face = _NO_PROMPT if decision is None else Face(self._prompt_data(decision))
        return Frame("prompt", self.log.seq(place), face)

    def _prompt_data(self, decision: Decision | None) -> Plain:
        if decision is None:
            return replies.prompt_data(None, None, None)
        return replies.prompt_data(decision, self._timers.left_ms(decision), self._timers.total_ms(decision))

    def decision_of(self, place: int) -> Decision | None:
        """The seat's open decision."""
        return next((decision for decision in self.log.open if decision.seat == place), None)

    def prompt_again(self) -> None:
        """Clocks have changed: the next `prompts` sends all of them."""
        for channel in self.channels:
            channel.prompted = None

    def sync(self, place: int) -> Frame:
        """Everything a seat may know, from one moment, its own prompt included."""
        log, person = self.log, self.log.match.seats[place].person
        table = None if log.round is None else plain_view(view(log.round.table, place))
        data = {
            "room": room_view(log.match), "match": self.match_view(), "view": table,
            "prompt": self._prompt_data(self.decision_of(place)),
            "me": {
                "seat": place, "user": person.user if person else None,
                "auto_win": log.match.seats[place].auto_win,
            },
        }  # fmt: skip
        return Frame("sync", log.seq(place), Face(data))

    def sync_all(self) -> None:
        """After the table was acquired again: what was sent before may not hold any more."""
        for place, channel in enumerate(self.channels):
            channel.forget(self.history.entries)
            channel.prompted = self.decision_of(place)
            channel.offer(self.sync(place))
        self._begin_spectators()
        for connection in self.spectators.connections:
            connection.offer(self.spectators.snapshot(room_view(self.log.match)))

    def turn_page(self) -> None:
        """A new page: nothing of the old one may be resumed."""
        self.history.clear()

    # Coming and going

    def seat(self, place: int, attach: Attach, fresh: bool) -> bool:
        """Connect a person to their seat and bring them up to date. True: nobody was connected there before.

        `fresh`: they have just sat down, so that nothing of before concerns them.
        """
        self._stop_watching(attach)
        channel, connection = self.channels[place], attach.connection
        old, channel.connection = channel.connection, connection
        if old is not None and old is not connection:
            old.farewell("replaced", "")
        if attach.ref is not None:
            connection.offer(replies.ack(attach.ref, seat=place))
        self._catch_up(place, None if fresh else attach.last)
        return old is None

    def _catch_up(self, place: int, last: tuple[int, int] | None) -> None:
        """The entries that a returning connection has missed and its prompt, or everything; then running countdowns."""
        channel = self.channels[place]
        decision = channel.prompted = self.decision_of(place)
        missed = self.history.missed(place, channel.since, last, self.log.seq(place), self.log.entries)
        if missed is None:
            channel.offer(self.sync(place))
        else:
            for frame in missed:
                channel.offer(frame)
            channel.offer(self.prompt(place, decision))
            for other, online in enumerate(self.online):
                channel.offer(replies.presence(other, online))
        for key in timers(self.log.match, self.log.variant.meta):
            if (running := replies.countdown(key, self._timers.match_left_ms(key))) is not None:
                channel.offer(running)

    def watch(self, attach: Attach) -> None:
        """Let a person watch."""
        connection = attach.connection
        old = self.spectators.admit(connection, attach.person)
        if old is not None and old is not connection:
            old.farewell("replaced", "")
        if attach.ref is not None:
            connection.offer(replies.ack(attach.ref, seat=None))
        connection.offer(self.spectators.snapshot(room_view(self.log.match)))

    def answer_watcher(self, connection: Connection, ref: str, ask: asks.Ask) -> None:
        """Spectators may ask for a sync and may leave; everything else needs a seat. Silent for a stranger."""
        if self.spectators.person(connection) is None:
            return
        match ask:
            case asks.Sync():
                connection.offer(replies.ack(ref))
                connection.offer(self.spectators.snapshot(room_view(self.log.match)))
            case asks.Leave():
                self.spectators.dismiss(connection)
                connection.offer(replies.ack(ref))
                connection.farewell("closed", "left")
            case _:
                connection.offer(replies.error(ref, ErrorCode.NOT_SEATED))

    def _stop_watching(self, attach: Attach) -> None:
        for watching in self.spectators.dismiss_user(attach.person.user):
            if watching is not attach.connection:
                watching.farewell("replaced", "")

    def vacate(self, place: int) -> Connection | None:
        """Nobody is connected to this seat any more. Returns its connection."""
        gone, self.channels[place].connection = self.channels[place].connection, None
        return gone

    def match_view(self) -> Plain:
        """The MatchView of this moment."""
        return match_view(self.log.match, self.log.rules, self.online, self._timers.match_left_ms)

    def saving(self, on: bool, told: Audience) -> None:
        """The store takes long for something that concerns `told`, or answers again."""
        frame = plain_frame("saving", on=on)
        if told.everybody:
            self.say(frame)
        for place in told.seats:
            self.channels[place].offer(frame)

    def say(self, frame: Frame) -> None:
        """A frame without a number to everybody, spectators in their time."""
        for channel in self.channels:
            channel.offer(frame)
        self.spectators.say(frame)

    def countdowns(self, keys: list[str], cancelled: list[str]) -> None:
        """Match clocks that have started or were stopped."""
        for key in cancelled:
            if (frame := replies.countdown(key, None)) is not None:
                self.say(frame)
        for key in keys:
            if (frame := replies.countdown(key, self._timers.match_left_ms(key))) is not None:
                self.say(frame)

    def presence(self, place: int, online: bool) -> None:
        """A person connected or disconnected."""
        self.say(replies.presence(place, online))

    def reseat(self, before: tuple[Person | None, ...]) -> list[Connection]:
        """Seats have new holders: connections follow their people. Returns those of people without a seat now."""
        after = [seat.person for seat in self.log.match.seats]
        if [p and p.user for p in before] == [p and p.user for p in after]:
            return []
        connections = {
            person.user: channel.connection
            for person, channel in zip(before, self.channels, strict=True)
            if person is not None and channel.connection is not None
        }
        for place, person in enumerate(after):
            old = before[place]
            if (old and old.user) != (person and person.user):
                self.channels[place].forget(self.history.entries)
                self.channels[place].connection = connections.get(person.user) if person else None
        kept = {person.user for person in after if person is not None}
        return [connection for user, connection in connections.items() if user not in kept]

    def _begin_spectators(self) -> None:
        log = self.log
        table = None if log.round is None else view(log.round.table, SPECTATOR)
        self.spectators.begin(table, self.match_view(), log.seq(SPECTATOR), room_view(log.match))
