"""Plain dicts and back: every event, face, command and action survives JSON unchanged; nonsense is named."""

import dataclasses
import json
import types
import typing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.kernel import events as ev
from app.kernel.actions import VERB_ORDER, Action, action
from app.kernel.errors import MalformedInput
from app.kernel.play.commands import Abort, Act, Command, TimeOut
from app.kernel.text.notation import (
    EVENT_TYPES,
    plain_action,
    plain_command,
    plain_event,
    read_action,
    read_command,
    read_event,
)
from app.kernel.tiles import KINDS
from app.kernel.views import faces

_tile = st.sampled_from(KINDS)
_texts = st.text("abc_", min_size=1, max_size=8)
_numbers = st.integers(0, 2000)
_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), _numbers, _texts), lambda inner: st.lists(inner, max_size=3).map(tuple)
)
_actions = st.builds(
    lambda verb, tiles, choice: action(verb, *tiles, choice=choice),
    st.sampled_from(VERB_ORDER), st.lists(_tile, max_size=4), st.one_of(st.none(), st.booleans(), _numbers, _texts),
)  # fmt: skip
_by_name: dict[str, st.SearchStrategy[Any]] = {
    "tile": _tile, "taken": _tile, "drawn": _tile, "value": _values, "action": _actions,
    "rules": st.dictionaries(_texts, _values, max_size=3).map(lambda d: tuple(d.items())),
}  # fmt: skip


def _of_type(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type hint as it stands in events.py; tiles are texts of tuples named by their fields."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return st.sampled_from(parts)
    if origin in (types.UnionType, typing.Union):
        return st.one_of([_of_type(part) for part in parts])
    if origin is tuple and len(parts) == 2 and parts[1] is ...:
        inner = _tile if parts[0] is str else _of_type(parts[0])
        return st.lists(inner, max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*[_texts if part is str else _of_type(part) for part in parts])
    if dataclasses.is_dataclass(hint):
        return _of_class(typing.cast(type, hint))
    simple: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(), int: _numbers, str: _texts, type(None): st.none(),
    }  # fmt: skip
    return simple[hint]


def _of_class(cls: type) -> st.SearchStrategy[Any]:
    if cls is Action:
        return _actions
    hints = typing.get_type_hints(cls)
    assert dataclasses.is_dataclass(cls)
    names = [field.name for field in dataclasses.fields(cls)]
    return st.builds(cls, **{name: _of_field(name, hints[name], cls is ev.Reading) for name in names})


def _of_field(name: str, hint: Any, plain: bool) -> st.SearchStrategy[Any]:
    strategy = None if plain else _by_name.get(name)
    if strategy is None:
        return _of_type(hint)
    return st.one_of(st.none(), strategy) if type(None) in typing.get_args(hint) else strategy


@pytest.mark.parametrize("tag", EVENT_TYPES)
def test_every_event_and_each_of_its_faces_survives_json(tag: str) -> None:
    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(_of_class(EVENT_TYPES[tag]))
    def survives(event: Any) -> None:
        _, own, public = faces(event)
        for face in {event, own, public} - {None}:
            plain = json.loads(json.dumps(plain_event(face)))
            assert plain["type"] == tag
            assert read_event(plain) == face

    survives()


def test_every_event_class_has_a_tag() -> None:
    assert set(EVENT_TYPES.values()) == set(typing.get_args(ev.Event))
    assert EVENT_TYPES["tile_drawn"] is ev.TileDrawn and EVENT_TYPES["round_ended"] is ev.RoundEnded


def test_the_plain_form_is_what_clients_and_records_know() -> None:
    assert plain_event(ev.TileDrawn(1, "head", False, 40, "5z")) == {
        "type": "tile_drawn", "seat": 1, "end": "head", "replacement": False, "left": 40, "tile": "5z",
    }  # fmt: skip
    assert plain_event(ev.HandDealt(0, 3, ("1m", "1m", "5z"), "5z"))["tiles"] == "1m1m5z"
    assert "tile" not in plain_event(ev.TileDrawn(1, "head", False, 40))


@given(_actions)
def test_actions_survive_json_as_the_same_object(act: Action) -> None:
    assert read_action(json.loads(json.dumps(plain_action(act)))) is act


@pytest.mark.parametrize(
    "command", [Act(2, "7.2", action("kong", "5m", choice="kong_late")), TimeOut("7.hold"), Abort("vote")]
)
def test_commands_survive_json(command: Command) -> None:
    assert read_command(json.loads(json.dumps(plain_command(command)))) == command


@pytest.mark.parametrize(
    ("plain", "field"),
    [
        ([], "action"), (None, "action"), ({"verb": "steal"}, "action.verb"), ({}, "action.verb"),
        ({"verb": ["win"]}, "action.verb"), ({"verb": "pong", "tiles": 5}, "action.tiles"),
        ({"verb": "pong", "tiles": "1m1m1m1m1m"}, "action.tiles"), ({"verb": "pong", "tiles": "0m"}, "tiles"),
        ({"verb": "pong", "tiles": "1m1"}, "tiles"), ({"verb": "pull", "choice": 1.5}, "action.choice"),
        ({"verb": "pull", "choice": []}, "action.choice"), ({"verb": "pull", "choice": "x" * 21}, "action.choice"),
        ({"verb": "win", "seat": 1}, "action.seat"),
    ],
)  # fmt: skip
def test_nonsense_from_a_client_is_named(plain: object, field: str) -> None:
    with pytest.raises(MalformedInput) as caught:
        read_action(plain)
    assert caught.value.field == field


def test_an_unknown_or_broken_event_is_named() -> None:
    with pytest.raises(MalformedInput, match="tile_eaten"):
        read_event({"type": "tile_eaten"})
    with pytest.raises(MalformedInput, match=r"TileDiscarded\.tile"):
        read_event({"type": "tile_discarded", "seat": 1})
    with pytest.raises(MalformedInput, match="command"):
        read_command({"vote": True})


def test_a_late_kong_says_on_the_wire_which_kind_it_is() -> None:
    """Known from kind and face; the name on the wire and in old records stays, and is read over."""
    made = ev.MeldMade(0, 0, "kong_late", 4, "own", face_down=True, tiles=("1s",) * 4)
    grown = ev.MeldExtended(0, 0, "kong_late", 4, "1s", "laid", ("1s",) * 4)
    assert [plain_event(event).get("late_kind") for event in (made, grown)] == ["concealed", "added"]
    assert list(plain_event(made))[-1] == list(plain_event(grown))[-1] == "late_kind"
    assert [read_event(plain_event(event)) for event in (made, grown)] == [made, grown]
    assert "late_kind" not in plain_event(ev.MeldMade(0, 0, "kong_concealed", 4, "own", face_down=True))
