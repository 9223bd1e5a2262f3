"""Input that makes no sense is refused with the name of the field that is wrong; nothing is guessed."""

from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.variants.tangshan.calculator import score
from app.variants.tangshan.rules import parse_rules

CASE: dict[str, Any] = {"players": 4, "dealer": 0, "rules": {}, "events": [], "end": {"kind": "exhausted"}}
WIN: dict[str, Any] = {
    "kind": "win", "seat": 2, "by": "discard", "from": 0, "tile": "6s", "hand": "123456m789p22245s44z"
}  # fmt: skip
HAND: dict[str, Any] = {
    "hand": "123456789m2233p123z", "melds": [], "tile": "4z", "by": "draw", "rules": {}
}  # fmt: skip
LOCK: dict[str, Any] = {
    "players": 4, "seat": 0, "rules": {}, "hand": "44456m66p123456789s", "melds": [],
    "steps": [{"do": "discard", "from": 1, "tile": "4m", "answer": {"do": "pass"}}],
}  # fmt: skip
PONG = {"do": "pong", "seat": 1, "from": 0, "tile": "5m"}
COVER = {"do": "cover", "seat": 1, "tile": "5m"}
LIGHT = {"do": "xi_light", "seat": 1, "xi": "nines", "late": True}


def events(*given: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A case with these events."""
    return {**CASE, "events": list(given), **more}


def end(**changes: Any) -> dict[str, Any]:
    """A case that ends by a win with something changed."""
    return {**CASE, "end": {**WIN, **changes}}


def step(**changes: Any) -> dict[str, Any]:
    """A lock entry with a changed first step."""
    return {**LOCK, "steps": [{**LOCK["steps"][0], **changes}]}


REFUSED = [
    ("cases", {**CASE, "players": 5}, "players"),
    ("cases", {**CASE, "players": True}, "players"),
    ("cases", {key: value for key, value in CASE.items() if key != "players"}, "players"),
    ("cases", {**CASE, "dealer": 4}, "dealer"),
    ("cases", {**CASE, "colour": "red"}, "colour"),
    ("cases", {**CASE, "rules": {"robxi": True}}, "rules.robxi"),
    ("cases", {**CASE, "rules": {"scoring": "middle"}}, "rules.scoring"),
    ("cases", {**CASE, "rules": {"rob_xi": 1}}, "rules.rob_xi"),
    ("cases", {**CASE, "rules": {"players": 3}}, "rules.players"),
    ("cases", {**CASE, "rules": []}, "rules"),
    ("cases", {**CASE, "events": {}}, "events"),
    ("cases", events("pong"), "events[0]"),  # type: ignore[arg-type]
    ("cases", events({**PONG, "do": "punt"}), "events[0].do"),
    ("cases", events({**PONG, "seat": "1"}), "events[0].seat"),
    ("cases", events({**PONG, "from": 1}), "events[0].from"),
    ("cases", events({**PONG, "tile": "5x"}), "events[0].tile"),
    ("cases", events({**PONG, "tile": "55m"}), "events[0].tile"),
    ("cases", events({**PONG, "tiles": "555m"}), "events[0].tiles"),
    ("cases", events(PONG, {**PONG, "seat": 2}), "events[1].tile"),
    ("cases", events(COVER, COVER), "events[1].tile"),
    ("cases", events({"do": "kong_concealed", "seat": 1, "tile": "5m"}), "events[0].tile"),
    ("cases", events(PONG, {"do": "kong_exposed", "seat": 1, "from": 0, "tile": "5m"}), "events[1].tile"),
    ("cases", events({"do": "chow", "seat": 2, "from": 0, "tiles": "345m"}), "events[0].from"),
    ("cases", events({"do": "chow", "seat": 1, "from": 0, "tiles": "346m"}), "events[0].tiles"),
    ("cases", events({"do": "chow", "seat": 1, "from": 0, "tiles": "123z"}), "events[0].tiles"),
    ("cases", events({"do": "chow", "seat": 1, "from": 0, "tiles": "345m"}, players=3), "events[0].do"),
    ("cases", events({"do": "pair_claim", "seat": 1, "from": 0, "tile": "3m"}, players=2), "events[0].do"),
    ("cases", events(*[{"do": "pair_claim", "seat": 1, "from": 0, "tile": t} for t in ("3m", "4m")]), "events[1].do"),
    ("cases", events(LIGHT, LIGHT), "events[1].xi"),
    ("cases", events({**LIGHT, "xi": "eights"}), "events[0].xi"),
    ("cases", events({**LIGHT, "late": "no"}), "events[0].late"),
    ("cases", events(PONG, {**LIGHT, "late": False}), "events[1].late"),
    ("cases", events({"do": "xi_add", "seat": 1, "tile": "9m"}), "events[0].tile"),
    ("cases", events(LIGHT, {"do": "xi_add", "seat": 1, "tile": "8m"}), "events[1].tile"),
    (
        "cases",
        events(LIGHT, {"do": "xi_add", "seat": 1, "tile": "9m", "robbed_by": 2, "robbed_for": "pong"}),
        "events[1].robbed_by",
    ),
    ("cases", events(*[{**COVER, "tile": f"{rank}m"} for rank in range(1, 7)]), "events[5].do"),
    ("cases", {**CASE, "end": {"kind": "draw"}}, "end.kind"),
    ("cases", {**CASE, "end": None}, "end"),
    ("cases", end(hand="123456m789p22245s4z"), "end.hand"),
    ("cases", end(hand="123456m789p22246s44z"), "end.hand"),
    ("cases", end(hand="666645s"), "end.tile"),
    ("cases", end(**{"from": None}), "end.from"),
    ("cases", end(**{"from": 2}), "end.from"),
    ("cases", end(tile=None, hand="123456m789p222456s44z"), "end.tile"),
    ("cases", end(by="rob_xi"), "end.by"),
    ("cases", end(by="draw"), "end.from"),
    ("hands", {**HAND, "hand": "12345678"}, "hand"),
    ("hands", {**HAND, "hand": 5}, "hand"),
    ("hands", {**HAND, "hand": "44444z12345678m123p"}, "hand"),
    ("hands", {**HAND, "hand": "4444z123456789m123p"}, "tile"),
    ("hands", {**HAND, "by": None}, "tile"),
    ("hands", {**HAND, "by": "luck"}, "by"),
    ("hands", {**HAND, "by": "rob_xi"}, "by"),
    ("hands", {**HAND, "by": "discard", "tile": None}, "tile"),
    ("hands", {**HAND, "melds": [{"do": "xi_add", "tile": "9m"}]}, "melds[0].tile"),
    ("hands", {**HAND, "melds": [{"do": "pong", "tile": "1m"}, {"do": "pong", "tile": "1m"}]}, "melds[1].tile"),
    ("hands", {**HAND, "melds": [{"do": "pong", "tile": "1p", "seat": 0}]}, "melds[0].seat"),
    ("locks", {**LOCK, "hand": "44456m66p12345678s"}, "hand"),
    ("locks", {**LOCK, "hand": "44456m66p123456789s1z"}, "hand"),
    ("locks", {**LOCK, "melds": [{"do": "pong", "tile": "1z"}]}, "hand"),
    ("locks", step(do="claim"), "steps[0].do"),
    ("locks", step(do="act"), "steps[0].do"),
    ("locks", step(tile="5z5"), "steps[0].tile"),
    ("locks", step(wall=-1), "steps[0].wall"),
    ("locks", step(taken_by=0), "steps[0].taken_by"),
    ("locks", step(taken_by=1), "steps[0].taken_by"),
    ("locks", step(answer={"do": "chow", "tiles": "456m", "discard": "1s"}), "steps[0].answer.do"),
    ("locks", step(answer={"do": "pong", "discard": "9p"}), "steps[0].answer.discard"),
    ("locks", step(answer={"do": "pong"}), "steps[0].answer.discard"),
    ("locks", step(answer={"do": "discard", "tile": "1s"}), "steps[0].answer.do"),
    ("locks", step(do="xi_add", tile="5m"), "steps[0].tile"),
    ("locks", {**LOCK, "steps": LOCK["steps"] * 2}, "steps[1].tile"),
    ("locks", {**LOCK, "steps": [{**LOCK["steps"][0], "answer": {"do": "win"}}] + LOCK["steps"]}, "steps[1].do"),
    ("walls", {}, "list"),
]


@pytest.mark.parametrize(("name", "entry", "field"), REFUSED)
def test_the_wrong_field_is_named(name: str, entry: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        score(name, entry)
    assert refused.value.field == field


@pytest.mark.parametrize("good", [CASE, {**CASE, "end": WIN}, events(COVER, PONG | {"seat": 2, "tile": "6m"})])
def test_what_is_right_is_accepted(good: dict[str, Any]) -> None:
    """The entries that the refused ones are made of are themselves in order."""
    assert score("cases", good)["net"]


def test_the_sound_hand_and_lock_are_accepted() -> None:
    assert score("hands", HAND) == {"win": False, "points": None}
    assert score("locks", LOCK) == {"offers": [["pong", "win"]]}


def test_every_replacement_must_be_drawn_before_anything_else() -> None:
    """TS-4.3: after a kong the own draw is the next step."""
    kong = {"do": "draw", "tile": "9p", "answer": {"do": "cover", "tile": "2s"}}
    then = {"do": "act", "answer": {"do": "kong_concealed", "tile": "2s"}}
    wrong = {"do": "discard", "from": 2, "tile": "1z", "answer": {"do": "pass"}}
    entry = {**LOCK, "hand": "1358m27p22224799s67z", "steps": [kong, then, wrong]}
    with pytest.raises(MalformedInput) as refused:
        score("locks", entry)
    assert refused.value.field == "steps[2].do"


@pytest.mark.parametrize(
    ("raw", "field"),
    [({"players": 5}, "players"), ({"rounds": 0}, "rounds"), ({"rounds": 65}, "rounds"), ({"speed": 1}, "speed")],
)
def test_options_out_of_range_are_refused_by_name(raw: dict[str, object], field: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        parse_rules(raw)
    assert refused.value.field == field


def test_the_dealers_first_turn_begins_with_seventeen_tiles() -> None:
    """TS-3.4: `act` as the first step is the turn after the deal; sixteen tiles are one too few for it."""
    first = {
        "id": "first",
        "players": 4,
        "seat": 0,
        "rules": {},
        "hand": "1113m24689p333s22677z",
        "melds": [],
        "steps": [
            {"do": "act", "offer": [], "answer": {"do": "cover", "tile": "1m"}},
            {"do": "act", "offer": [], "answer": {"do": "discard", "tile": "3m"}},
        ],
    }
    assert score("locks", first) == {"offers": [["cover"], ["cover"]]}
    with pytest.raises(MalformedInput, match="act"):
        score("locks", {**first, "hand": "1113m24689p333s2267z"})
