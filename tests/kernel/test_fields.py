"""Reading what people wrote: a good value comes back as it is, anything else is refused by the name of its field."""

from collections.abc import Callable
from typing import Any

import pytest

from app.kernel import fields
from app.kernel.errors import MalformedInput
from app.kernel.fields import Given, TileCount

GIVEN: Given = {
    "count": 3, "yes": True, "none": None, "word": "draw", "tile": "5m", "tiles": "12m", "list": [1], "text": "x",
    "object": {"a": 1}, "objects": [{"a": 1}, {}], "mixed": [{}, 7],
}  # fmt: skip


def test_good_values_come_back() -> None:
    assert fields.read(GIVEN, "none") is None and fields.read(GIVEN, "other", default=5) == 5
    assert fields.read_number(GIVEN, "count") == fields.read_number(GIVEN, "count", "", 0, 3) == 3
    assert fields.read_seat(GIVEN, "count", "", 4) == 3
    assert fields.read_flag(GIVEN, "yes") is True and fields.read_flag(GIVEN, "other", default=False) is False
    assert fields.read_word(GIVEN, "word", "", {"draw": 1, "discard": 2}) == "draw"
    assert fields.read_tile(GIVEN, "tile") == "5m" and fields.read_tiles(GIVEN, "tiles") == ("1m", "2m")
    assert fields.read_list(GIVEN, "list") == [1] and fields.read_object(GIVEN, "object") == {"a": 1}
    assert fields.read_objects(GIVEN, "objects") == ({"a": 1}, {}) and fields.read_objects(GIVEN, "other", "", []) == ()


@pytest.mark.parametrize(
    ("read", "field"),
    [
        (lambda: fields.read(GIVEN, "other", "end."), "end.other"),
        (lambda: fields.read_number(GIVEN, "count", "", 4, 9), "count"),
        (lambda: fields.read_number(GIVEN, "yes", "end."), "end.yes"),
        (lambda: fields.read_number(GIVEN, "text"), "text"),
        (lambda: fields.read_seat(GIVEN, "count", "events[2].", 3), "events[2].count"),
        (lambda: fields.read_flag(GIVEN, "count"), "count"),
        (lambda: fields.read_word(GIVEN, "word", "", ("win", "pass")), "word"),
        (lambda: fields.read_word(GIVEN, "list", "", ("win",)), "list"),
        (lambda: fields.read_tile(GIVEN, "tiles", "end."), "end.tiles"),
        (lambda: fields.read_tiles(GIVEN, "text"), "text"),
        (lambda: fields.read_list(GIVEN, "object"), "object"),
        (lambda: fields.read_object(GIVEN, "list"), "list"),
        (lambda: fields.read_objects(GIVEN, "mixed", "end."), "end.mixed[1]"),
        (lambda: fields.as_object(None, "entry"), "entry"),
        (lambda: fields.as_list("x", "entry"), "entry"),
    ],
)  # fmt: skip
def test_anything_else_is_named(read: Callable[[], Any], field: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        read()
    assert caught.value.field == field and caught.value.problem


@pytest.mark.parametrize(
    ("value", "whole"), [(3, True), (0, True), (4, False), (-1, False), (True, False), (1.0, False)]
)
def test_whole_numbers_are_never_true_or_false(value: object, whole: bool) -> None:
    assert fields.is_whole(value, 0, 3) is whole


def test_a_complaint_about_a_part_names_the_whole_path() -> None:
    with pytest.raises(MalformedInput) as caught, fields.within("rules"):
        fields.read_number(GIVEN, "text")
    assert caught.value.field == "rules.text"


def test_a_fifth_copy_is_impossible_wherever_the_first_four_were() -> None:
    count = TileCount()
    count.add(("5m",) * 3, "hand")
    count.add(("5m", "6m"), "melds[0].tiles")
    with pytest.raises(MalformedInput) as caught:
        count.add(("1m", "5m"), "tile")
    assert caught.value.field == "tile" and "5m" in caught.value.problem
