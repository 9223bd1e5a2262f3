"""A second, slow evaluator of 大唐撸麻雀儿, written from the rules text with other means than the game's code.

Hands are lists of tiles, every partition is tried one tile after the other, prices are the literal tables of the rules
page. It shares nothing with `app.variants` and not even the kernel's hand analysis.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

SUITS = "mps"
EVERY = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
XI_SETS = {
    "ones": ["1m", "1p", "1s"],
    "nines": ["9m", "9p", "9s"],
    "dragons": ["5z", "6z", "7z"],
    "winds": ["1z", "2z", "3z", "4z"],
}
TAKEN = ("chow", "pong", "pair_claim", "kong_exposed")


def read(text: str) -> list[str]:
    """mpsz text as a list of tiles."""
    tiles: list[str] = []
    ranks = ""
    for sign in text:
        if sign.isdigit():
            ranks += sign
        else:
            tiles += [rank + sign for rank in ranks]
            ranks = ""
    return tiles


def partitions(tiles: list[str], pair: bool) -> Iterator[list[tuple[str, ...]]]:
    """All ways to see the tiles as sets, and one pair if `pair` is missing; unlit xi sets included (TS-9.1, TS-9.4)."""
    if not tiles:
        if not pair:
            yield []
        return
    first = tiles[0]
    groups: list[list[str]] = [[first] * 3]
    if first[1] in SUITS and int(first[0]) <= 7:
        groups.append([f"{int(first[0]) + step}{first[1]}" for step in (0, 1, 2)])
    groups += [XI_SETS[xi] for xi in ("ones", "nines", "dragons") if first in XI_SETS[xi]]
    if pair:
        groups.append([first] * 2)
    for group in groups:
        rest = list(tiles)
        try:
            for tile in group:
                rest.remove(tile)
        except ValueError:
            continue
        for others in partitions(rest, pair and len(group) == 3):
            yield [tuple(group), *others]


def unlit(partition: list[tuple[str, ...]], xi: str) -> bool:
    """True when the partition uses an unlit set of the category."""
    return tuple(XI_SETS[xi]) in partition


def fixed(melds: list[dict[str, Any]]) -> tuple[int, bool, bool]:
    """Fixed sets, whether a pair was claimed, whether the hand is closed (TS-2.4, TS-9.6)."""
    kinds = [meld["do"] for meld in melds]
    sets = sum(kind not in ("pair_claim", "xi_add") for kind in kinds)
    return sets, "pair_claim" in kinds, not any(kind in TAKEN for kind in kinds)


def price(hand: list[str], melds: list[dict[str, Any]], tile: str | None, by: str) -> int | None:
    """Points per payer of the hand with `tile`, None when it is no win (TS-11.6, TS-11.7, TS-11.8)."""
    sets, paired, closed = fixed(melds)
    whole = sorted(hand + ([tile] if tile else []), key=EVERY.index)
    if len(whole) != 17 - 3 * sets - 2 * paired:
        return None
    found = list(partitions(whole, not paired))
    if by != "draw":
        found = [p for p in found if not any(unlit(p, xi) for xi in ("ones", "nines", "dragons"))]
    if not found:
        return None
    dear = by == "draw" and any(unlit(p, xi) and tile in XI_SETS[xi] for p in found for xi in ("ones", "dragons"))
    if dear:
        return 52 if closed else 32
    return 40 if closed else 20


def meld_tiles(meld: dict[str, Any]) -> list[str]:
    """All tiles of one entry of `melds`."""
    match meld["do"]:
        case "chow":
            return read(meld["tiles"])
        case "xi_light":
            return XI_SETS[meld["xi"]]
        case "xi_add":
            return [meld["tile"]]
        case "pair_claim":
            return [meld["tile"]] * 2
        case "kong_exposed" | "kong_concealed":
            return [meld["tile"]] * 4
    return [meld["tile"]] * 3


def waits(hand: list[str], melds: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Kinds that complete the hand, by draw and by claim (TS-9.8)."""
    own = Counter(hand)
    for meld in melds:
        own.update(meld_tiles(meld))
    found: dict[str, dict[str, int]] = {"draw": {}, "claim": {}}
    for tile in EVERY:
        if own[tile] == 4:
            continue
        for name, by in (("draw", "draw"), ("claim", "discard")):
            points = price(hand, melds, tile, by)
            if points is not None:
                found[name][tile] = points
    return found


TILE_TABLE = {
    "2-8": {"pong": 1, "cover": 2, "exposed": (4, 2), "concealed": 8, "add": None},
    "9": {"pong": 2, "cover": 4, "exposed": (8, 4), "concealed": 16, "add": 2},
    "1": {"pong": 4, "cover": 8, "exposed": (16, 8), "concealed": 32, "add": 4},
    "dragon": {"pong": 4, "cover": 8, "exposed": (16, 8), "concealed": 32, "add": 4},
    "wind": {"pong": 8, "cover": 16, "exposed": (32, 16), "concealed": 64, "add": 8},
}
"""The literal cells of TS-11.2 and the last column of TS-11.4."""
LIGHT_TABLE = {
    "nines": {"high": 6, "low": 2},
    "ones": {"high": 12, "low": 4},
    "dragons": {"high": 12, "low": 4},
    "winds": {"high": 32, "low": 8},
}


def tile_class(tile: str) -> str:
    """The row of TS-11.2 a tile belongs to."""
    if tile[1] == "z":
        return "wind" if tile[0] in "1234" else "dragon"
    return tile[0] if tile[0] in "19" else "2-8"


def case_net(case: dict[str, Any]) -> dict[str, Any]:
    """`net`, `points_per_payer` and `reason` of an entry of `cases`."""
    players = case["players"]
    scoring = case["rules"].get("scoring", "high")
    net = [0] * players
    melds: list[list[dict[str, Any]]] = [[] for _ in range(players)]
    covers: Counter[tuple[int, str]] = Counter()

    def pay(payer: int, receiver: int, points: int) -> None:
        net[payer] -= points
        net[receiver] += points

    def each(receiver: int, points: int) -> None:
        for payer in range(players):
            if payer != receiver:
                pay(payer, receiver, points)

    for event in case["events"]:
        do, seat = event["do"], event["seat"]
        row = TILE_TABLE[tile_class(event["tile"])] if "tile" in event else {}
        taker = event.get("robbed_by")
        if do == "pong":
            pay(event["from"], seat, row["pong"])
        elif do == "cover":
            covers[seat, event["tile"]] += 1
        elif do == "kong_exposed":
            covers[seat, event["tile"]] -= 1
            for payer in range(players):
                if payer != seat:
                    pay(payer, seat, row["exposed"][payer != event["from"]])
        elif do == "kong_concealed":
            covers[seat, event["tile"]] -= 1
            each(seat, row["concealed"])
        elif do == "xi_light":
            each(seat, LIGHT_TABLE[event["xi"]][scoring])
        elif do == "xi_add" and taker is None:
            each(seat, row["add"])
        elif do == "xi_add" and event["robbed_for"] == "pong":
            pay(seat, taker, row["pong"])
        if do == "xi_add" and taker is not None:
            if event["robbed_for"] == "pong":
                melds[taker].append({"do": "pong", "tile": event["tile"]})
        elif do.startswith("kong"):
            melds[seat] = [m for m in melds[seat] if m != {"do": "cover", "tile": event["tile"]}]
            melds[seat].append({"do": do, "tile": event["tile"]})
        elif do == "cover":
            melds[seat].append({"do": "cover", "tile": event["tile"]})
        else:
            melds[seat].append(event)
    end = case["end"]
    points, reason = None, None
    if end["kind"] == "win":
        seat = end["seat"]
        by = "draw" if end["by"] == "draw" else "claim"
        points = price(read(end["hand"]), melds[seat], end["tile"], by)
        reason = {20: "win_open", 40: "win_closed", 32: "win_xi_open", 52: "win_xi_closed"}[points or 0]
        if by == "draw":
            each(seat, points or 0)
        else:
            pay(end["from"], seat, points or 0)
    for (seat, tile), copies in covers.items():
        each(seat, copies * TILE_TABLE[tile_class(tile)]["cover"])
    return {"net": net, "points_per_payer": points, "reason": reason}


def turn_names(hand: list[str], melds: list[dict[str, Any]], wall: int) -> list[str]:
    """Offers of an own turn after a draw, `tile` already in the hand (TS-2.5, TS-4.1, TS-4.5)."""
    sets, paired, _ = fixed(melds)
    full = sets == 4 and paired
    have = Counter(hand)
    lit = [meld["xi"] for meld in melds if meld["do"] == "xi_light"]
    covered = [meld["tile"] for meld in melds if meld["do"] == "cover"]
    names = set()
    if price(hand, melds, None, "draw") is not None:
        names.add("win")
    for xi, tiles in XI_SETS.items():
        if xi in lit:
            if wall > 0 and any(have[tile] for tile in tiles):
                names.add("xi_add")
        elif all(have[tile] for tile in tiles) and (wall > 0 or xi != "winds") and not full:
            names.add("xi_light")
    if any(copies >= 3 for copies in have.values()) and not full:
        names.add("cover")
    if wall > 0 and any(have[tile] for tile in covered):
        names.add("kong_concealed")
    return sorted(names)


def claim_names(
    hand: list[str], melds: list[dict[str, Any]], tile: str, locked: list[str], previous: bool, wall: int, robbing: bool
) -> list[str]:
    """Offers on another's tile: a discard, or an addition when `robbing` (TS-2.5, TS-7.8).

    `locked`: tiles whose win was refused; `previous`: a discard of the previous seat at a four-player table.
    """
    sets, paired, _ = fixed(melds)
    have = Counter(hand)
    names = set()
    if not any(same_line(tile, refused) for refused in locked) and price(hand, melds, tile, "discard") is not None:
        names.add("win")
    full = sets == 4 and paired
    if have[tile] >= 2 and not full:
        names.add("pong")
    if robbing:
        return sorted(names)
    if wall > 0 and any(meld["do"] == "cover" and meld["tile"] == tile for meld in melds):
        names.add("kong_exposed")
    if previous:
        if have[tile] and not paired and sets != 5:
            names.add("pair_claim")
        if tile[1] != "z" and not full:
            rank = int(tile[0])
            for low in (rank - 2, rank - 1, rank):
                run = [f"{low + step}{tile[1]}" for step in (0, 1, 2)]
                if low >= 1 and low <= 7 and all(have[t] for t in run if t != tile):
                    names.add("chow")
    return sorted(names)


def same_line(one: str, other: str) -> bool:
    """Same suit and rank equal modulo 3; an honour is alone (TS-10.1)."""
    if one[1] == "z" or other[1] == "z":
        return one == other
    return one[1] == other[1] and int(one[0]) % 3 == int(other[0]) % 3
