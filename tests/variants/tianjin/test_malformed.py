"""Impossible or unreadable entries of the calculator are refused, and the refusal names the field."""

import copy
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.variants.tianjin.calculator import score
from tests.variants.tianjin.test_golden import CASES

HAND = next(entry for entry in CASES["hands"] if entry["id"] == "tj-g02")
WIN = next(entry for entry in CASES["cases"] if entry["id"] == "tj-c-32")
KONGS = next(entry for entry in CASES["cases"] if entry["id"] == "tj-c-24")
HEAVEN = next(entry for entry in CASES["cases"] if entry["id"] == "tj-c-43")
WALL, STEP, CAP = CASES["walls"][0], CASES["ladder"][0], CASES["caps"][0]

BAD: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("hands", HAND, {"indicator": "8z"}, "indicator"),
    ("hands", HAND, {"indicator": "1z2z"}, "indicator"),
    ("hands", HAND, {"indicator": None}, "indicator"),
    ("hands", HAND, {"hand": "123456p789s0z"}, "hand"),
    ("hands", HAND, {"hand": "7777p12345s7z", "drawn": "7p"}, "hand"),
    ("hands", HAND, {"hand": "123456p6789z"}, "hand"),
    ("hands", HAND, {"hand": "123456p7896z"}, "hand"),
    ("hands", HAND, {"hand": "123456p789s6z"}, "hand"),
    ("hands", HAND, {"hand": 7}, "hand"),
    ("hands", HAND, {"drawn": "77z"}, "drawn"),
    ("hands", HAND, {"drawn": None}, "drawn"),
    ("hands", HAND, {"melds": {}}, "melds"),
    ("hands", HAND, {"melds": ["6666z"]}, "melds[0]"),
    ("hands", HAND, {"melds": [{"kind": "chow", "tiles": "123m"}]}, "melds[0].kind"),
    ("hands", HAND, {"melds": [{"kind": ["pong"], "tiles": "666z"}]}, "melds[0].kind"),
    ("hands", HAND, {"melds": [{"kind": "kong_exposed", "tiles": "666z"}]}, "melds[0].tiles"),
    ("hands", HAND, {"melds": [{"kind": "pong", "tiles": "667z"}]}, "melds[0].tiles"),
    ("hands", HAND, {"melds": [{"kind": "kong_concealed", "tiles": "2222z"}]}, "melds[0].tiles"),
    ("hands", HAND, {"melds": [{"kind": "kong_gold", "tiles": "6666z"}]}, "melds[0].tiles"),
    ("hands", HAND, {"melds": [{"kind": "pong", "tiles": "222z"}]}, "melds[0].tiles"),
    ("hands", HAND, {"melds": [{"kind": "kong_gold", "tiles": "1111z"}]}, "melds[0].tiles"),
    ("hands", HAND, {"melds": [{"kind": "pong", "tiles": f"{n}{n}{n}z"} for n in (3, 4, 5, 6, 7)]}, "melds"),
    ("hands", HAND, {"melds": [{"kind": "pong", "tiles": "666z"}]}, "after_kong"),
    ("hands", HAND, {"after_kong": 1}, "after_kong"),
    ("hands", HAND, {"heaven": True}, "heaven"),
    ("hands", HAND, {"heaven": "no"}, "heaven"),
    ("hands", HAND, {"rules": {"kong_bloom": True}}, "rules.kong_bloom"),
    ("hands", HAND, {"rules": {"kong_bloom_plain": 1}}, "rules.kong_bloom_plain"),
    ("hands", HAND, {"rules": {"base": 101}}, "rules.base"),
    ("hands", HAND, {"rules": {"base": True}}, "rules.base"),
    ("hands", HAND, {"rules": {"cap": -1}}, "rules.cap"),
    ("hands", HAND, {"rules": {"rounds": 0}}, "rules.rounds"),
    ("hands", HAND, {"rules": []}, "rules"),
    ("hands", HAND, {"kong": True}, "kong"),
    ("cases", WIN, {"players": 3}, "players"),
    ("cases", WIN, {"players": True}, "players"),
    ("cases", WIN, {"dealer": 4}, "dealer"),
    ("cases", WIN, {"dealer": "0"}, "dealer"),
    ("cases", WIN, {"setup": None}, "setup"),
    ("cases", WIN, {"setup.sit": 1}, "setup.sit"),
    ("cases", WIN, {"setup.pull": [0, 1, 0]}, "setup.pull"),
    ("cases", WIN, {"setup.pull": [0, 3, 0, 0]}, "setup.pull"),
    ("cases", WIN, {"setup.pull": [1, 0, 0, 0]}, "setup.pull"),
    ("cases", WIN, {"setup.pull": [0, True, 0, 0]}, "setup.pull"),
    ("cases", WIN, {"setup.indicator": "6z"}, "events[1].tile"),
    ("cases", WIN, {"setup.dice": 3}, "setup.dice"),
    ("cases", WIN, {"follow": None}, "follow"),
    ("cases", WIN, {"events": {}}, "events"),
    ("cases", WIN, {"end.kind": "draw"}, "end.kind"),
    ("cases", WIN, {"end.kind": ["win"]}, "end.kind"),
    ("cases", WIN, {"end.seat": -1}, "end.seat"),
    ("cases", WIN, {"end.hand": "46m123p789s7z"}, "end.hand"),
    ("cases", WIN, {"end.hand": "46m123p789s777z"}, "end.hand"),
    ("cases", WIN, {"end.hand": "46m123p789s57z"}, "end.hand"),
    ("cases", WIN, {"end.hand": "46m999m123p77z"}, "end.hand"),
    ("cases", WIN, {"end.melds": []}, "end.after_kong"),
    ("cases", WIN, {"end.melds": [{"kind": "kong_concealed", "tiles": "6666z"}]}, "end.melds"),
    ("cases", WIN, {"end.heaven": True}, "end.heaven"),
    ("cases", WIN, {"end.from": 1}, "end.from"),
    ("cases", HEAVEN, {"follow": True}, "end.heaven"),
    ("cases", HEAVEN, {"dealer": 1}, "end.heaven"),
    ("cases", HEAVEN, {"events": [{"do": "kong_concealed", "seat": 1, "tile": "9m", "from": None}]}, "end.heaven"),
    ("cases", KONGS, {"end.seat": 1}, "end.seat"),
    ("cases", KONGS, {"events.0.do": "kong"}, "events[0].do"),
    ("cases", KONGS, {"events.0.seat": None}, "events[0].seat"),
    ("cases", KONGS, {"events.0.from": 0}, "events[0].from"),
    ("cases", KONGS, {"events.0.from": None}, "events[0].from"),
    ("cases", KONGS, {"events.2.from": 1}, "events[2].from"),
    ("cases", KONGS, {"events.1.tile": "1m"}, "events[1].tile"),
    ("cases", KONGS, {"events.3.do": "kong_concealed"}, "events[3].tile"),
    ("cases", KONGS, {"events.3.note": ""}, "events[3].note"),
    ("walls", WALL, {"dice_dealer": 1}, "dice_dealer"),
    ("walls", WALL, {"dice_hun": 13}, "dice_hun"),
    ("walls", WALL, {"dice_hun": None}, "dice_hun"),
    ("ladder", STEP, {"points": 1.5}, "points"),
    ("ladder", STEP, {"points": False}, "points"),
    ("caps", CAP, {"in": [1, 2, 3, 4]}, "in"),
    ("caps", CAP, {"in": [1, -1, 0]}, "in"),
    ("caps", CAP, {"in": "1,-1,0,0"}, "in"),
    ("caps", CAP, {"cap": -1}, "cap"),
    ("caps", CAP, {"cap": 1_000_001}, "cap"),
    ("caps", CAP, {"dealer": 4}, "dealer"),
]


def _changed(entry: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    entry = copy.deepcopy(entry)
    for path, value in change.items():
        *way, last = path.split(".")
        part: Any = entry
        for step in way:
            part = part[int(step)] if isinstance(part, list) else part[step]
        part[last] = value
    return entry


@pytest.mark.parametrize(("name", "entry", "change", "field"), BAD)
def test_a_bad_entry_is_refused_by_the_name_of_its_field(
    name: str, entry: dict[str, Any], change: dict[str, Any], field: str
) -> None:
    with pytest.raises(MalformedInput) as refusal:
        score(name, _changed(entry, change))
    assert refusal.value.field == field


@pytest.mark.parametrize(
    ("name", "entry", "field"),
    [("hands", HAND, "hand"), ("cases", WIN, "end"), ("walls", WALL, "dice_hun"), ("ladder", STEP, "points"),
     ("caps", CAP, "in"), ("cases", WIN, "setup"), ("hands", HAND, "drawn"), ("cases", WIN, "dealer")],
)  # fmt: skip
def test_a_missing_field_is_named(name: str, entry: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedInput) as refusal:
        score(name, {key: value for key, value in entry.items() if key != field})
    assert (refusal.value.field, refusal.value.problem) == (field, "missing")


def test_an_unknown_list_is_named() -> None:
    with pytest.raises(MalformedInput, match="offers"):
        score("offers", {})


@pytest.mark.parametrize("hand", ["123456p", "", "1234567891p789s7z"])
def test_a_hand_with_too_few_or_too_many_tiles_is_simply_no_win(hand: str) -> None:
    assert score("hands", {"indicator": "1z", "hand": hand, "drawn": "7z"}) == {
        "win": False, "fan": 0, "patterns": [],
    }  # fmt: skip


def test_a_settled_hand_has_its_size() -> None:
    with pytest.raises(MalformedInput, match="1 tiles too many"):
        score("cases", _changed(WIN, {"end.hand": "46m123p789s777z"}))
