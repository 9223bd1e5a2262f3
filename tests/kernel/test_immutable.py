"""Values compare, hash and are copied by their fields; that nobody sets one is the type checker's business."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.kernel.events import SeatPassed, TileDiscarded, TileLaid


def test_values_are_what_their_fields_are() -> None:
    assert TileDiscarded(1, "5m") == TileDiscarded(1, "5m") != TileDiscarded(2, "5m")
    assert len({TileDiscarded(1, "5m"), TileDiscarded(1, "5m"), TileDiscarded(1, "6m")}) == 2
    assert replace(TileLaid(1, 0, "5m", "kong_added"), tile="6m") == TileLaid(1, 0, "6m", "kong_added")


def test_values_of_two_kinds_are_never_equal() -> None:
    assert SeatPassed(1) != TileDiscarded(1, "5m") and SeatPassed(1) != (1,)


def test_a_value_takes_no_further_fields() -> None:
    with pytest.raises(AttributeError):
        SeatPassed(1).note = "x"  # type: ignore[attr-defined]
