"""A script notation for rounds: hands and draws in, then one command a line, played by the real machine.

    game = Play(hands={0: "5m", 1: "55m"}, draws="5m 6p")
    game.run(\"\"\"
        opening            every seat passes its opening, all holds end
        0 discard 5m       a seat acts; the action must be offered
        1 pong 5m
        2 timeout          a seat's clock runs out
        hold               the window's hold ends
        quiet              every seat still asked passes, then the hold ends
        abort              the table is dissolved
    \"\"\")

A hand may be given in part: the rest is filled with tiles that go with nothing in it.
`drawn` is the dealer's 17th tile.
"""

from collections import Counter
from typing import Any

from app.kernel import events as ev
from app.kernel.actions import Action, action
from app.kernel.commands import Abort, Act, Command, TimeOut
from app.kernel.decisions import Decision
from app.kernel.errors import Rejection
from app.kernel.seats import turn_order
from app.kernel.shapes.counts import size, tiles_of
from app.kernel.tiles import KINDS, Tile, format_tiles, parse_tiles
from app.kernel.variant import Setup
from app.variants.tangshan import VARIANT
from app.variants.tangshan.state import TangshanState
from app.variants.tangshan.xi import CATEGORY

NEAREST: dict[int, str] = {
    0: "5m",
    1: "555m",
    2: "46m123789p123456s77z",
    3: "46m456789p456789s66z",
}
"""Seat 0 discards 5m: seat 1 holds a triplet of it, seats 2 and 3 wait for it."""
WAITER: dict[int, str] = {0: "44456m66p123456789s", 1: "4m"}
"""Seat 0 waits for 4m, 7m and 6p (conformance B); seat 1 has a 4m to discard."""


def wall_for(
    players: int, dealer: int, hands: dict[int, str], draws: str, last: str = "", drawn: str = ""
) -> tuple[Tile, ...]:
    """A wall that deals these hands, the dealer's 17th tile `drawn`, then these draws, and ends with `last`."""
    given = {seat: list(parse_tiles(hands.get(seat, ""))) for seat in range(players)}
    ahead, end = parse_tiles(draws.replace(" ", "")), parse_tiles(last.replace(" ", ""))
    left = Counter(dict.fromkeys(KINDS, 4))
    for tiles in (*given.values(), ahead, end, parse_tiles(drawn)):
        left.subtract(tiles)
    assert all(copies >= 0 for copies in left.values()), "a fifth copy in the script"
    for seat in sorted(given, key=lambda seat: -len(given[seat])):
        _fill(given[seat], 16 if seat != dealer or drawn else 17, left)
    given[dealer] += parse_tiles(drawn)
    rest = [kind for copy in range(4) for kind in KINDS if left[kind] > copy]
    dealt = [
        tile for at in range(0, 16, 4) for seat in turn_order(dealer, players) for tile in given[seat][at : at + 4]
    ]
    return (*dealt, given[dealer][16], *ahead, *rest, *end)


def _fill(hand: list[Tile], wanted: int, left: Counter[Tile]) -> None:
    """Complete a hand with tiles that go with nothing in it, as long as there are any."""
    assert len(hand) <= wanted, f"{len(hand)} tiles where {wanted} are dealt"
    while len(hand) < wanted:
        tile = min((kind for kind in KINDS if left[kind] > 0), key=lambda kind: _company(kind, hand))
        left[tile] -= 1
        hand.append(tile)


def _company(tile: Tile, hand: list[Tile]) -> tuple[int, int]:
    """How much a tile would have to do with a hand: equal tiles, neighbours, tiles of its xi category."""
    near = [
        other
        for other in hand
        if other == tile or (other[1] == tile[1] != "z" and abs(int(other[0]) - int(tile[0])) <= 2)
    ]
    mates = [other for other in hand if CATEGORY.get(other) == CATEGORY.get(tile, "none") != "none"]
    return 10 * near.count(tile) + len(near) + 2 * len(mates), tile in CATEGORY


def setup_for(
    players: int = 4,
    dealer: int = 0,
    hands: dict[int, str] | None = None,
    draws: str = "",
    last: str = "",
    drawn: str = "",
    rules: dict[str, object] | None = None,
    wall: tuple[Tile, ...] | None = None,
) -> Setup:
    """The outside facts of a scripted round."""
    wall = wall or wall_for(players, dealer, hands or {}, draws, last, drawn)
    checked = VARIANT.parse_rules({"players": players, **(rules or {})})
    return Setup(checked, players, dealer, wall, (), 1_700_000_000_000, "commitment", "5eed", ("",) * players)


class Play:
    """A round being played. `events`: all so far; `entry`: those of the last command."""

    def __init__(self, **facts: Any) -> None:
        step = VARIANT.start(setup_for(**facts))
        self.state: TangshanState = step.state
        self.entry: tuple[ev.Event, ...] = step.events
        self.events: list[ev.Event] = list(step.events)
        self.open: tuple[Decision, ...] = VARIANT.decisions(self.state)

    @property
    def points(self) -> tuple[int, ...]:
        """Points booked so far by seat."""
        return self.state.table.points

    def hand(self, seat: int) -> str:
        """Concealed tiles of a seat as sorted text."""
        return format_tiles(tiles_of(self.state.table.seats[seat].hand or 0))

    def count(self, seat: int) -> int:
        """Number of concealed tiles of a seat."""
        return self.state.table.seats[seat].count

    def melds(self, seat: int) -> list[str]:
        """Melds of a seat as `kind tiles`."""
        return [f"{meld.kind} {format_tiles(meld.tiles)}" for meld in self.state.table.seats[seat].melds]

    def decision(self, seat: int) -> Decision | None:
        """The seat's open decision."""
        return next((decision for decision in self.open if decision.seat == seat), None)

    def offers(self, seat: int) -> list[str]:
        """What the seat may choose, as script words, in the machine's order; discards left out."""
        decision = self.decision(seat)
        options = decision.options if decision else ()
        return [words(option) for option in options if option.verb != "discard"]

    def discards(self, seat: int) -> str:
        """The tiles the seat may discard, as sorted text."""
        decision = self.decision(seat)
        return format_tiles(o.tiles[0] for o in (decision.options if decision else ()) if o.verb == "discard")

    def of(self, kind: type) -> list[Any]:
        """All events of a type so far."""
        return [event for event in self.events if type(event) is kind]

    def send(self, command: Command) -> Rejection | None:
        """Give the machine a command; the table must still be sound after it."""
        step = VARIANT.decide(self.state, self.open, command)
        if isinstance(step, Rejection):
            return step
        self.state, self.entry = step.state, step.events
        self.events.extend(step.events)
        self.open = VARIANT.decisions(self.state)
        check_sound(self.state)
        return None

    def run(self, script: str) -> "Play":
        """Play the lines of a script; every command must be accepted."""
        for line in script.strip().splitlines():
            self._line(line.strip())
        return self

    def _line(self, line: str) -> None:
        match line.split():
            case ["opening"]:
                while self.state.table.phase == "opening":
                    self._quiet()
            case ["quiet"]:
                self._quiet()
            case ["hold"]:
                self._accepted(TimeOut(next(d.id for d in self.open if d.seat is None)))
            case ["abort"]:
                self._accepted(Abort("vote"))
            case [seat, "timeout"]:
                self._accepted(TimeOut(self._asked(int(seat)).id))
            case [seat, *chosen]:
                self._accepted(Act(int(seat), self._asked(int(seat)).id, action_of(" ".join(chosen))))

    def _quiet(self) -> None:
        """Everybody who is asked in the open window passes, and its hold ends."""
        for decision in self.open:
            if decision.seat is not None and decision.clock != "turn":
                self._line(f"{decision.seat} pass")
        if any(decision.seat is None for decision in self.open):
            self._line("hold")

    def _asked(self, seat: int) -> Decision:
        decision = self.decision(seat)
        assert decision is not None, f"seat {seat} is not asked"
        return decision

    def _accepted(self, command: Command) -> None:
        assert self.send(command) is None, f"refused: {command}"


def words(chosen: Action) -> str:
    """An action as script words: `pong 5m`, `chow 345m`, `kong_exposed 5z`, `light winds`, `add 9p`, `pass`."""
    tiles = format_tiles(chosen.tiles)
    match chosen.verb:
        case "light":
            return f"light {chosen.choice}"
        case "kong":
            return f"{chosen.choice} {tiles}"
        case "extend":
            return f"add {tiles}"
    return f"{chosen.verb} {tiles}".strip()


def action_of(text: str) -> Action:
    """Inverse of `words`."""
    match text.split():
        case ["light", xi]:
            return action("light", choice=xi)
        case [("kong_exposed" | "kong_concealed") as kong, tile]:
            return action("kong", tile, choice=kong)
        case ["add", tile]:
            return action("extend", tile, choice="xi_add")
        case [verb, tiles]:
            return action(verb, *parse_tiles(tiles))  # type: ignore[arg-type]
    return action(text)  # type: ignore[arg-type]


def check_sound(state: TangshanState) -> None:
    """Laws that hold after every entry: every tile in one place, hand sizes (TS-2.4), points zero-sum (TS-11.1)."""
    table = state.table
    found = Counter(state.wall[len(state.wall) - table.left :])
    if table.laid is not None:
        found[table.laid.tile] += 1
    for number, seat in enumerate(table.seats):
        assert seat.hand is not None and size(seat.hand) == seat.count
        found.update(tiles_of(seat.hand))
        found.update(seat.row)
        for meld in seat.melds:
            assert len(meld.tiles) == meld.count
            found.update(meld.tiles)
        _check_hand_size(state, number)
    assert found == dict.fromkeys(KINDS, 4)
    assert sum(table.points) == 0


def _check_hand_size(state: TangshanState, seat: int) -> None:
    """16 − 3k − 2j concealed tiles while waiting, one more for the player whose move it is (TS-2.4, TS-2.5)."""
    table = state.table
    melds = [meld.kind for meld in table.seats[seat].melds]
    pairs = melds.count("pair_claim")
    sets = len(melds) - pairs
    waiting = 16 - 3 * sets - 2 * pairs
    assert waiting >= 1, "nothing left to discard (TS-2.5)"
    count = table.seats[seat].count
    if table.phase == "over":
        assert count in (waiting, waiting + 1)
    else:
        opening = table.phase == "opening"
        moves = seat == table.facts.dealer if opening else state.window is None and table.turn == seat
        assert count == waiting + moves
