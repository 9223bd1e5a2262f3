"""A viewer's frames, and other worlds that must look the same to them. Generic: no law here knows a game.

Three forms of non-interference: *redeal* all that is hidden from a viewer; *exchange two kinds* that they have not
seen, in the wall and in the others' commands; *silent answers*, given otherwise, in another order, or not at all.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.errors import Rejection
from app.kernel.melds import Meld
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.seats import SPECTATOR
from app.kernel.shapes.counts import hand_of, tiles_of
from app.kernel.table import SeatTiles, TableState
from app.kernel.tiles import ORDER, Tile, sort_tiles
from app.kernel.variant import Setup, Step, Variant
from app.kernel.views import project, view
from tests.laws.driving import Entry, started, taken

Project = Callable[[ev.Event, int], ev.Event | None]
View = Callable[[TableState, int], TableState]


@dataclass(frozen=True, slots=True)
class Eyes:
    """The functions that decide what a viewer sees; the mutants bring leaky ones."""

    project: Project = project
    view: View = view


HONEST = Eyes()

Frame = tuple[tuple[ev.Event, ...], tuple[Decision, ...]]
"""Projected events of one entry, and the viewer's open decisions after it (holds included: their clocks are felt)."""


def viewers(players: int) -> tuple[int, ...]:
    """All seats, and the spectator."""
    return (*range(players), SPECTATOR)


def prompt(open_: tuple[Decision, ...], viewer: int) -> tuple[Decision, ...]:
    """The viewer's own open decision."""
    return tuple([decision for decision in open_ if decision.seat == viewer])


def answers(game: Variant[Any], state: Any, open_: tuple[Decision, ...], viewer: int) -> tuple[str, ...]:
    """What `viewer` is answered to a set of acts: its own decision, every other seat's, holds, past and made-up ones.

    The acts are a function of what the viewer sees, so the answers have to be one too (S1). An accepted act is
    `accepted`: what follows from it may depend on what others hold.
    """
    if viewer == SPECTATOR:
        return ()
    tick, players = state.table.tick, state.table.facts.players
    ids = [f"{at}.{who}" for at in (tick, tick - 1, tick + 1) for who in (*range(players), "hold")]
    own = [option for decision in prompt(open_, viewer) for option in (decision.options[0], decision.options[-1])]
    acts = [Act(viewer, name, said) for name in (*ids, "", "nonsense") for said in (PASS, WIN, *own)]
    return tuple([_code(game.decide(state, open_, act)) for act in acts])


def _code(found: Step[Any] | Rejection) -> str:
    return found.code if isinstance(found, Rejection) else "accepted"


def frame(entry: Entry, viewer: int, eyes: Eyes = HONEST) -> Frame:
    """The viewer's faces of an entry."""
    seen = tuple([face for event in entry.step.events if (face := eyes.project(event, viewer)) is not None])
    return seen, prompt(entry.after, viewer)


def words(value: Any) -> str:
    """Every text that stands anywhere in an event, one after the other."""
    if isinstance(value, str):
        return value + " "
    if isinstance(value, tuple):
        return "".join([words(item) for item in value])
    if dataclasses.is_dataclass(value):
        return "".join([words(getattr(value, name)) for name in _names(type(value))])
    return ""


@lru_cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple([field.name for field in dataclasses.fields(cls)])


def mentions(value: Any, kinds: tuple[Tile, ...]) -> bool:
    """True when one of the kinds stands anywhere in an event."""
    text = words(value)
    return any(kind in text for kind in kinds)


# ── redeal ──


def redealt(state: Any, viewer: int, kinds: tuple[Tile, ...], rng: random.Random) -> Any:
    """The same state for the viewer: others' hands, face-down melds and private marks, and the wall, drawn afresh."""
    table: TableState = state.table
    pool = _hidden(table, viewer, kinds)
    rng.shuffle(pool)
    melds = [seat.melds if place == viewer else _other_melds(seat.melds, pool, rng) for place, seat in _seats(table)]
    seats = []
    for place, seat in _seats(table):
        if place == viewer:
            seats.append(seat)
            continue
        tiles = [pool.pop() for _ in range(seat.count)]
        drawn = None if seat.drawn is None else rng.choice(tiles)
        seats.append(SeatTiles(hand_of(tiles), seat.count, drawn, melds[place], seat.row))
    marks = tuple([m for m in table.shown.marks if not m.private or m.seat == viewer or rng.random() < 0.5])
    other = replace(table, seats=tuple(seats), shown=replace(table.shown, marks=marks))
    return _with_other_wall(replace(state, table=other), rng)


def _seats(table: TableState) -> Iterator[tuple[int, SeatTiles]]:
    return enumerate(table.seats)  # type: ignore[return-value]


def _hidden(table: TableState, viewer: int, kinds: tuple[Tile, ...]) -> list[Tile]:
    """All tiles this viewer does not see: in others' hands, face down, or still in the wall."""
    seen: Counter[Tile] = Counter([flip.tile for flip in table.shown.flips])
    if table.laid is not None:
        seen[table.laid.tile] += 1
    for place, seat in _seats(table):
        seen.update(seat.row)
        if place == viewer:
            seen.update(tiles_of(seat.hand or 0))
        for meld in seat.melds:
            if place == viewer or not meld.face_down:
                seen.update(meld.tiles)
    return list((Counter(dict.fromkeys(kinds, 4)) - seen).elements())


def _other_melds(melds: tuple[Meld, ...], pool: list[Tile], rng: random.Random) -> tuple[Meld, ...]:
    found = []
    for meld in melds:
        if meld.face_down:
            bag = Counter(pool)
            kind = rng.choice(sorted([kind for kind, copies in bag.items() if copies >= meld.count]))
            for _ in range(meld.count):
                pool.remove(kind)
            meld = replace(meld, tiles=(kind,) * meld.count, **_other_kind(meld, rng))
        found.append(meld)
    return tuple(found)


def _other_kind(meld: Meld, rng: random.Random) -> dict[str, Any]:
    """A late kong looks like one in time."""
    if meld.kind in ("kong_concealed", "kong_late"):
        late = rng.random() < 0.5
        return {"kind": "kong_late" if late else "kong_concealed"}
    return {}


def _with_other_wall(state: Any, rng: random.Random) -> Any:
    """Shuffle the wall wherever the state keeps it (a tuple of many tiles, directly or one record deeper)."""
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if _is_wall(value):
            return replace(state, **{field.name: tuple(rng.sample(value, len(value)))})
        if dataclasses.is_dataclass(value) and not isinstance(value, TableState):
            for inner in dataclasses.fields(value):
                if _is_wall(part := getattr(value, inner.name)):
                    other = replace(value, **{inner.name: tuple(rng.sample(part, len(part)))})  # type: ignore[type-var]
                    return replace(state, **{field.name: other})
    raise AssertionError("the state keeps no wall")


def _is_wall(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 40 and all(item in ORDER for item in value)


# ── scripts: the same round again in another world ──


@dataclass(frozen=True, slots=True)
class Line:
    """One command of a round: what `seat` answered, or (None) that the hold was over."""

    seat: int | None
    action: Action | None


def script_of(trace: list[Entry]) -> list[Line]:
    """The commands of a round, every timeout written as the action it stood for."""
    lines = []
    for entry in trace[1:]:
        command = entry.command
        if isinstance(command, Act):
            lines.append(Line(command.seat, command.action))
        else:
            assert isinstance(command, TimeOut)
            decision = next(d for d in entry.open if d.id == command.decision_id)
            lines.append(Line(decision.seat, decision.on_timeout))
    return lines


class World:
    """A round that is driven line by line; `say` returns False when this world refuses the line."""

    def __init__(self, game: Variant[Any], setup: Setup) -> None:
        self.game = game
        self.entry = started(game, setup)
        self._news = [self.entry]

    def news(self) -> list[Entry]:
        """The entries since this was asked last."""
        news, self._news = self._news, []
        return news

    def say(self, line: Line, *, silent: bool = False) -> bool:
        """Answer as the line does; `silent`: let the clock run out instead."""
        for decision in self.entry.after:
            if decision.seat == line.seat:
                if line.seat is None or silent:
                    return self._take(TimeOut(decision.id))
                assert line.action is not None
                return self._take(Act(line.seat, decision.id, line.action))
        return False

    def _take(self, command: Command) -> bool:
        found = taken(self.game, self.entry, command)
        if found is None:
            return False
        self.entry = found
        self._news.append(found)
        return True


def exchanged(kinds: tuple[Tile, Tile]) -> Callable[[Tile], Tile]:
    """The exchange of two kinds."""
    there = {kinds[0]: kinds[1], kinds[1]: kinds[0]}
    return lambda tile: there.get(tile, tile)


def exchange_differs(
    game: Variant[Any], setup: Setup, trace: list[Entry], viewer: int, kinds: tuple[Tile, Tile], eyes: Eyes = HONEST
) -> tuple[str | None, int]:
    """Play the round again with two kinds exchanged that the viewer has not seen.

    Returns the first difference in their faces before one of the kinds surfaces (None: none), and the number of
    compared events. A seat that is asked in one world only passes there: thinking is accepted.
    """
    swap = exchanged(kinds)
    world = World(game, replace(setup, wall=tuple([swap(tile) for tile in setup.wall])))
    base, told = _Stream(viewer, eyes), _Stream(viewer, eyes)
    for entry, line in zip(trace, (None, *script_of(trace)), strict=True):
        if line is not None and not _say_in_other_world(world, line, viewer, swap):
            break
        base.add(game, entry)
        for other in world.news():
            told.add(game, other)
    return _first_difference(base, told, kinds)


class _Stream:
    """All events a viewer is sent beside the faces it ought to see; at the pauses what it is asked and answered."""

    def __init__(self, viewer: int, eyes: Eyes) -> None:
        self.viewer, self.eyes = viewer, eyes
        self.sent: list[tuple[ev.Event, ev.Event | None]] = []
        self.asked: dict[int, tuple[tuple[Decision, ...], tuple[str, ...]]] = {}

    def add(self, game: Variant[Any], entry: Entry) -> None:
        """One more entry."""
        before = len(self.sent)
        for event in entry.step.events:
            face = self.eyes.project(event, self.viewer)
            if face is not None:
                self.sent.append((face, project(event, self.viewer)))
        if len(self.sent) > before:
            told = answers(game, entry.step.state, entry.after, self.viewer)
            self.asked[len(self.sent)] = prompt(entry.after, self.viewer), told


def _first_difference(base: _Stream, told: _Stream, kinds: tuple[Tile, Tile]) -> tuple[str | None, int]:
    """Compare two streams event by event until one of the kinds surfaces, and the prompts where both have a pause."""
    for number, ((one, honest), (two, _)) in enumerate(zip(base.sent, told.sent, strict=False), 1):
        if mentions(honest, kinds):
            return None, number - 1
        if one != two:
            return f"event {number}: {one} became {two}", number
        if number in base.asked and number in told.asked and base.asked[number] != told.asked[number]:
            return f"prompt after event {number}: {base.asked[number]} became {told.asked[number]}", number
    return None, min(len(base.sent), len(told.sent))


def _say_in_other_world(world: World, line: Line, viewer: int, swap: Callable[[Tile], Tile]) -> bool:
    """Play a line with its tiles exchanged.

    A seat that is asked in this world only passes first, if that is in the way.
    """
    if line.seat != viewer and line.action is not None:
        tiles = tuple([swap(tile) for tile in line.action.tiles])
        line = Line(line.seat, action(line.action.verb, *sort_tiles(tiles), choice=line.action.choice))
    if world.say(line):
        return True
    for decision in world.entry.after:
        if decision.seat not in (None, viewer) and PASS in decision.options:
            world.say(Line(decision.seat, PASS))
    return world.say(line) or line.action == PASS


def first_seen(trace: list[Entry], viewer: int, kinds: tuple[Tile, ...]) -> dict[Tile, int]:
    """For each kind the number of the first entry that may show it to the viewer; never: the length of the round."""
    found: dict[Tile, int] = {}
    for number, entry in enumerate(trace):
        text = "".join([words(project(event, viewer)) for event in entry.step.events])
        for kind in kinds:
            if kind not in found and kind in text:
                found[kind] = number
    return {kind: found.get(kind, len(trace)) for kind in kinds}


def hidden_melds(trace: list[Entry], viewer: int) -> Iterator[tuple[int, Tile]]:
    """Entry and kind of every meld that others laid face down."""
    for number, entry in enumerate(trace):
        for event in entry.step.events:
            if isinstance(event, ev.MeldMade) and event.face_down and event.seat != viewer:
                yield number, event.tiles[0]


def is_private(step: Step[Any], players: int, eyes: Eyes = HONEST) -> bool:
    """True when nobody but one seat sees anything of the entry."""
    return all(eyes.project(event, SPECTATOR) is None for event in step.events)
