"""The fast rules and the slow oracle agree: patterns, waits, best values, and whole settlements of random positions.

Set MJ_ORACLE_HANDS to play more than the default number (it is split over the tests).
"""

import os
from random import Random
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.shapes.counts import ONE, hand_of
from app.variants.guizhou.calculator import score
from app.variants.guizhou.winning import PATTERN_VALUE, best_of, laid_of, pattern_of, waits_of
from tests.variants.guizhou import offer_oracle, oracle
from tests.variants.guizhou.melds import meld_of
from tests.variants.guizhou.positions import Pool, complete_hand, random_case, spread

HANDS = int(os.environ.get("MJ_ORACLE_HANDS", "2000"))


def test_the_oracle_itself_answers_the_golden_hands(golden: dict[str, Any]) -> None:
    for entry in golden["hands"]:
        hand, tile, expect = oracle.spell(entry["hand"]), entry["tile"], entry["expect"]
        melds = [oracle.spell(meld["tiles"]) for meld in entry["melds"]]
        if tile is None:
            assert oracle.best(hand, melds) == expect["best"], entry["id"]
            assert sorted(oracle.waits(hand, melds)) == sorted(oracle.spell(expect["waits"])), entry["id"]
        else:
            assert oracle.pattern([*hand, tile], tile, melds) == expect["pattern"], entry["id"]


def test_the_oracle_itself_settles_the_golden_cases(golden: dict[str, Any]) -> None:
    for entry in golden["cases"]:
        answer = oracle.settle(entry)
        for key, value in entry["expect"].items():
            assert answer[key] == value, entry["id"]
        assert answer["ready"] == [seat["ready"] for seat in entry["seats"]], entry["id"]


@pytest.mark.parametrize("seed", range(4))
def test_patterns_waits_and_best_values_agree(seed: int) -> None:
    rng = Random(seed)
    seen: set[str] = set()
    for _ in range(HANDS // 4):
        pool = Pool(rng)
        suit = rng.choice(("ps", "p", "s"))
        melds = []
        for _ in range(rng.choice((0, 0, 0, 1, 2, 3, 4))):
            tile, size = rng.choice([k for k in oracle.KINDS if k[1] in suit]), rng.choice((3, 4))
            if pool.take(*[tile] * size):
                melds.append([tile] * size)
        tiles = complete_hand(rng, pool, 4 - len(melds), suit)
        while len(tiles) < 14 - 3 * len(melds):
            tiles.append(pool.any(suit))
        if rng.random() < 0.3:
            pool.copies[tiles.pop()] += 1
            tiles.append(pool.any(suit))
        rng.shuffle(tiles)
        laid = laid_of(tuple([meld_of("pong" if len(m) == 3 else "kong_concealed", m[0]) for m in melds]))
        tile = tiles[-1]
        name = pattern_of(hand_of(tiles), tile, laid)
        assert name == oracle.pattern(tiles, tile, melds), (tiles, melds)
        assert pattern_of(hand_of(tiles), None, laid) == oracle.pattern(tiles, None, melds), (tiles, melds)
        hand = tiles[:-1]
        assert list(waits_of(hand_of(hand), laid)) == oracle.waits(hand, melds), (hand, melds)
        found = best_of(hand_of(hand), laid)
        assert (0 if found is None else PATTERN_VALUE[found[1]]) == oracle.best(hand, melds), (hand, melds)
        seen.add(name or "none")
    assert len(seen) >= 8, f"the hands were too alike to prove anything: {seen}"


@pytest.mark.parametrize("seed", range(4))
def test_settlements_agree_on_random_positions(seed: int) -> None:
    rng = Random(100 + seed)
    compared = 0
    reasons: set[str] = set()
    while compared < HANDS // 8:
        entry = random_case(rng)
        if entry is None:
            continue
        answer = score("cases", entry)
        expected = oracle.settle(entry)
        assert {key: answer[key] for key in expected} == expected, entry
        compared += 1
        components = expected["components"]
        reasons |= {reason for reason, points in components.items() if any(points)}
    assert reasons == {"hand", "bean", "chicken", "bao", "duty", "check"}


@pytest.mark.parametrize("seed", range(2))
def test_offers_agree_in_random_situations(seed: int) -> None:
    """GZ-3.5, GZ-5.1, GZ-7.2, GZ-7.3, GZ-7.8, GZ-10.1, GZ-10.3, GZ-12.8, GZ-12.9: one seat's rights."""
    rng = Random(200 + seed)
    offered: set[str] = set()
    for _ in range(HANDS // 4):
        entry = offer_oracle.random_situation(rng)
        result = score("offers", entry)
        expected = offer_oracle.answer(entry)
        assert {key: result[key] for key in expected} == expected, entry
        offered |= {name for name, open_ in expected["offered"].items() if open_}
    assert offered == set(offer_oracle.ACTIONS) - {"chow"}


def test_random_positions_hold_no_fifth_copy() -> None:
    rng = Random(7)
    entries = [entry for _ in range(50) if (entry := random_case(rng))]
    assert entries
    for entry in entries:
        spare = spread(entry["seats"][0]["hand"])[0]
        entry["seats"][0]["river"] += spare * 4
        with pytest.raises(MalformedInput, match="a fifth copy"):
            score("cases", entry)


def test_a_wait_is_a_tile_that_wins() -> None:
    """GZ-9.1, GZ-11.1: waits and patterns are one thing asked twice."""
    rng = Random(3)
    for _ in range(300):
        pool = Pool(rng)
        hand = hand_of([pool.any("s") for _ in range(13)])
        nothing = laid_of(())
        winning = [k for k in oracle.KINDS if pool.copies[k] and pattern_of(hand + ONE[k], k, nothing)]
        assert [k for k in waits_of(hand, nothing) if pool.copies[k]] == winning
