"""The fast evaluator and the slow one, written from the rules text, agree on golden and on random hands.

`ORACLE_HANDS` in the environment sets the number of random hands (default 2,000).
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from app.variants.tangshan.calculator import score
from tests.variants.tangshan import oracle
from tests.variants.tangshan.hands import random_hand

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
HANDS = int(os.environ.get("ORACLE_HANDS", "2000"))
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_both_evaluators_agree_on_random_hands(part: int) -> None:
    """Shape, xi readings, prices and waits (TS-9.1, TS-9.8, TS-11.6)."""
    rng = random.Random(part)
    won = 0
    for _ in range(HANDS // PARTS):
        hand, melds = random_hand(rng)
        tile = rng.choice(hand)
        rest = list(hand)
        rest.remove(tile)
        for by in ("draw", "discard", "rob_xi"):
            entry = {"hand": "".join(rest), "melds": melds, "tile": tile, "by": by, "rules": {"rob_xi": True}}
            points = oracle.price(rest, melds, tile, by)
            assert score("hands", entry) == {"win": points is not None, "points": points}, entry
            won += points is not None
        entry = {"hand": "".join(hand), "melds": melds, "tile": None, "by": "draw", "rules": {}}
        points = oracle.price(hand, melds, None, "draw")
        assert score("hands", entry) == {"win": points is not None, "points": points}, entry
    assert won > HANDS // PARTS // 2, "too few wins among the random hands to compare anything"


@pytest.mark.parametrize("part", range(PARTS))
def test_both_evaluators_agree_on_waits(part: int) -> None:
    """Waits by draw and by claim with their prices, own fourth copies left out (TS-9.8)."""
    rng = random.Random(1000 + part)
    ready = 0
    for _ in range(HANDS // PARTS // 20):
        hand, melds = random_hand(rng)
        hand.pop()
        found = score("hands", {"hand": "".join(hand), "melds": melds, "tile": None, "by": None, "rules": {}})
        assert found == {"waits": oracle.waits(hand, melds)}
        ready += bool(oracle.waits(hand, melds)["draw"])
    assert ready


@pytest.mark.parametrize("part", range(PARTS))
def test_both_evaluators_agree_on_offers(part: int) -> None:
    """Offers to a seat in its turn and on another's tile (TS-2.5, TS-4.5, TS-10.3)."""
    rng = random.Random(2000 + part)
    for _ in range(HANDS // PARTS // 4):
        hand, melds = random_hand(rng)
        drawn = hand.pop()
        wall = rng.choice((0, 1, 30))
        tiles = [drawn]
        own = [*hand, drawn, *(tile for meld in melds for tile in oracle.meld_tiles(meld))]
        near = [tile for tile in hand if own.count(tile) < 4] or [t for t in oracle.EVERY if own.count(t) < 4]
        tiles += rng.sample(near, min(2, len(near)))
        source = rng.choice((1, 2, 3))
        refused: list[str] = []
        steps: list[dict[str, Any]] = []
        wanted: list[list[str]] = []
        for tile in tiles[1:]:
            if own.count(tile) == 4:
                continue
            own.append(tile)
            xi = rng.random() < 0.3 and any(tile in kinds for kinds in oracle.XI_SETS.values())
            steps.append({"do": "xi_add" if xi else "discard", "from": source, "tile": tile, "wall": wall})
            names = oracle.claim_names(hand, melds, tile, refused, source == 3 and not xi, wall, xi)
            wanted.append(names)
            if "win" in names:
                refused.append(tile)
        steps.append({"do": "draw", "tile": drawn, "wall": wall})
        wanted.append(oracle.turn_names([*hand, drawn], melds, wall))
        for step in steps:
            step["answer"] = {"do": "timeout"}
        entry = {
            "players": 4,
            "seat": 0,
            "rules": {"rob_xi": True},
            "hand": "".join(hand),
            "melds": melds,
            "steps": steps,
        }
        assert score("locks", entry) == {"offers": wanted}, entry


@pytest.mark.parametrize("entry", GOLDEN["cases"], ids=lambda entry: entry["id"])
def test_the_slow_evaluator_knows_the_golden_cases(entry: dict[str, Any]) -> None:
    """Both agree with the worked answers, so that agreeing with each other means something."""
    wanted = entry["expect"]
    assert {key: oracle.case_net(entry)[key] for key in wanted} == wanted


@pytest.mark.parametrize("entry", GOLDEN["hands"], ids=lambda entry: entry["id"])
def test_the_slow_evaluator_knows_the_golden_hands(entry: dict[str, Any]) -> None:
    hand, melds = oracle.read(entry["hand"]), entry["melds"]
    if entry["by"] is None:
        assert {"waits": oracle.waits(hand, melds)} == entry["expect"]
    else:
        points = oracle.price(hand, melds, entry["tile"], entry["by"])
        assert {"win": points is not None, "points": points} == entry["expect"]
