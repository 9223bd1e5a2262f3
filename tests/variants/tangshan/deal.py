"""Scripted rounds of 大唐撸麻雀儿: hands and draws in, then the language of `tests.variants.script`.

    game = deal(hands={0: "5m", 1: "55m"}, draws="5m 6p")
    game.play("opening / 0 discard 5m / 1 pong / hold")

A hand may be given in part: the rest is filled with tiles that go with nothing in it. `drawn` is the dealer's 17th
tile. The step `opening` lets every seat pass its opening.
"""

from collections import Counter
from typing import Any

from app.kernel.seats import turn_order
from app.kernel.shapes.counts import size, tiles_of
from app.kernel.tiles import KINDS, Tile, parse_tiles
from app.kernel.variant import Setup
from app.variants.tangshan import VARIANT
from app.variants.tangshan.state import TangshanState
from app.variants.tangshan.xi import CATEGORY
from tests.variants.script import Script

Game = Script[TangshanState]

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
    """A tile's relation to a hand as a number: equal tiles, neighbours, tiles of its xi category."""
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


def deal(**facts: Any) -> Game:
    """Start a round with the facts that `setup_for` takes; the table must be sound after every command."""
    return Script(VARIANT, setup_for(**facts), check_sound)


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
