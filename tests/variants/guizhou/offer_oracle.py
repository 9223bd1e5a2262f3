"""The second evaluator for what one seat may do: the clauses of the rules page asked one after another.

Works on plain `offers` entries and the slow recognition of `oracle`; shares nothing with `app.variants.guizhou`.
"""

from random import Random
from typing import Any

from tests.variants.guizhou.oracle import KINDS, VALUES, pattern, spell, waits
from tests.variants.guizhou.positions import MELDS, Pool, complete_hand

Entry = dict[str, Any]
ACTIONS = (
    "win", "pong", "kong_exposed", "kong_added", "kong_concealed", "kong_late", "declare_ready", "discard", "chow",
)  # fmt: skip
TURNS = ("draw", "kong_draw", "deal", "after_pong")


def answer(entry: Entry) -> Entry:
    """`offered`, `pattern`, `value`, `heaven`, `earth`, `default` of an entry that gives `kong_tile` and `fourth`."""
    situation, kind = entry["situation"], entry["situation"]["kind"]
    hand = spell(entry["hand"])
    melds = [spell(meld["tiles"]) for meld in entry["melds"]]
    tile = situation.get("tile")
    dealer, fresh = entry["seat"] == entry["dealer"], entry["own_discards"] == 0 and not melds
    earth = fresh and not dealer
    heaven = kind == "deal"
    offered = dict.fromkeys(ACTIONS, False)
    name = None
    default: Entry | None = None
    if kind in ("discard", "kong_added", "kong_late_added"):
        name = pattern([*hand, tile], tile, melds)
        permit = any(meld["kind"] in ("kong_concealed", "kong_added", "kong_late") for meld in entry["melds"])
        free = kind != "discard" or situation["hot"] or situation["from_declared"] or earth
        offered["win"] = name is not None and (name != "ping_hu" or permit or free)
        if kind == "discard" and entry["wall"] > 0 and not entry["declared_ready"]:
            offered["pong"] = hand.count(tile) >= 2
            offered["kong_exposed"] = hand.count(tile) == 3
        default = {"action": "pass"}
    elif kind in TURNS:
        whole = hand if kind == "after_pong" else [*hand, tile]
        if kind != "after_pong":
            name = pattern(whole, None if heaven else tile, melds)
        offered["win"] = name is not None
        offered["discard"] = True
        if not entry["declared_ready"]:
            offered.update(_kongs(entry, whole))
            offered["declare_ready"] = fresh and any(waits(_without(whole, t), melds) for t in set(whole))
        default = {"action": "discard", "tile": tile if kind in ("draw", "kong_draw") else _last(whole)}
    elif kind == "discard_choice":
        offered["discard"] = situation["just_drawn"] or not entry["declared_ready"]
        offered["declare_ready"] = fresh and not entry["declared_ready"] and bool(waits(hand, melds))
        return {"offered": offered, "pattern": None, "value": None, "heaven": None, "earth": None, "default": None}
    shown = name if offered["win"] else None
    return {
        "offered": offered,
        "pattern": shown,
        "value": VALUES[shown] if shown else None,
        "heaven": bool(shown and heaven),
        "earth": bool(shown and earth),
        "default": default,
    }


def _kongs(entry: Entry, whole: list[str]) -> dict[str, bool]:
    asked, fourth = entry["situation"]["kong_tile"], entry["situation"]["fourth"]
    if entry["wall"] == 0:
        return {}
    late = fourth["own_discards_since"] > 0 or fourth["in_hand_at_pong"]
    ponged = any(meld["kind"] == "pong" and spell(meld["tiles"])[0] == asked for meld in entry["melds"])
    if whole.count(asked) == 4:
        return {"kong_late" if late else "kong_concealed": True}
    if ponged and asked in whole:
        return {"kong_late" if late else "kong_added": True}
    return {}


def _without(tiles: list[str], tile: str) -> list[str]:
    rest = list(tiles)
    rest.remove(tile)
    return rest


def _last(tiles: list[str]) -> str:
    return max(tiles, key=KINDS.index)


def random_situation(rng: Random) -> Entry:
    """An `offers` entry of any kind but readiness and claim_answers, rich in hands about to win."""
    pool = Pool(rng)
    kind = rng.choice((
        "discard", "discard", "discard", "kong_added", "kong_late_added", "kong_concealed", "kong_exposed", "draw",
        "draw", "kong_draw", "deal", "after_pong", "discard_choice",
    ))  # fmt: skip
    melds: list[Entry] = []
    suit = rng.choice(("ps", "ps", "p", "s"))
    sizes = (1, 1, 2, 3) if kind == "after_pong" else (0,) if kind == "deal" else (0, 0, 1, 2, 3, 4)
    for place in range(rng.choice(sizes)):
        meld_kind = "pong" if kind == "after_pong" and place == 0 else rng.choice(MELDS)
        tile = rng.choice([k for k in KINDS if k[1] in suit])
        size = 3 if meld_kind == "pong" else 4
        if pool.take(*[tile] * size):
            hidden = meld_kind == "kong_concealed" or (meld_kind == "kong_late" and rng.random() < 0.5)
            meld: Entry = {"kind": meld_kind, "tiles": tile * size, "from": None if hidden else 0}
            if meld_kind == "kong_late":
                meld["late_kind"] = "concealed" if hidden else "added"
            melds.append(meld)
    if kind == "after_pong" and not any(meld["kind"] == "pong" for meld in melds):
        return random_situation(rng)
    tiles = complete_hand(rng, pool, 4 - len(melds), suit)
    while len(tiles) < 14 - 3 * len(melds):
        tiles.append(pool.any(suit))
    for _ in range(rng.choice((0, 0, 1, 2))):
        tiles[rng.randrange(len(tiles))] = pool.any(suit)
    hand, tile = (tiles, None) if kind == "after_pong" else (tiles[:-1], tiles[-1])
    discards = rng.choice((0, 0, 2))
    situation: Entry = {"kind": kind, "tile": tile}
    if kind in TURNS:
        fourth = {"own_discards_since": rng.randrange(discards + 1), "in_hand_at_pong": rng.random() < 0.3}
        fours = [t for t in KINDS if tiles.count(t) == 4 or any(t * 3 == m["tiles"] and t in tiles for m in melds)]
        situation |= {"kong_tile": rng.choice(fours or KINDS), "fourth": fourth}
    elif kind == "discard_choice":
        situation["just_drawn"] = rng.random() < 0.5
    else:
        situation |= {"from": 0, "hot": rng.random() < 0.2, "from_declared": rng.random() < 0.2}
    return {
        "players": 3,
        "dealer": 1 if kind == "deal" else rng.choice((0, 1)),
        "seat": 1,
        "hand": "".join(hand),
        "melds": melds,
        "declared_ready": not melds and discards > 0 and rng.random() < 0.2,
        "own_discards": 0 if kind == "deal" else discards,
        "wall": rng.choice((0, 1, 12)),
        "situation": situation,
    }
