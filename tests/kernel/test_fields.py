"""Reading what people wrote: a good value comes back as it is, anything else is refused by the name of its field."""

from collections.abc import Callable
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.text.fields import CaseReader, Given, TileCount, is_whole, score_by, within

GIVEN: Given = {
    "count": 3, "yes": True, "none": None, "word": "draw", "tile": "5m", "tiles": "12m", "list": [1], "text": "x",
    "object": {"a": 1}, "objects": [{"a": 1}, {}], "mixed": [{}, 7], "groups": ["12m", ""], "rules": {"players": 3},
}  # fmt: skip
ENTRY = CaseReader(GIVEN)
END = CaseReader(GIVEN, "end")


class Dots(CaseReader):
    """A game of dots only."""

    kinds = ("1p", "2p")


def refused(read: Callable[[], Any]) -> MalformedInput:
    with pytest.raises(MalformedInput) as caught:
        read()
    return caught.value


def test_good_values_come_back() -> None:
    assert ENTRY.value("none") is None and ENTRY.value("other", 5) == 5
    assert ENTRY.number("count") == ENTRY.number("count", 0, 3) == ENTRY.seat("count", 4, apart_from=2) == 3
    assert ENTRY.flag("yes") is True and ENTRY.flag("other", default=False) is False
    assert ENTRY.word("word", {"draw": 1, "discard": 2}) == "draw"
    assert ENTRY.tile("tile") == ENTRY.tile_or_none("tile") == "5m" and ENTRY.tile_or_none("none") is None
    assert ENTRY.tiles("tiles") == ("1m", "2m") and ENTRY.tile_groups("groups") == [("1m", "2m"), ()]
    assert ENTRY.items("list") == [1] and ENTRY.items("other", []) == []
    assert ENTRY.part("object").raw == {"a": 1}
    assert [part.raw for part in ENTRY.parts("objects")] == [{"a": 1}, {}] and ENTRY.parts("other", default=[]) == []
    assert ENTRY.given("count") and not ENTRY.given("none") and not ENTRY.given("other")


@pytest.mark.parametrize(
    ("read", "field"),
    [
        (lambda: END.value("other"), "end.other"),
        (lambda: ENTRY.number("count", 4, 9), "count"),
        (lambda: END.number("yes"), "end.yes"),
        (lambda: ENTRY.number("text"), "text"),
        (lambda: CaseReader(GIVEN, "events[2]").seat("count", 3), "events[2].count"),
        (lambda: END.seat("count", 4, apart_from=3), "end.count"),
        (lambda: ENTRY.flag("count"), "count"),
        (lambda: ENTRY.word("word", ("win", "pass")), "word"),
        (lambda: ENTRY.word("list", ("win",)), "list"),
        (lambda: END.tile("tiles"), "end.tiles"),
        (lambda: ENTRY.tiles("text"), "text"),
        (lambda: END.tile_groups("mixed"), "end.mixed[0]"),
        (lambda: Dots(GIVEN).tile("tile"), "tile"),
        (lambda: Dots({"in": [{"hand": "13p"}]}).parts("in")[0].tiles("hand"), "in[0].hand"),
        (lambda: ENTRY.items("object"), "object"),
        (lambda: ENTRY.part("list"), "list"),
        (lambda: END.parts("mixed"), "end.mixed[1]"),
        (lambda: END.absent("none", "word"), "end.word"),
        (lambda: CaseReader(None, "entry"), "entry"),
        (lambda: CaseReader({"a": 1}, "end", ("b",)), "end.a"),
        (lambda: CaseReader({"end": {"a": 1, "b": 2}}).part("end", ("b",)), "end.a"),
        (lambda: CaseReader({"note": ""}, "end", ()), "end.note"),
        (lambda: END.options(dict, players=4), "end.rules.players"),
        (lambda: END.options(lambda raw: CaseReader(raw).number("base")), "end.rules.base"),
    ],
)  # fmt: skip
def test_anything_else_is_named(read: Callable[[], Any], field: str) -> None:
    error = refused(read)
    assert error.field == field and error.problem


def test_labels_stand_in_an_entry_and_answers_anywhere() -> None:
    assert CaseReader({"id": "x", "note": "", "clauses": [], "expect": {}, "hand": ""}, known=("hand",))
    assert CaseReader({"ready": True}, "seats[0]", ())


def test_the_options_are_read_with_the_table_size() -> None:
    assert ENTRY.options(dict, players=3) == {"players": 3}
    assert CaseReader({}).options(dict, players=2, default={}) == {"players": 2}
    assert refused(lambda: CaseReader({}).options(dict)).problem == "missing"


def test_a_list_that_is_not_known_is_named() -> None:
    lists: dict[str, Callable[[Given], dict[str, object]]] = {"hands": dict}
    assert score_by(lists, "hands", {"a": 1}) == {"a": 1}
    error = refused(lambda: score_by(lists, "walls", {}))
    assert error.field == "list" and "walls" in error.problem and "hands" in error.problem


@pytest.mark.parametrize(
    ("value", "whole"), [(3, True), (0, True), (4, False), (-1, False), (True, False), (1.0, False)]
)
def test_whole_numbers_are_never_true_or_false(value: object, whole: bool) -> None:
    assert is_whole(value, 0, 3) is whole


def test_a_complaint_about_a_part_names_the_whole_path() -> None:
    def read() -> None:
        with within("rules"):
            ENTRY.number("text")

    assert refused(read).field == "rules.text"


def test_a_fifth_copy_is_impossible_wherever_the_first_four_were() -> None:
    count = TileCount()
    count.add(("5m",) * 3, "hand")
    count.add(("5m", "6m"), "melds[0].tiles")
    error = refused(lambda: count.add(("1m", "5m"), "tile"))
    assert error.field == "tile" and "5m" in error.problem


def test_all_parts_of_an_entry_share_one_count() -> None:
    entry = CaseReader({"end": {}, "events": [{}]})
    entry.count(("5m",) * 2, "hand")
    entry.part("end").count(("5m",) * 2, "hand")
    error = refused(lambda: entry.parts("events")[0].count(("5m",), "tile"))
    assert error.field == "events[0].tile"
