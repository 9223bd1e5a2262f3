"""One language for scripted rounds of every game, played by the real machine.

    game = deal(hands={0: "5m", 1: "55m"})          each game has its own `deal`: it lays the wall
    game.play("0 discard 5m / 1 pong / hold")

Steps stand on lines of their own or between slashes; every one must be accepted:

    SEAT VERB [TILES]   the seat makes this choice: `1 pong 5m`, `0 chow 345m`, `2 light winds`, `0 discard 9p`
    SEAT timeout        the seat's clock runs out
    SEAT autoplay       the seat is played by 托管
    hold                the hold of the window ends
    quiet               every seat still asked in the window passes, then its hold ends
    abort               the table is dissolved

A seat is its number, or D, R, O, L counted from the dealer. VERB is the verb of an action or its choice (`kong` or
`kong_exposed`); TILES may be left out where one choice fits. A choice that the seat is not offered in an open window
lets the window pass first: `0 discard 5m / 1 discard 9p` needs no `quiet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, Self, TypeVar

from app.kernel.actions import PASS, Action
from app.kernel.errors import Rejection
from app.kernel.events import Event
from app.kernel.play.commands import Abort, Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.shapes.counts import tiles_of
from app.kernel.table import SeatTiles, TableState
from app.kernel.tiles import Tile, format_tiles
from app.kernel.variant import Setup, Variant

S = TypeVar("S", bound=Any)
Seat = int | str
"""A seat by its number or by its place from the dealer (D, R, O, L)."""
PLACES = "DROL"


class Script(Generic[S]):
    """A round being played. `events`: all so far; `entry`: those of the last command; `open`: the open decisions.

    `check` is called with the state after every command.
    """

    def __init__(self, variant: Variant[S], setup: Setup, check: Callable[[S], None] = lambda _: None) -> None:
        self.variant = variant
        self._check = check
        self.events: list[Event] = []
        step = variant.start(setup)
        self._put(step.state, step.events)

    def _put(self, state: S, events: tuple[Event, ...]) -> None:
        self.state = state
        self.entry = events
        self.events += events
        self.open = self.variant.decisions(state)
        self._check(state)

    # what a test looks at

    @property
    def table(self) -> TableState:
        """The whole table."""
        table: TableState = self.state.table
        return table

    @property
    def points(self) -> tuple[int, ...]:
        """Points booked so far by seat."""
        return self.table.points

    @property
    def points_from_dealer(self) -> tuple[int, ...]:
        """Points booked so far by place: dealer first, then in turn order."""
        players, dealer = self.table.facts.players, self.table.facts.dealer
        return tuple([self.points[(dealer + place) % players] for place in range(players)])

    def number(self, seat: Seat) -> int:
        """The number of a seat."""
        facts = self.table.facts
        return seat if isinstance(seat, int) else (facts.dealer + PLACES.index(seat)) % facts.players

    def seat(self, seat: Seat) -> SeatTiles:
        """The tiles of a seat."""
        return self.table.seats[self.number(seat)]

    def hand(self, seat: Seat) -> str:
        """Concealed tiles of a seat as sorted text."""
        return format_tiles(tiles_of(self.seat(seat).hand or 0))

    def melds(self, seat: Seat) -> list[str]:
        """Melds of a seat as `kind tiles`."""
        return [f"{meld.kind} {format_tiles(meld.tiles)}" for meld in self.seat(seat).melds]

    def asked(self) -> str:
        """The places asked now, H for the hold."""
        facts = self.table.facts
        return "".join(["H" if d.seat is None else PLACES[(d.seat - facts.dealer) % facts.players] for d in self.open])

    def decision(self, seat: Seat) -> Decision | None:
        """The seat's open decision."""
        return next((decision for decision in self.open if decision.seat == self.number(seat)), None)

    def question(self, seat: Seat) -> Decision:
        """The seat's open decision. Fails when it is not asked."""
        found = self.decision(seat)
        assert found is not None, f"seat {seat} is not asked"
        return found

    def options(self, seat: Seat) -> list[str]:
        """All that the seat may choose, as script words, in the machine's order; empty when it is not asked."""
        asked = self.decision(seat)
        return [words(option) for option in asked.options] if asked else []

    def offers(self, seat: Seat) -> list[str]:
        """The options without discards."""
        return [text for text in self.options(seat) if not text.startswith("discard")]

    def names(self, seat: Seat) -> set[str]:
        """Names of all that the seat may do but discard and pass: win, pong, kong_late, declare_ready …"""
        return {text.split()[0] for text in self.options(seat)} - {"discard", "pass"}

    def discards(self, seat: Seat) -> set[Tile]:
        """The kinds that the seat may discard."""
        return {option.tiles[0] for option in self.question(seat).options if option.verb == "discard"}

    def of(self, kind: type) -> list[Any]:
        """All events of a type so far."""
        return [event for event in self.events if type(event) is kind]

    def last(self, kind: type) -> Any:
        """The latest event of a type."""
        return self.of(kind)[-1]

    def component(self, reason: str) -> list[int]:
        """Points by seat that moved for one reason."""
        points = [0] * self.table.facts.players
        for line in self.table.lines:
            if line.reason == reason:
                points[line.source] -= line.points
                points[line.target] += line.points
        return points

    # what a test does

    def send(self, command: Command) -> tuple[Event, ...]:
        """Give the machine a command, which must be accepted; its events."""
        step = self.variant.decide(self.state, self.open, command)
        assert not isinstance(step, Rejection), f"{command} refused: {step.code}"
        self._put(step.state, step.events)
        return step.events

    def refusal(self, command: Command) -> Rejection:
        """Give the machine a command, which must be refused."""
        step = self.variant.decide(self.state, self.open, command)
        assert isinstance(step, Rejection), f"{command} accepted"
        return step

    def play(self, script: str) -> Self:
        """Play the steps of a script."""
        for step in _steps(script):
            self._step(step)
        return self

    def quiet(self) -> Self:
        """Every seat still asked in the open window passes, then its hold ends."""
        for decision in self.open:
            if decision in self.open and decision.seat is not None and PASS in decision.options:
                self.send(Act(decision.seat, decision.id, PASS))
        if self.state.window is not None and not self.state.window.held:
            self.end_hold()
        return self

    def end_hold(self) -> tuple[Event, ...]:
        """The hold of the open window ends."""
        return self.send(TimeOut(next(decision.id for decision in self.open if decision.seat is None)))

    def time_out(self, seat: Seat) -> tuple[Event, ...]:
        """The clock of the seat's decision runs out."""
        return self.send(TimeOut(self.question(seat).id))

    def _step(self, step: str) -> None:
        match step.split():
            case ["quiet"]:
                self.quiet()
            case ["hold"]:
                self.end_hold()
            case ["abort"]:
                self.send(Abort("vote"))
            case ["opening"]:
                while self.table.phase == "opening":
                    self.quiet()
            case [seat, *chosen]:
                self._choose(int(seat) if seat.isdigit() else seat, chosen)

    def _choose(self, seat: Seat, chosen: list[str]) -> None:
        if self.state.window is not None and not self._fitting(seat, chosen):
            self.quiet()
        found = self._fitting(seat, chosen)
        assert len(found) == 1, f"{seat} {' '.join(chosen)}: offered are {self.options(seat)}, asked {self.asked()}"
        asked = self.question(seat)
        self.send(TimeOut(asked.id) if chosen == ["timeout"] else Act(self.number(seat), asked.id, found[0]))

    def _fitting(self, seat: Seat, chosen: list[str]) -> list[Action]:
        """The options that the words name."""
        asked = self.decision(seat)
        if asked is None:
            return []
        if chosen in (["timeout"], ["autoplay"]):
            choice = asked.on_timeout if chosen == ["timeout"] else asked.on_autoplay
            return [] if choice is None else [choice]
        return [option for option in asked.options if _names(option, *chosen)]


def _steps(script: str) -> Iterator[str]:
    for line in script.replace("/", "\n").splitlines():
        if line.strip():
            yield line.strip()


def _names(option: Action, verb: str, what: str = "") -> bool:
    """True when the words name this option."""
    named = {option.verb, _choice(option)} if option.verb != "discard" or option.choice is None else {_choice(option)}
    return verb in named and what in ("", format_tiles(option.tiles), _choice(option))


def _choice(option: Action) -> str:
    return "" if option.choice is None else str(option.choice).lower()


def words(option: Action) -> str:
    """An option as script words: `pong 5m`, `chow 345m`, `kong_exposed 5z`, `light winds`, `xi_add 9p`, `pass`."""
    by_choice = option.choice is not None and option.verb in ("kong", "extend", "discard")
    what = format_tiles(option.tiles) or _choice(option)
    return f"{_choice(option) if by_choice else option.verb} {what}".strip()
