"""Nothing that was stored can get lost unnoticed: what `mj bench recovery` counts as lost."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.lab.chaos.accounting import Page, lost

FIRST: dict[str, Any] = {"n": 0, "memory": {"ann": ["r1"]}}
READY: dict[str, Any] = {"n": 1, "ref": "r2", "match_events": [{"type": "match_ready", "seat": 0}]}
THROW: dict[str, Any] = {"n": 2, "ref": "r3", "events": [{"type": "tile_discarded", "seat": 0, "tile": "1m"}]}
HOLD: dict[str, Any] = {"n": 3, "events": [{"type": "hold_ended"}]}
DRAW: dict[str, Any] = {"n": 4, "ref": "r4", "events": [{"type": "tile_drawn", "seat": 1}]}
BEFORE = (FIRST, READY, THROW, HOLD)
NEXT_PAGE: dict[str, Any] = {"n": 0, "memory": {"ann": ["r1", "r2", "r3", "r4"]}}


def page(number: int, *entries: dict[str, Any]) -> Page:
    return Page(number, [msgspec.json.encode(entry) for entry in entries])


def test_a_log_that_went_on_has_lost_nothing() -> None:
    assert lost(page(1, *BEFORE), ["r4"], page(1, *BEFORE, DRAW), {}) == 0


def test_a_round_that_is_in_a_record_by_now_is_not_lost() -> None:
    assert lost(page(1, *BEFORE), ["r4"], page(2, NEXT_PAGE), {1: [THROW, HOLD, DRAW]}) == 0


def test_an_act_that_was_acknowledged_and_is_nowhere_is_lost() -> None:
    assert lost(page(1, *BEFORE), ["r4"], page(1, *BEFORE), {}) == 1


def test_an_act_that_is_there_twice_counts_as_well() -> None:
    assert lost(page(1, *BEFORE), ["r4"], page(1, *BEFORE, DRAW, {**DRAW, "n": 5}), {}) == 1


@pytest.mark.parametrize("gone", [2, 3])
def test_an_entry_that_is_missing_in_the_log_is_lost(gone: int) -> None:
    kept = [entry for entry in BEFORE if entry["n"] != gone]
    assert lost(page(1, *BEFORE), [], page(1, *kept), {}) >= 1


def test_an_entry_that_says_something_else_now_is_lost() -> None:
    other = {**THROW, "events": [{"type": "tile_discarded", "seat": 0, "tile": "9m"}]}
    assert lost(page(1, *BEFORE), [], page(1, FIRST, READY, other, HOLD), {}) == 1
    assert lost(page(1, *BEFORE), [], page(2, NEXT_PAGE), {1: [other, HOLD]}) == 1


def test_a_finished_round_that_is_nowhere_is_lost_entry_by_entry() -> None:
    assert lost(page(1, *BEFORE), [], page(2, {"n": 0, "memory": {}}), {}) == 2 + 2


def test_a_log_that_is_empty_has_lost_everything() -> None:
    assert lost(page(1, *BEFORE), [], page(1), {}) == len(BEFORE) + 2
