"""Random hands for tests: whole ones, nearly whole ones, and ones rich in wilds. Never a fifth copy of a tile."""

import random
from collections import Counter

from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import KINDS
from app.variants.tianjin.winning import Draw, wilds_of
from tests.variants.tianjin.oracle import Hand, next_kind


def random_hand(rng: random.Random) -> Hand:
    """A hand of the right size; about two thirds are complete."""
    while True:
        indicator = rng.choice(KINDS)
        melds = rng.choice((0, 0, 0, 0, 1, 1, 2, 3, 4))
        wilds = (indicator, next_kind(indicator))
        tiles = _shaped(rng, 4 - melds)
        for place in rng.sample(range(len(tiles)), rng.choice((0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7)) % len(tiles)):
            tiles[place] = rng.choice(wilds)
        if rng.random() < 0.35:
            tiles[rng.randrange(len(tiles))] = rng.choice(KINDS)
        if max((Counter(tiles) + Counter([indicator])).values()) <= 4:
            kong = melds > 0 and rng.random() < 0.4
            gold = melds > 0 and rng.random() < 0.15 and wilds[1] not in tiles
            heaven = melds == 0 and rng.random() < 0.2
            return Hand(tuple(tiles), rng.choice(tiles), melds, gold, indicator, kong, heaven)


def _shaped(rng: random.Random, sets: int) -> list[str]:
    """`sets` sets and a pair, leaning towards one suit, 龙 and 4m5m6m."""
    tiles: list[str] = []
    suit = rng.choice("mps")
    starts = [(start, suit) for start in (1, 4, 7)] if sets >= 3 and rng.random() < 0.5 else []
    while len(starts) < sets:
        if rng.random() < 0.25:
            starts.append((4, "m"))
        else:
            starts.append((rng.randint(1, 7), suit if rng.random() < 0.6 else rng.choice("mps")))
    for start, run_suit in starts:
        if rng.random() < 0.2:
            tiles += [rng.choice(KINDS)] * 3
        else:
            tiles += [f"{start + step}{run_suit}" for step in range(3)]
    return tiles + [rng.choice(KINDS)] * 2


def draw_of(hand: Hand) -> Draw:
    """The same hand as the variant takes it."""
    return Draw(
        hand_of(hand.tiles), hand.drawn, hand.melds, hand.gold, wilds_of(hand.indicator), hand.after_kong, hand.heaven
    )
