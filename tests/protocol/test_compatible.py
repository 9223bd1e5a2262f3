"""v1 only grows: a schema that would break a client of the released one is found, one that only adds is not."""

import copy
import json
from typing import Any

import pytest

from app.cli import schema as command
from app.protocol.v1 import compatible, schema

Json = dict[str, Any]
NOW = schema.json_schema()


def changed(*path: str, to: object = None, drop: object = None) -> Json:
    """The schema of today with one part set, or with `drop` taken out of a list or an object."""
    new = copy.deepcopy(NOW)
    part: Any = new["$defs"]
    for name in path[:-1]:
        part = part[name]
    if drop is None:
        part[path[-1]] = to
    elif isinstance(part[path[-1]], list):
        part[path[-1]].remove(drop)
    else:
        del part[path[-1]][drop]
    return new


def test_todays_schema_keeps_what_the_released_one_promised() -> None:
    assert compatible.breaks(compatible.released(), NOW) == []


def test_the_released_schema_is_all_but_the_texts() -> None:
    assert compatible.breaks(NOW, json.loads(compatible.written_for_release(NOW))) == []


PLANTED = [
    (changed("Line", "properties", drop="target"), "Line.target: is gone"),
    (changed("Line", "required", drop="points"), "Line.points: may be missing now"),
    (changed("Line", "properties", "points", to={"type": ["integer", "null"]}), "Line.points: may be null now"),
    (changed("Line", "properties", "reason", to={"type": "integer"}), "Line.reason: may be integer now"),
    (changed("in.hello", "properties", "id", "maxLength", to=8), "in.hello.id: maxLength is tighter"),
    (changed("Vote", "properties", "yes", to={"type": "string"}), "Vote.yes: no longer takes boolean"),
    (changed("Verb", "enum", drop="pong"), "Verb: no longer says 'pong'"),
    (changed("in.ping", "properties", "kind", to={"const": "pang"}), "in.ping.kind: no longer takes 'ping'"),
    (changed("out.ack", "properties", "kind", to={"const": "ok"}), "out.ack.kind: is not 'ack' now"),
]


@pytest.mark.parametrize(("new", "found"), PLANTED, ids=[found for _, found in PLANTED])
def test_a_planted_break_is_found(new: Json, found: str) -> None:
    assert found in compatible.breaks(NOW, new)


def test_what_is_gone_and_what_is_asked_of_clients_anew_are_breaks() -> None:
    new = copy.deepcopy(NOW)
    del new["$defs"]["out.pong"]
    new["$defs"]["Hello"]["required"].append("language")
    assert compatible.breaks(NOW, new) == ["Hello.language: is required now", "out.pong: is gone"]


def test_kinds_fields_and_codes_may_be_added() -> None:
    new = copy.deepcopy(NOW)
    new["$defs"]["out.cheer"] = new["$defs"]["out.pong"]
    new["$defs"]["Line"]["properties"]["note"] = {"type": "string"}
    new["$defs"]["Hello"]["properties"]["language"] = {"type": "string"}
    new["$defs"]["Verb"]["enum"].append("chair")
    assert compatible.breaks(NOW, new) == []


def test_the_command_names_a_break_and_fails(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`mj schema --check`, as CI runs it."""
    assert command.main(["--check"]) == 0
    old = copy.deepcopy(NOW)
    old["$defs"]["Line"]["properties"]["payer"] = {"type": "integer"}
    (tmp_path / "old.json").write_text(json.dumps(old))
    assert command.main(["--check", "--against", str(tmp_path / "old.json")]) == 1
    assert "v1 only grows: Line.payer: is gone" in capsys.readouterr().err
