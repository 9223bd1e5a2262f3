"""A small notation for whole rounds of 天津麻将: a wall of what a test cares about, then seats are told what to do.

    scene = Scene(D="123m…", R="…", draws="5m 7s", indicator="1z")
    scene.play("D 1m / R 1m / O pong / O 9s / R win")

Seats are D, R, O, L from the dealer. A step is a tile (discard), or `win`, `pass`, `pong`, `kong [tile]`,
`extend tile`, `timeout`, `autoplay`. Windows after a discard are closed (claims pass, the hold runs out) unless the
next step claims. Hands may be given in part; the rest of the wall is filled with what is left, kinds that are named
nowhere first.
"""

from collections import Counter

from app.kernel.actions import Action
from app.kernel.commands import Abort, Act, TimeOut
from app.kernel.decisions import Decision
from app.kernel.errors import Rejection
from app.kernel.events import Event
from app.kernel.shapes.counts import tiles_of
from app.kernel.table import SeatTiles, TableState
from app.kernel.tiles import KINDS, Tile, parse_tiles
from app.kernel.variant import Setup
from app.variants.tianjin import VARIANT, wall
from app.variants.tianjin.state import TianjinState

PLACES = "DROL"


class Scene:
    """One round, driven through the real machine."""

    def __init__(
        self, *, indicator: str = "1z", D: str = "", R: str = "", O: str = "", L: str = "", draws: str = "",  # noqa: E741
        tail: str = "", n: int = 5, m: int = 3, dealer: int = 0, sit: bool = False,
        pull: tuple[int, int, int] = (0, 0, 0), rules: dict[str, object] | None = None, last: str = "",
        answered: bool = True,
    ) -> None:  # fmt: skip
        self.dealer = dealer
        self.events: list[Event] = []
        tiles = _wall(indicator, (D, R, O, L), draws, tail, m, last)
        dice = (*_two_dice(n), *_two_dice(m))
        options = VARIANT.parse_rules(rules or {})
        step = VARIANT.start(Setup(options, 4, dealer, tiles, dice, 0, "commitment", "00", ("", "", "", "")))
        self.state: TianjinState = step.state
        self.events += step.events
        self.open = VARIANT.decisions(self.state)
        if answered:
            for place, choice in enumerate((sit, *pull)):
                self.answer(PLACES[place], choice)

    @property
    def table(self) -> TableState:
        return self.state.table

    @property
    def points(self) -> tuple[int, ...]:
        """Net by place D, R, O, L."""
        return tuple(self.table.points[self.seat_of(place)] for place in PLACES)

    def seat_of(self, place: str) -> int:
        return (self.dealer + PLACES.index(place)) % 4

    def seat(self, place: str) -> SeatTiles:
        return self.table.seats[self.seat_of(place)]

    def hand(self, place: str) -> tuple[Tile, ...]:
        hand = self.seat(place).hand
        assert hand is not None
        return tiles_of(hand)

    def decision(self, place: str) -> Decision | None:
        return next((d for d in self.open if d.seat == self.seat_of(place)), None)

    def verbs(self, place: str) -> list[str]:
        """What the seat is offered, as texts such as `pong 5m` or `kong_gold 9s`."""
        asked = self.decision(place)
        return [] if asked is None else [_text(option) for option in asked.options]

    def asked(self) -> str:
        """The places asked now, H for the hold."""
        return "".join("H" if d.seat is None else PLACES[(d.seat - self.dealer) % 4] for d in self.open)

    def send(self, command: Act | TimeOut | Abort) -> tuple[Event, ...]:
        """Post a command that must be accepted; its events."""
        step = VARIANT.decide(self.state, self.open, command)
        assert not isinstance(step, Rejection), (step, command)
        self.state = step.state
        self.events += step.events
        self.open = VARIANT.decisions(self.state)
        return step.events

    def answer(self, place: str, choice: bool | int) -> tuple[Event, ...]:
        """坐庄 or 拉庄 of one seat."""
        asked = self.decision(place)
        assert asked is not None
        wanted = next(o for o in asked.options if o.choice is choice or (type(choice) is int and o.choice == choice))
        return self.send(Act(self.seat_of(place), asked.id, wanted))

    def play(self, script: str) -> "Scene":
        """Steps separated by `/`."""
        for step in script.split("/"):
            place, *words = step.split()
            self._step(place, words)
        return self

    def close(self) -> "Scene":
        """Let the open window pass: no claims, the hold over."""
        while self.state.window is not None:
            self.send(TimeOut(self.open[0].id))
        return self

    def end_hold(self) -> tuple[Event, ...]:
        hold = next(d for d in self.open if d.seat is None)
        return self.send(TimeOut(hold.id))

    def _step(self, place: str, words: list[str]) -> None:
        claims = words[0] in ("pong", "pass") or (words[0] == "kong" and len(words) == 1)
        if self.state.window is not None and not (claims and self.decision(place)):
            self.close()
        asked = self.decision(place)
        assert asked is not None, f"{place} is not asked: {self.asked()}"
        if words[0] == "timeout":
            self.send(TimeOut(asked.id))
            return
        chosen = asked.on_autoplay if words[0] == "autoplay" else _choose(asked.options, words)
        assert chosen is not None
        was_claim = asked.clock == "claim"
        self.send(Act(self.seat_of(place), asked.id, chosen))
        if was_claim and self.state.window is not None and not self.state.window.held:
            self.end_hold()


def _text(option: Action) -> str:
    name = str(option.choice) if option.verb in ("kong", "extend") else option.verb
    return " ".join((name, *option.tiles))


def _choose(options: tuple[Action, ...], words: list[str]) -> Action:
    verb = words[0] if words[0] in ("win", "pass", "pong", "kong", "extend") else "discard"
    tile = words[-1] if words[-1] in KINDS else None
    fitting = [o for o in options if o.verb == verb and (tile is None or o.tiles == (tile,))]
    assert len(fitting) == 1, f"{words} among {[_text(o) for o in options]}"
    return fitting[0]


def _two_dice(total: int) -> tuple[int, int]:
    return (total - 6, 6) if total > 7 else (1, total - 1)


def _wall(indicator: str, hands: tuple[str, ...], draws: str, tail: str, m: int, last: str) -> tuple[Tile, ...]:
    """All 136 tiles with the named ones in their places; `last` are the last live tiles in drawing order."""
    placed: dict[int, Tile] = {wall.indicator_index(m): indicator}
    for place, text in enumerate(hands):
        placed.update(zip(wall.dealt_indices(place), parse_tiles(text), strict=False))
    front = range(wall.FIRST_FRONT, wall.indicator_index(m))
    placed.update(zip(front, parse_tiles(draws.replace(" ", "")), strict=False))
    ending = parse_tiles(last)
    placed.update(zip(front[len(front) - len(ending) :], ending, strict=True))
    placed.update(zip(wall.tail_order(wall.indicator_index(m)), parse_tiles(tail.replace(" ", "")), strict=False))
    counted = Counter(placed.values())
    assert max(counted.values()) <= 4, counted
    rest = [kind for copy in range(1, 5) for kind in KINDS if counted[kind] + copy <= 4]
    rest.sort(key=lambda kind: kind in counted)
    filler = iter(rest)
    return tuple([placed[index] if index in placed else next(filler) for index in range(wall.TILES)])
