"""Random hands for the comparison of the two evaluators: mostly complete or one tile off, rich in xi sets."""

import random
from collections import Counter
from typing import Any

from tests.variants.tangshan.oracle import EVERY, XI_SETS, meld_tiles

HandEntry = dict[str, Any]


def _group(rng: random.Random) -> list[str]:
    kind = rng.random()
    if kind < 0.35:
        return list(XI_SETS[rng.choice(("ones", "nines", "dragons"))])
    if kind < 0.6:
        return [rng.choice(EVERY)] * 3
    suit, low = rng.choice("mps"), rng.choice((1, 1, 2, 3, 4, 5, 6, 7, 7))
    return [f"{low + step}{suit}" for step in (0, 1, 2)]


def _meld(rng: random.Random) -> dict[str, Any]:
    do = rng.choice(("chow", "pong", "kong_exposed", "cover", "kong_concealed", "xi_light", "xi_light"))
    if do == "chow":
        suit, low = rng.choice("mps"), rng.randint(1, 7)
        return {"do": do, "tiles": f"{low}{low + 1}{low + 2}{suit}"}
    if do == "xi_light":
        return {"do": do, "xi": rng.choice(tuple(XI_SETS))}
    return {"do": do, "tile": rng.choice(EVERY)}


def _melds(rng: random.Random, own: Counter[str]) -> list[dict[str, Any]]:
    """Some fixed sets that fit together, `own` counted up."""
    melds: list[dict[str, Any]] = []
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3, 4, 5))):
        meld = _meld(rng)
        twice = any(m["do"] == "xi_light" and m["xi"] == meld.get("xi") for m in melds)
        if not twice and fits(own, meld_tiles(meld)):
            melds.append(meld)
    sets = len(melds)
    for meld in [m for m in melds if m["do"] == "xi_light" and rng.random() < 0.3]:
        tile = rng.choice(XI_SETS[meld["xi"]])
        if fits(own, [tile]):
            melds.append({"do": "xi_add", "tile": tile})
    tile = rng.choice(EVERY)
    if sets < 5 and rng.random() < 0.25 and fits(own, [tile] * 2):
        melds.append({"do": "pair_claim", "tile": tile})
    return melds


def fits(own: Counter[str], tiles: list[str]) -> bool:
    """Count the tiles in, unless a fifth copy would be among them."""
    more = Counter(tiles)
    if any(own[tile] + copies > 4 for tile, copies in more.items()):
        return False
    own.update(more)
    return True


def random_hand(rng: random.Random) -> tuple[list[str], list[dict[str, Any]]]:
    """A concealed hand of the size of a player to move, complete more often than not, and its melds."""
    while True:
        own: Counter[str] = Counter()
        melds = _melds(rng, own)
        paired = any(meld["do"] == "pair_claim" for meld in melds)
        sets = sum(meld["do"] not in ("pair_claim", "xi_add") for meld in melds)
        groups = [_group(rng) for _ in range(5 - sets)]
        if not paired:
            groups.append([rng.choice(EVERY)] * 2)
        if not all(fits(own, group) for group in groups):
            continue
        hand = [tile for group in groups for tile in group]
        if hand and rng.random() < 0.4:
            _spoil(rng, hand, own)
        rng.shuffle(hand)
        return hand, melds


def _spoil(rng: random.Random, hand: list[str], own: Counter[str]) -> None:
    """Exchange one tile for another: often no win any more."""
    tile = rng.choice(EVERY)
    if own[tile] < 4:
        place = rng.randrange(len(hand))
        own[hand[place]] -= 1
        own[tile] += 1
        hand[place] = tile
