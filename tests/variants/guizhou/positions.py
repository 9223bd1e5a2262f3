"""Random final positions as plain case entries, rich in what is rare: ready hands, melds, several winners, chickens.

Built from a shuffled set of 72 tiles, so no tile exists five times. Used against the oracle only.
"""

from random import Random
from typing import Any

from tests.variants.guizhou.oracle import KINDS, pattern

Entry = dict[str, Any]
MELDS = ("pong", "kong_exposed", "kong_concealed", "kong_added", "kong_late")


class Pool:
    """The tiles not yet used."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.copies = dict.fromkeys(KINDS, 4)

    def take(self, *tiles: str) -> bool:
        """Take the tiles, or leave all of them when one is missing."""
        for place, tile in enumerate(tiles):
            if not self.copies.get(tile):
                for back in tiles[:place]:
                    self.copies[back] += 1
                return False
            self.copies[tile] -= 1
        return True

    def any(self, suit: str) -> str:
        """One random tile that is left, of the suits named if there is one."""
        left = [kind for kind, copies in self.copies.items() for _ in range(copies)]
        wanted = [kind for kind in left if kind[1] in suit]
        tile = self.rng.choice(wanted or left)
        self.copies[tile] -= 1
        return tile


def random_case(rng: Random) -> Entry | None:
    """A settled round, or None when the attempt did not fit."""
    n = rng.choice((2, 3, 4))
    pool = Pool(rng)
    by = rng.choice(("draw", "kong_draw", "discard", "discard", "rob_kong", "exhausted"))
    seats = [_seat(rng, pool, n, place) for place in range(n)]
    wins = _winners(rng, seats, by, pool)
    if wins is None:
        return None
    source = (
        None
        if by in ("draw", "kong_draw", "exhausted")
        else rng.choice([seat for seat in range(n) if seat not in wins["seats"]] or [None])
    )
    if by in ("discard", "rob_kong") and source is None:
        return None
    if by == "rob_kong" and not _robbed_pong(pool, seats[source], wins["tile"], (source + 1) % n):
        return None
    firsts = [first for kind in ("1s", "8p") if (first := _first(rng, pool, seats, kind, n))]
    for seat in seats:
        seat["river"] = "".join([*spread(seat["river"]), *[pool.any("ps") for _ in range(rng.randrange(3))]])
    flip = None if by == "exhausted" or rng.random() < 0.2 else pool.any("ps")
    return {
        "players": n,
        "dealer": rng.randrange(n),
        "rules": random_rules(rng),
        "setup": {"weekday": rng.randint(1, 7)},
        "seats": seats,
        "events": {"first_discards": firsts},
        "flip": flip,
        "end": {"kind": "exhausted"}
        if by == "exhausted"
        else {
            "kind": "win",
            "by": by,
            "from": source,
            "hot": by == "discard" and rng.random() < 0.3,
            "heaven": False,
            "earth": rng.random() < 0.3,
            "winners": [{"seat": seat, "tile": wins["tile"]} for seat in wins["seats"]],
        },
    }


def random_rules(rng: Random) -> Entry:
    """Random house rules: any of the switches, bonuses, a base."""
    switches = (
        "zimo_double", "up_down_chicken", "wugu", "weekday_chicken", "self_chicken", "full_chicken", "bao_chicken",
    )  # fmt: skip
    bonuses = ("tian_ting_bonus", "sha_ting_bonus", "tian_hu_bonus", "di_hu_bonus")
    return {
        **{name: rng.random() < 0.5 for name in switches},
        **{name: rng.choice((0, 10, 10, 25)) for name in bonuses},
        "base": rng.choice((1, 1, 2, 7)),
        "hot_factor": rng.choice((1, 2, 2, 3)),
    }


def spread(text: str) -> list[str]:
    """Text of tiles, each with its suit, into tiles."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def _seat(rng: Random, pool: Pool, n: int, place: int) -> Entry:
    """A seat with 0–4 melds; half of the hands are taken out of a complete one."""
    suit = rng.choice(("ps", "ps", "p", "s"))
    melds: list[Entry] = []
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3, 4))):
        kind, tile = rng.choice(MELDS), rng.choice([k for k in KINDS if k[1] in suit])
        size = 3 if kind == "pong" else 4
        if pool.take(*[tile] * size):
            meld: Entry = {"kind": kind, "tiles": tile * size, "from": rng.choice([s for s in range(n) if s != place])}
            if kind == "kong_late":
                meld["late_kind"] = rng.choice(("concealed", "added"))
            if kind == "kong_concealed" or meld.get("late_kind") == "concealed":
                meld["from"] = None
            melds.append(meld)
    hand = complete_hand(rng, pool, 4 - len(melds), suit)
    if hand:
        spare = hand.pop(rng.randrange(len(hand)))
        pool.copies[spare] += 1
        if rng.random() < 0.4:
            pool.copies[hand.pop()] += 1
    while len(hand) < 13 - 3 * len(melds):
        hand.append(pool.any(suit))
    return {"hand": "".join(hand), "melds": melds, "river": "", "declared_ready": not melds and rng.random() < 0.3}


def complete_hand(rng: Random, pool: Pool, sets: int, suit: str) -> list[str]:
    """Tiles of a complete hand with this number of sets (or seven pairs), or none when tiles ran out."""
    kinds = [kind for kind in KINDS if kind[1] in suit]
    groups: list[list[str]] = []
    if sets == 4 and rng.random() < 0.3:
        groups = [[rng.choice(kinds)] * 2 for _ in range(7)]
    else:
        triplets = rng.choice((0.2, 0.5, 1.0))
        for _ in range(sets):
            if rng.random() < triplets:
                groups.append([rng.choice(kinds)] * 3)
            else:
                rank, of = rng.randint(1, 7), rng.choice(suit)
                groups.append([f"{rank + step}{of}" for step in range(3)])
        groups.append([rng.choice(kinds)] * 2)
    tiles: list[str] = []
    for group in groups:
        if not pool.take(*group):
            for tile in tiles:
                pool.copies[tile] += 1
            return []
        tiles += group
    rng.shuffle(tiles)
    return tiles


def _winners(rng: Random, seats: list[Entry], by: str, pool: Pool) -> Entry | None:
    """Winners on one tile that is still in the pool; None when there is none."""
    if by == "exhausted":
        return {"seats": [], "tile": ""}
    tiles = [tile for tile in KINDS if pool.copies[tile]]
    rng.shuffle(tiles)
    for tile in tiles:
        able = [
            place
            for place, seat in enumerate(seats)
            if pattern([*spread(seat["hand"]), tile], tile, [spread(meld["tiles"]) for meld in seat["melds"]])
        ]
        if able:
            pool.take(tile)
            if by in ("draw", "kong_draw"):
                return {"seats": [rng.choice(able)], "tile": tile}
            return {"seats": able[: max(1, min(len(seats) - 1, len(able)))], "tile": tile}
    return None


def _robbed_pong(pool: Pool, seat: Entry, tile: str, source: int) -> bool:
    """Make the robbed seat's hand fit: three of its tiles are exchanged for a 碰 of the tile."""
    hand = spread(seat["hand"])
    if len(hand) < 4 or not pool.take(tile, tile, tile):
        return False
    for _ in range(3):
        pool.copies[hand.pop()] += 1
    seat["hand"] = "".join(hand)
    seat["declared_ready"] = False
    seat["melds"].append({"kind": "pong", "tiles": tile * 3, "from": source})
    return True


def _first(rng: Random, pool: Pool, seats: list[Entry], kind: str, n: int) -> Entry | None:
    """The first copy of a default kind: unclaimed in a row, claimed, or never discarded."""
    seat = rng.randrange(n)
    fate = rng.choice(("charge", "charge", "duty", "never"))
    if fate == "never":
        return None
    if fate == "duty":
        claimant = rng.choice([other for other in range(n) if other != seat])
        return {"tile": kind, "seat": seat, "claimed_by": [claimant], "claim": "pong"}
    copies = rng.choice((1, 1, 2))
    if not pool.take(*[kind] * copies):
        return None
    seats[seat]["river"] += kind * copies
    return {"tile": kind, "seat": seat, "claimed_by": [], "claim": None}
