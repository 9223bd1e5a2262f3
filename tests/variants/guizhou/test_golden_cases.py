"""The worked examples of the rules page: the calculator gives every answer and never reads one."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.variants.guizhou.calculator import score

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
LISTS = ("cases", "hands", "offers")
ENTRIES = [pytest.param(name, entry, id=entry["id"]) for name in LISTS for entry in GOLDEN[name]]
ANSWERS = ("expect", "ready", "pattern", "level", "name", "out", "offer")
OFFERED = {
    "win",
    "pong",
    "kong_exposed",
    "kong_added",
    "kong_concealed",
    "kong_late",
    "declare_ready",
    "discard",
    "chow",
}


def stripped(value: Any) -> Any:
    """The entry without any of its answers."""
    if isinstance(value, dict):
        return {key: stripped(part) for key, part in value.items() if key not in ANSWERS}
    return [stripped(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_calculator_gives_the_worked_answer(name: str, entry: dict[str, Any]) -> None:
    result: Any = score(name, stripped(entry))
    for key, value in entry["expect"].items():
        if key == "offered":
            assert {action: result["offered"][action] for action in value} == value
        else:
            assert result[key] == value, key


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_answers_in_the_entry_change_nothing(name: str, entry: dict[str, Any]) -> None:
    wrong = copy.deepcopy(entry)
    wrong["expect"] = {"net": [1], "win": 7}
    for seat in wrong.get("seats", []):
        seat["ready"] = not seat["ready"]
    assert score(name, wrong) == score(name, entry) == score(name, stripped(entry))


@pytest.mark.parametrize("entry", GOLDEN["cases"], ids=lambda entry: entry["id"])
def test_readiness_patterns_and_ledger_of_a_case(entry: dict[str, Any]) -> None:
    """One bool a seat, one pattern a winner; lines sum up to the net, each with reason and clause (GZ-17.1)."""
    result: dict[str, Any] = score("cases", stripped(entry))
    assert result["ready"] == [seat["ready"] for seat in entry["seats"]]
    assert result["patterns"] == [winner["pattern"] for winner in entry["end"].get("winners", [])]
    net = [0] * entry["players"]
    for line in result["ledger"]:
        assert set(line) == {"reason", "clause", "source", "target", "points"}
        assert line["reason"] in result["components"] and line["clause"].startswith("GZ-")
        assert line["points"] > 0 and line["source"] != line["target"]
        net[line["source"]] -= line["points"]
        net[line["target"]] += line["points"]
    assert net == result["net"]


@pytest.mark.parametrize("entry", GOLDEN["offers"], ids=lambda entry: entry["id"])
def test_an_offers_result_has_every_key(entry: dict[str, Any]) -> None:
    result: dict[str, Any] = score("offers", entry)
    keys = {"offered", "pattern", "value", "heaven", "earth", "default", "ready", "waits", "result"}
    assert set(result) == keys
    assert set(result["offered"]) == OFFERED
    assert all(isinstance(flag, bool) for flag in result["offered"].values())


def changed(name: str, entry_id: str, path: str, value: object) -> Any:
    """A golden entry with the field at `path` (`seats.1.hand`) set, or left out when value is Ellipsis."""
    entry: Any = copy.deepcopy(next(entry for entry in GOLDEN[name] if entry["id"] == entry_id))
    *steps, last = path.split(".")
    part = entry
    for step in steps:
        part = part[int(step)] if step.isdigit() else part[step]
    if value is ...:
        del part[last]
    else:
        part[int(last) if last.isdigit() else last] = value
    return entry


MALFORMED = [
    ("cases", "G01", "players", 5, "players"),
    ("cases", "G01", "players", True, "players"),
    ("cases", "G01", "dealer", 4, "dealer"),
    ("cases", "G01", "rules.chicken", True, "rules.chicken"),
    ("cases", "G01", "rules.wugu", 1, "rules.wugu"),
    ("cases", "G01", "rules.base", 0, "rules.base"),
    ("cases", "G01", "rules.players", 3, "rules.players"),
    ("cases", "G01", "setup.weekday", 8, "setup.weekday"),
    ("cases", "G01", "setup", ..., "setup"),
    ("cases", "G01", "seats", {}, "seats"),
    ("cases", "G01", "seats.3", "x", "seats[3]"),
    ("cases", "G01", "seats.0.hand", "234567s345678p", "seats[0].hand"),
    ("cases", "G01", "seats.0.hand", "234567s345678", "seats[0].hand"),
    ("cases", "G01", "seats.0.hand", "234567s345678p1z", "seats[0].hand"),
    ("cases", "G01", "seats.0.hand", 5, "seats[0].hand"),
    ("cases", "G01", "seats.0.river", "4444s", "seats[0].river"),
    ("cases", "G01", "seats.0.declared_ready", "no", "seats[0].declared_ready"),
    ("cases", "G01", "seats.0.melds", None, "seats[0].melds"),
    ("cases", "G01", "flip", "99p", "flip"),
    ("cases", "G01", "flip", ..., "flip"),
    ("cases", "G01", "end.kind", "draw", "end.kind"),
    ("cases", "G01", "end.by", "gift", "end.by"),
    ("cases", "G01", "end.from", 2, "end.from"),
    ("cases", "G03", "end.from", None, "end.from"),
    ("cases", "G01", "end.hot", True, "end.hot"),
    ("cases", "G03", "end.heaven", True, "end.heaven"),
    ("cases", "G01", "end.winners", [], "end.winners"),
    ("cases", "G01", "end.winners.0.seat", 9, "end.winners[0].seat"),
    ("cases", "G01", "end.winners.0.tile", "1p", "end.winners[0].tile"),
    ("cases", "G03", "end.winners.0.seat", 2, "end.winners[0].seat"),
    ("cases", "G04", "seats.0.melds.0.kind", "chow", "seats[0].melds[0].kind"),
    ("cases", "G04", "seats.0.melds.0.tiles", "444s", "seats[0].melds[0].tiles"),
    ("cases", "G04", "seats.0.melds.0.from", 1, "seats[0].melds[0].from"),
    ("cases", "G05", "seats.0.melds.0.from", 0, "seats[0].melds[0].from"),
    ("cases", "G08", "seats.0.melds.0.late_kind", "early", "seats[0].melds[0].late_kind"),
    ("cases", "G26", "end.from", 1, "end.from"),
    ("cases", "G12", "events.first_discards.0.tile", "2s", "events.first_discards[0].tile"),
    ("cases", "G12", "events.first_discards.0.seat", 1, "events.first_discards[0].seat"),
    ("cases", "G15", "events.first_discards.0.claimed_by", [0], "events.first_discards[0].claimed_by"),
    ("cases", "G15", "events.first_discards.0.claim", None, "events.first_discards[0].claim"),
    ("cases", "G37", "flip", "9p", "flip"),
    ("hands", "H01", "tile", "19p", "tile"),
    ("hands", "H01", "tile", "1z", "tile"),
    ("hands", "H20", "tile", "2s", "tile"),
    ("hands", "H01", "hand", ..., "hand"),
    ("hands", "H02", "melds.0.from", 7, "melds[0].from"),
    ("offers", "L01", "seat", 4, "seat"),
    ("offers", "L01", "wall", -1, "wall"),
    ("offers", "L01", "hand", "567s345678p", "hand"),
    ("offers", "L01", "situation.kind", "party", "situation.kind"),
    ("offers", "L01", "situation.from", 1, "situation.from"),
    ("offers", "L01", "situation.hot", 1, "situation.hot"),
    ("offers", "L08", "situation.from_declared", "no", "situation.from_declared"),
    ("offers", "L01", "situation.from", None, "situation.from"),
    ("offers", "L01", "situation.tile", "4s", "situation.tile"),
    ("offers", "L14", "situation.tile", None, "situation.tile"),
    ("offers", "L25", "wall", "many", "wall"),
    ("offers", "L23", "situation.seen_elsewhere", "99999s", "situation.seen_elsewhere"),
    ("offers", "O09", "dealer", 1, "seat"),
    ("offers", "L25", "situation.responses.0.seat", 0, "situation.responses[0].seat"),
    ("offers", "L25", "situation.responses.0.action", "chow", "situation.responses[0].action"),
    ("offers", "O37", "situation.declined", ["9x"], "situation.declined[0]"),
]


@pytest.mark.parametrize(("name", "entry_id", "path", "value", "field"), MALFORMED)
def test_malformed_input_names_the_field(name: str, entry_id: str, path: str, value: object, field: str) -> None:
    entry = changed(name, entry_id, path, value)
    with pytest.raises(MalformedInput) as caught:
        score(name, entry)
    assert caught.value.field == field


def test_two_pongs_of_one_tile_cannot_meet() -> None:
    """GZ-5.3: 3 + 2 + 1 > 4."""
    entry = changed("offers", "L25", "situation.responses", [{"seat": s, "action": "pong"} for s in (1, 2)])
    with pytest.raises(MalformedInput, match="cannot both hold"):
        score("offers", entry)


def test_an_unknown_list_is_refused() -> None:
    with pytest.raises(MalformedInput, match="no such list"):
        score("walls", {})


def test_a_hand_with_too_few_tiles_is_simply_no_win() -> None:
    assert score("hands", {"hand": "123s", "melds": [], "tile": "4s"})["win"] is False
    assert score("hands", {"hand": "123s", "melds": [], "tile": None})["ready"] is False


def test_what_a_situation_does_not_ask_for_may_be_null_or_left_out() -> None:
    """An own tile comes from nobody; after 碰 and for readiness there is no tile."""
    drawn = changed("offers", "L14", "situation.from", None)
    assert score("offers", drawn) == score("offers", changed("offers", "L14", "note", ""))
    for entry_id in ("O42", "L22"):
        plain: Any = changed("offers", entry_id, "situation.tile", None)
        del plain["situation"]["tile"]
        assert score("offers", plain) == score("offers", changed("offers", entry_id, "note", ""))


def test_a_kong_question_without_its_history_is_answered_from_the_turn() -> None:
    """GZ-7.2: a drawn fourth is in time; one held before an own discard is late; without a discard it is in time."""
    for entry_id, kong in (
        ("L18b", "kong_late"),
        ("L18a", "kong_concealed"),
        ("L17", "kong_added"),
        ("L15a", "kong_late"),
    ):
        result: Any = score("offers", changed("offers", entry_id, "situation.fourth", ...))
        assert result["offered"][kong] is True, entry_id
