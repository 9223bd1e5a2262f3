"""Clients' frames: unknown fields, lengths, types, depth; each refused with a code, naming the fault."""

import json
from typing import Any

import pytest

from app.protocol.v1 import client
from app.protocol.v1.client import LOBBY_KINDS, ROOM_KINDS, BadFrame, read_data, read_message

GOOD: dict[str, Any] = {
    "hello": {"ticket": "abc", "last": [1, 2]},
    "act": {"round": 1, "decision": "4.0", "action": {"verb": "discard", "tiles": "5m"}},
    "ready": {"entropy": "x" * 64},
    "unready": {},
    "autoplay": {"on": True},
    "auto_win": {"on": False},
    "dissolve": {},
    "vote": {"yes": True},
    "pause": {},
    "unpause": {},
    "leave": {},
    "seat": {"seat": 3},
    "kick": {"seat": 0},
    "readmit": {"user": "u1"},
    "fill": {},
    "phrase": {"code": "hurry_up"},
    "sync": {},
    "ping": {"t": 1.5},
    "hints": {},
    "why_not": {},
    "watch": {"circle": "abc"},
}


def text(kind: str, data: Any, **more: Any) -> str:
    return json.dumps({"id": "r1", "kind": kind, "data": data, **more})


@pytest.mark.parametrize("kind", sorted({*ROOM_KINDS, *LOBBY_KINDS}))
def test_every_kind_is_read(kind: str) -> None:
    kinds = ROOM_KINDS if kind in ROOM_KINDS else LOBBY_KINDS
    assert isinstance(read_data(read_message(text(kind, GOOD[kind])), kinds), kinds[kind])


@pytest.mark.parametrize("kind", sorted({*ROOM_KINDS, *LOBBY_KINDS}))
def test_an_unknown_field_is_named(kind: str) -> None:
    message = read_message(text(kind, {**GOOD[kind], "__proto__": 1}))
    with pytest.raises(BadFrame, match="__proto__") as bad:
        read_data(message, ROOM_KINDS if kind in ROOM_KINDS else LOBBY_KINDS)
    assert (bad.value.code, bad.value.ref) == ("malformed", "r1")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("hello", {}),
        ("hello", {"ticket": ""}),
        ("hello", {"ticket": "x" * 201}),
        ("hello", {"ticket": "x", "last": [1]}),
        ("hello", {"ticket": "x", "last": [-1, 2]}),
        ("hello", {"ticket": "x", "last": [1, 2**40]}),
        ("act", {"round": "1", "decision": "4.0", "action": {"verb": "pass"}}),
        ("act", {"round": 1, "decision": "4.0" * 20, "action": {"verb": "pass"}}),
        ("act", {"round": 1, "decision": "4.0", "action": {"verb": "pass", "extra": 1}}),
        ("act", {"round": 1, "decision": "4.0", "action": {"verb": "x" * 21}}),
        ("act", {"round": 1, "decision": "4.0", "action": {"verb": "pong", "tiles": "1m1m1m1m1m"}}),
        ("act", {"round": 1, "decision": "4.0", "action": {"verb": "pull", "choice": 10**6}}),
        ("act", {"round": True, "decision": "4.0", "action": {"verb": "pass"}}),
        ("ready", {"entropy": "x" * 65}),
        ("ready", {"entropy": 5}),
        ("autoplay", {"on": 1}),
        ("vote", {}),
        ("seat", {"seat": 4}),
        ("seat", {"seat": -1}),
        ("seat", {"seat": 1.5}),
        ("phrase", {"code": "<script>"}),
        ("phrase", {"code": ""}),
        ("ping", {"t": "soon"}),
        ("watch", {"circle": 5}),
        ("sync", []),
        ("sync", "x"),
        ("sync", None),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_its_ref(kind: str, data: Any) -> None:
    message = read_message(text(kind, data))
    with pytest.raises(BadFrame) as bad:
        read_data(message, ROOM_KINDS if kind in ROOM_KINDS else LOBBY_KINDS)
    assert (bad.value.code, bad.value.ref) == ("malformed", "r1")
    assert bad.value.problem.startswith(kind)


@pytest.mark.parametrize(
    ("frame", "ref"),
    [
        ("", None),
        ("{", None),
        ("[]", None),
        ("null", None),
        ('"text"', None),
        ("{}", None),
        ('{"id": 5, "kind": "sync"}', None),
        ('{"id": "", "kind": "sync"}', None),
        ('{"id": "' + "x" * 41 + '", "kind": "sync"}', None),
        ('{"id": "r1"}', "r1"),
        ('{"id": "r1", "kind": ""}', "r1"),
        ('{"id": "r1", "kind": "sync", "more": 1}', "r1"),
        ('{"id": "r1", "kind": "' + "k" * 21 + '"}', "r1"),
        ('{"id": "r1", "kind": "sync", "data": {}} trailing', None),
        ('{"id": "r1", "id": 7, "kind": "sync"}', None),
        ('{"id": "\\ud800", "kind": "sync"}', None),
        ("[" * 20000, None),
        ('{"a":' * 20000, None),
        ('{"id": "r1", "kind": "sync", "data": ' + "[" * 20000 + "]" * 20000 + "}", None),
    ],
)
def test_a_frame_that_is_no_request_is_malformed(frame: str, ref: str | None) -> None:
    with pytest.raises(BadFrame) as bad:
        read_message(frame)
    assert (bad.value.code, bad.value.ref) == ("malformed", ref)
    assert bad.value.problem


def test_an_unknown_kind_is_told_from_a_malformed_one() -> None:
    for kinds, kind in ((ROOM_KINDS, "watch"), (LOBBY_KINDS, "act"), (ROOM_KINDS, "no_such")):
        with pytest.raises(BadFrame) as bad:
            read_data(read_message(text(kind, {})), kinds)
        assert bad.value.code == "unknown_kind"


def test_every_text_of_a_client_is_bounded() -> None:
    """No field of any model may hold a text, list or number without a bound."""
    import msgspec

    def unbounded(node: Any, path: str) -> list[str]:
        if not isinstance(node, dict):
            return []
        found = []
        kinds = node.get("type")
        if kinds == "string" and "maxLength" not in node and "const" not in node and "enum" not in node:
            found.append(path)
        if kinds == "array" and "maxItems" not in node:
            found.append(path)
        if kinds == "integer" and not {"minimum", "maximum"} <= node.keys():
            found.append(path)
        for name, part in node.get("properties", {}).items():
            found += unbounded(part, f"{path}.{name}")
        for part in node.get("anyOf", []):
            found += unbounded(part, path)
        return found

    models = sorted({*ROOM_KINDS.values(), *LOBBY_KINDS.values(), client.OfferedAction}, key=lambda m: m.__name__)
    _, parts = msgspec.json.schema_components(models)
    assert [path for name, part in parts.items() for path in unbounded(part, name)] == []
