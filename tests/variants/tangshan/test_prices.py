"""Every cell of the price tables, through the same calculator that people use."""

import random
import time
from collections import Counter
from typing import Any

import pytest

from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import KINDS, parse_tiles
from app.variants.tangshan.calculator import score
from app.variants.tangshan.rules import META
from app.variants.tangshan.scoring import WIN_POINTS
from app.variants.tangshan.winning import draw_completes_dear_xi, readings
from app.variants.tangshan.xi import LINE, VALUE
from tests.variants.tangshan import oracle
from tests.variants.tangshan.hands import fits

TOTALS = {
    "5m": {"pong": (1, 1, 1), "cover": (2, 4, 6), "kong_exposed": (4, 6, 8), "kong_concealed": (8, 16, 24)},
    "9p": {"pong": (2, 2, 2), "cover": (4, 8, 12), "kong_exposed": (8, 12, 16), "kong_concealed": (16, 32, 48)},
    "1s": {"pong": (4, 4, 4), "cover": (8, 16, 24), "kong_exposed": (16, 24, 32), "kong_concealed": (32, 64, 96)},
    "6z": {"pong": (4, 4, 4), "cover": (8, 16, 24), "kong_exposed": (16, 24, 32), "kong_concealed": (32, 64, 96)},
    "3z": {"pong": (8, 8, 8), "cover": (16, 32, 48), "kong_exposed": (32, 48, 64), "kong_concealed": (64, 128, 192)},
}
"""TS-11.3: what the receiver gets at tables of two, three and four."""


def net_of(players: int, events: list[dict[str, Any]], rules: dict[str, object] | None = None) -> list[int]:
    """Net per seat of an exhausted round with these events."""
    entry = {
        "players": players, "dealer": 0, "rules": rules or {}, "events": events, "end": {"kind": "exhausted"}
    }  # fmt: skip
    net = score("cases", entry)["net"]
    assert isinstance(net, list)
    return net


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("tile", TOTALS)
@pytest.mark.parametrize("kind", ["pong", "cover", "kong_exposed", "kong_concealed"])
def test_receivers_totals_by_tile_class_and_table_size(players: int, tile: str, kind: str) -> None:
    """TS-1.5, TS-11.1, TS-11.2, TS-11.3, TS-6.3, TS-6.6: only the discarder pays a pong, all pay the rest."""
    event = {"do": kind, "seat": 0, "tile": tile, **({"from": 1} if kind in ("pong", "kong_exposed") else {})}
    before = [{"do": "cover", "seat": 0, "tile": tile}] if kind.startswith("kong") else []
    net = net_of(players, [*before, event])
    assert net[0] == TOTALS[tile][kind][players - 2]
    if kind == "kong_exposed" and players > 2:
        assert net[1] == 2 * net[2], "the discarder pays double"


@pytest.mark.parametrize(
    ("xi", "high", "low", "added", "tile"),
    [("nines", 6, 2, 2, "9s"), ("ones", 12, 4, 4, "1p"), ("dragons", 12, 4, 4, "7z"), ("winds", 32, 8, 8, "2z")],
)
@pytest.mark.parametrize("late", [False, True])
def test_prices_of_lighting_and_addition(xi: str, high: int, low: int, added: int, tile: str, late: bool) -> None:
    """TS-11.4, TS-11.5, TS-7.2: the same in the opening and late; an addition costs P in both scorings."""
    light = {"do": "xi_light", "seat": 1, "xi": xi, "late": late}
    add = {"do": "xi_add", "seat": 1, "tile": tile}
    assert net_of(3, [light])[0] == -high and net_of(3, [light], {"scoring": "low"})[0] == -low
    assert net_of(3, [light, add])[2] == -high - added
    assert net_of(3, [light, add], {"scoring": "low"})[2] == -low - added


def test_win_prices() -> None:
    """TS-11.6."""
    assert WIN_POINTS == {"win_open": 20, "win_closed": 40, "win_xi_open": 32, "win_xi_closed": 52}


def test_chow_and_pair_claim_book_nothing() -> None:
    """TS-11.12, and every other reason has a Chinese name."""
    events = [
        {"do": "chow", "seat": 1, "from": 0, "tiles": "345m"},
        {"do": "pair_claim", "seat": 2, "from": 1, "tile": "5z"},
    ]
    assert net_of(4, events) == [0, 0, 0, 0]
    reasons = {"pong", "cover", "kong_exposed", "kong_concealed", "xi_light", "xi_add", "void", *WIN_POINTS}
    assert set(META.reason_names) == reasons


def test_a_void_round_nets_to_nothing_and_keeps_its_lines() -> None:
    """TS-12.4: every line is reversed by an equal line back."""
    entry: dict[str, Any] = {
        "players": 4, "dealer": 0, "rules": {}, "end": {"kind": "void"},
        "events": [
            {"do": "pong", "seat": 1, "from": 0, "tile": "5m"},
            {"do": "cover", "seat": 2, "tile": "3z"},
            {"do": "xi_light", "seat": 3, "xi": "ones", "late": True},
        ],
    }  # fmt: skip
    result = score("cases", entry)
    assert result["net"] == [0, 0, 0, 0] and result["points_per_payer"] is None and result["reason"] is None
    ledger = result["ledger"]
    assert isinstance(ledger, list) and len(ledger) == 8, "one pong line and three of the lighting, each twice"
    assert [line["reason"] for line in ledger].count("void") == 4


@pytest.mark.parametrize(
    ("tile", "line"),
    [("1m", "147m"), ("4m", "147m"), ("8p", "258p"), ("2p", "258p"), ("9s", "369s"), ("3s", "369s")],
)
def test_lines_of_suits(tile: str, line: str) -> None:
    """TS-10.1: same suit, rank equal modulo 3."""
    assert {kind for kind in KINDS if LINE[kind] == LINE[tile]} == set(parse_tiles(line))


@pytest.mark.parametrize("tile", ["1z", "4z", "5z", "7z"])
def test_an_honour_is_its_own_line(tile: str) -> None:
    """TS-10.1."""
    assert [kind for kind in KINDS if LINE[kind] == LINE[tile]] == [tile]


def test_base_values() -> None:
    """TS-1.5."""
    assert [VALUE[tile] for tile in ("1m", "2p", "8s", "9m", "1z", "4z", "5z", "7z")] == [4, 1, 1, 2, 8, 8, 4, 4]


def random_case(rng: random.Random) -> dict[str, Any]:
    """Scoring events that fit together, exhausted."""
    players = rng.choice((2, 3, 4))
    rob = rng.random() < 0.5
    seen: Counter[str] = Counter()
    lit: list[tuple[int, str]] = []
    covers: list[tuple[int, str]] = []
    sets: Counter[int] = Counter()
    events: list[dict[str, Any]] = []
    for _ in range(rng.randint(1, 14)):
        seat = rng.randrange(players)
        other = (seat + rng.randint(1, players - 1)) % players
        tile = rng.choice(oracle.EVERY)
        xi = rng.choice(tuple(oracle.XI_SETS))
        match rng.choice(("pong", "cover", "cover", "kong", "light", "light", "add", "add")):
            case "pong" if sets[seat] < 4 and fits(seen, [tile] * 3):
                events.append({"do": "pong", "seat": seat, "from": other, "tile": tile})
                sets[seat] += 1
            case "cover" if sets[seat] < 4 and fits(seen, [tile] * 3):
                events.append({"do": "cover", "seat": seat, "tile": tile})
                covers.append((seat, tile))
                sets[seat] += 1
            case "light" if sets[seat] < 4 and (seat, xi) not in lit and fits(seen, oracle.XI_SETS[xi]):
                events.append({"do": "xi_light", "seat": seat, "xi": xi, "late": True})
                lit.append((seat, xi))
                sets[seat] += 1
            case "kong" if covers:
                owner, kind = covers.pop(rng.randrange(len(covers)))
                if fits(seen, [kind]):
                    source = (owner + rng.randint(1, players - 1)) % players
                    exposed = {"do": "kong_exposed", "seat": owner, "from": source, "tile": kind}
                    concealed = {"do": "kong_concealed", "seat": owner, "tile": kind}
                    events.append(rng.choice((exposed, concealed)))
            case "add" if lit:
                owner, category = rng.choice(lit)
                added = rng.choice(oracle.XI_SETS[category])
                taker = (owner + rng.randint(1, players - 1)) % players
                event = {"do": "xi_add", "seat": owner, "tile": added}
                if rob and rng.random() < 0.5 and sets[taker] < 4:
                    if fits(seen, [added] * 3):
                        sets[taker] += 1
                        events.append({**event, "robbed_by": taker, "robbed_for": "pong"})
                elif fits(seen, [added]):
                    events.append(event)
    rules = {"scoring": rng.choice(("high", "low")), "rob_xi": rob}
    return {"players": players, "dealer": 0, "rules": rules, "events": events, "end": {"kind": "exhausted"}}


def test_both_evaluators_agree_on_random_settlements() -> None:
    """TS-11.2, TS-12.3 over all table sizes and options; the slow one reads the literal tables."""
    rng = random.Random(4)
    moved = 0
    for _ in range(1500):
        case = random_case(rng)
        net = score("cases", case)["net"]
        assert net == oracle.case_net(case)["net"], case
        moved += any(case_net != 0 for case_net in net)  # type: ignore[attr-defined]
    assert moved > 1000


def test_a_win_check_with_xi_sets_is_fast() -> None:
    """A fresh check of 17 tiles with xi sets stays under 0.5 ms even with cold tables."""
    hand = hand_of(parse_tiles("11m11345678p156799s1s"))
    best = min(_cold_check(hand) for _ in range(20))
    assert best < 0.0005


def _cold_check(hand: int) -> float:
    readings.cache_clear()
    began = time.perf_counter()
    assert draw_completes_dear_xi(hand, False, "1s")
    return time.perf_counter() - began
