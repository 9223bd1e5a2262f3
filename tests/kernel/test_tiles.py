"""Tiles as mpsz text: order, reading, writing, and the message about a wrong text."""

import random

import pytest

from app.kernel.errors import MalformedInput
from app.kernel.tiles import KINDS, ORDER, format_tiles, parse_tile, parse_tiles, sort_tiles


def test_there_are_34_kinds_in_the_order_m_p_s_z() -> None:
    assert len(KINDS) == len(set(KINDS)) == 34
    assert KINDS[0] == "1m" and KINDS[9] == "1p" and KINDS[18] == "1s" and KINDS[27:] == (
        "1z", "2z", "3z", "4z", "5z", "6z", "7z",
    )  # fmt: skip
    assert [ORDER[kind] for kind in KINDS] == list(range(34))


def test_writing_and_reading_give_the_same_tiles() -> None:
    rng = random.Random(1)
    for _ in range(300):
        tiles = tuple(rng.choices(KINDS, k=rng.randint(0, 17)))
        assert parse_tiles(format_tiles(tiles)) == sort_tiles(tiles)


def test_text_keeps_the_order_written() -> None:
    assert parse_tiles("31m5z2m") == ("3m", "1m", "5z", "2m")
    assert format_tiles(["2m", "1m", "1z", "1p"]) == "12m1p1z"


@pytest.mark.parametrize(
    ("text", "told"),
    [("m", "suit 'm'"), ("12", "rank '1'"), ("8z", "'8z'"), ("0m", "'0m'"), ("1x", "rank"), (5, "int"), (None, "None")],
)
def test_a_wrong_text_is_named_with_its_field(text: object, told: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        parse_tiles(text, "cases[3].hand")
    assert caught.value.field == "cases[3].hand"
    assert told in caught.value.problem


@pytest.mark.parametrize("text", ["", "12m"])
def test_one_tile_means_one(text: str) -> None:
    with pytest.raises(MalformedInput, match="one tile"):
        parse_tile(text)
