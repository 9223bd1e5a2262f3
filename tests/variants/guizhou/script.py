"""A small notation that drives the real machine through a round that was set up tile by tile.

    game = deal(["234567s3456789p 9p", "5566s"], draws="1s 2p", players=2, dealer=0, wugu=True)
    game.play("0:-1s 1:pong 1:-9p .")

Hands may be short: they are filled up with tiles that the test does not name, as is the wall behind `draws`.
Steps of `play`, each `SEAT:WHAT`:

    -9p       discard            pong      碰                      add 5s    fourth tile onto a 碰
    !9p       discard, 报听      kong      点豆                    win       own or another's tile
    kong 5s   闷豆 or 憨包豆     pass      decline                 .         (no seat) all others pass, hold ends

Before a step of the own turn the open window is settled. A step that is not offered fails the test.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.commands import Act, Command, TimeOut
from app.kernel.decisions import Decision
from app.kernel.errors import Rejection
from app.kernel.events import Event
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, Tile, parse_tiles
from app.kernel.variant import Setup
from app.variants.guizhou import VARIANT
from app.variants.guizhou.state import GuizhouState
from app.variants.guizhou.winning import TILES

MONDAY_MS = 4 * 86_400_000
"""1970-01-05, a Monday, eight in the morning in Shanghai."""

_STEP = re.compile(r"(\d):(kong \d[ps]|add \d[ps]|[-!]\d[ps]|pong|kong|win|pass)|\.")
_OWN_TURN = re.compile(r"kong \d[ps]|add \d[ps]|[-!]\d[ps]")


@dataclass
class Game:
    """A round in play: the state, all events so far, and where each step's events began."""

    state: GuizhouState
    events: list[Event]
    entries: list[tuple[Event, ...]] = field(default_factory=list)

    @property
    def table(self) -> TableState:
        """The whole table."""
        return self.state.table

    @property
    def open(self) -> tuple[Decision, ...]:
        """Open decisions, the hold included."""
        return VARIANT.decisions(self.state)

    def play(self, script: str) -> "Game":
        """Play the steps of `script`."""
        end = 0
        for step in _STEP.finditer(script):
            assert not script[end : step.start()].strip(), f"not understood: {script[end : step.start()]!r}"
            end = step.end()
            if step[0] == ".":
                self.settle()
            else:
                self._step(int(step[1]), step[2])
        assert not script[end:].strip(), f"not understood: {script[end:]!r}"
        return self

    def settle(self) -> None:
        """Everybody still asked in the window passes, and its hold ends."""
        while self.state.window is not None:
            decision = self.open[0]
            self.send(TimeOut(decision.id) if decision.seat is None else Act(decision.seat, decision.id, PASS))

    def send(self, command: Command) -> None:
        """One command, which must be accepted."""
        step = VARIANT.decide(self.state, self.open, command)
        assert not isinstance(step, Rejection), f"{command} refused: {step.code}"
        self.state = step.state
        self.events += step.events
        self.entries.append(step.events)

    def decision(self, seat: int) -> Decision:
        """What `seat` is asked now. Fails when it is not asked."""
        found = [decision for decision in self.open if decision.seat == seat]
        assert found, f"seat {seat} is not asked"
        return found[0]

    def offers(self, seat: int) -> set[str]:
        """Names of all that `seat` may do now but discard and pass: win, pong, kong_late, declare_ready…"""
        options = [decision.options for decision in self.open if decision.seat == seat]
        named = {str(option.choice or option.verb) for group in options for option in group}
        return named - {"discard", "pass"}

    def discards(self, seat: int) -> set[Tile]:
        """Tiles that `seat` may discard now."""
        return {option.tiles[0] for option in self.decision(seat).options if option.verb == "discard"}

    def time_out(self, seat: int) -> None:
        """The clock of the seat's decision runs out."""
        self.send(TimeOut(self.decision(seat).id))

    def last(self, kind: type) -> Any:
        """The latest event of a type."""
        return [event for event in self.events if type(event) is kind][-1]

    def all(self, kind: type) -> list[Any]:
        """All events of a type."""
        return [event for event in self.events if type(event) is kind]

    def component(self, reason: str) -> list[int]:
        """Points by seat that moved for one reason."""
        points = [0] * self.table.facts.players
        for line in self.table.lines:
            if line.reason == reason:
                points[line.source] -= line.points
                points[line.target] += line.points
        return points

    def _step(self, seat: int, what: str) -> None:
        if _OWN_TURN.fullmatch(what) or (what == "win" and self.state.table.turn == seat):
            self.settle()
        decision = self.decision(seat)
        chosen = self._chosen(decision, what)
        assert chosen in decision.options, f"seat {seat} is not offered {what}: {decision.options}"
        self.send(Act(seat, decision.id, chosen))

    def _chosen(self, decision: Decision, what: str) -> Action:
        if what in ("win", "pass"):
            return WIN if what == "win" else PASS
        if what in ("pong", "kong"):
            assert self.state.window is not None and self.state.window.tile is not None
            tile = self.state.window.tile
            return action("pong", tile) if what == "pong" else action("kong", tile, choice="kong_exposed")
        if what[0] in "-!":
            return action("discard", what[1:], choice="declare_ready" if what[0] == "!" else None)
        verb = "kong" if what.startswith("kong") else "extend"
        return next(o for o in decision.options if o.verb == verb and o.tiles == (what[-2:],))


def deal(
    hands: list[str], draws: str = "", players: int = 4, dealer: int = 0, wall: int | None = None,
    at_ms: int = MONDAY_MS, fill: str = "", **rules: object,
) -> Game:  # fmt: skip
    """Start a round in which seat i holds `hands[i]` and the wall goes on with `draws`.

    Short hands are filled from `fill` (tiles wanted there first) and then from whatever is left, the same every time.
    `wall`: tiles that remain in the wall after the deal are cut to this many, so that its end is near.
    """
    given = [list(parse_tiles(text.replace(" ", ""))) for text in [*hands, *[""] * (players - len(hands))]]
    front = list(parse_tiles(draws.replace(" ", "")))
    left = Counter(dict.fromkeys(TILES, COPIES))
    left.subtract(tile for group in (*given, front) for tile in group)
    assert min(left.values()) >= 0, f"a fifth copy: {left}"
    rest = list(left.elements())
    Random(len(rest)).shuffle(rest)
    for tile in parse_tiles(fill.replace(" ", "")):
        rest.remove(tile)
        rest.append(tile)
    for seat, hand in enumerate(given):
        while len(hand) < 13 + (seat == dealer):
            hand.append(rest.pop())
        assert len(hand) == 13 + (seat == dealer), f"hand {seat} has {len(hand)} tiles"
    order = [(dealer + step) % players for step in range(players)]
    tiles = [tile for seat in order for tile in given[seat][:13]] + [given[dealer][13], *front, *rest]
    if wall is not None:
        tiles = tiles[: 13 * players + 1 + wall]
    raw = {"players": players, **rules}
    setup = Setup(
        VARIANT.parse_rules(raw), players, dealer, tuple(tiles), (), at_ms, "commitment", "00", ("",) * players
    )
    step = VARIANT.start(setup)
    return Game(step.state, list(step.events), [step.events])
