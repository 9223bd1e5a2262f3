"""Scripted rounds of 贵州捉鸡: hands and draws in, then the language of `tests.variants.script`.

    game = deal(["234567s3456789p 9p", "5566s"], draws="1s 2p", players=2, dealer=0, wugu=True)
    game.play("0 discard 1s / 1 pong / quiet / 1 discard 9p")

Hands may be short: they are filled up with tiles that the test does not name, as is the wall behind `draws`.
"""

from collections import Counter
from random import Random

from app.kernel.tiles import COPIES, parse_tiles
from app.kernel.variant import Setup
from app.variants.guizhou import VARIANT
from app.variants.guizhou.state import GuizhouState
from app.variants.guizhou.winning import TILES
from tests.variants.script import Script

Game = Script[GuizhouState]

MONDAY_MS = 4 * 86_400_000
"""1970-01-05, a Monday, eight in the morning in Shanghai."""


def deal(
    hands: list[str], draws: str = "", players: int = 4, dealer: int = 0, wall: int | None = None,
    at_ms: int = MONDAY_MS, fill: str = "", **rules: object,
) -> Game:  # fmt: skip
    """Start a round in which seat i holds `hands[i]` and the wall goes on with `draws`.

    Short hands are filled from `fill` (tiles wanted there first) and then from the remaining tiles, the same every
    time. `wall`: tiles that remain in the wall after the deal are cut to this many, so that its end is near.
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
    return Script(VARIANT, setup)
