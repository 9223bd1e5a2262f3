"""The committed schema is the one that the models say, and real frames keep to it."""

import json
from pathlib import Path

import jsonschema
import pytest

from app.protocol.v1 import client, codec, errors, schema, server

CHANGES = (schema.HERE / "CHANGES.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(schema.files()))
def test_the_committed_file_is_current(name: str) -> None:
    written = (Path(schema.HERE) / name).read_text("utf-8")
    assert written == schema.files()[name], "run: python -m app.protocol.v1.schema, and note the change in CHANGES.md"


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema.json_schema())


def test_every_reference_of_asyncapi_leads_somewhere() -> None:
    document, defs = schema.asyncapi(), schema.json_schema()["$defs"]
    for message in document["components"]["messages"].values():
        assert message["payload"]["$ref"].removeprefix("schema.json#/$defs/") in defs
    for channel in document["channels"].values():
        for reference in channel["messages"].values():
            assert reference["$ref"].rpartition("/")[2] in document["components"]["messages"]


def test_every_kind_stands_in_the_list_of_changes() -> None:
    for kind in (*client.ROOM_KINDS, *client.LOBBY_KINDS):
        assert kind in CHANGES


def test_error_codes_are_never_renamed() -> None:
    """Clients translate codes: this list only grows."""
    assert {
        "malformed", "unknown_kind", "too_large", "not_text", "bad_ticket", "expired_ticket", "no_hello", "closed",
        "not_offered", "round_over", "not_seated", "not_host", "not_now", "seat_taken",
        "room_full", "no_such_room", "room_closed", "not_allowed", "rate_limited", "busy", "frozen", "moved", "saving",
        "internal", "not_signed_in", "wrong_password", "name_taken", "not_found", "invalid", "conflict", "banned",
        "gone", "too_many_tables", "forbidden", "blocked_word",
    } <= {code.value for code in errors.ErrorCode}  # fmt: skip
    assert {int(code) for code in errors.CloseCode} == {*range(4000, 4010), 1012} - {4006}
    assert set(errors.RECONNECT) == set(errors.CloseCode)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536])
def test_a_frame_is_json_around_its_data(size: int) -> None:
    data = codec.encode_data({"text": "牌" * size})
    assert json.loads(codec.frame("notice", data)) == {"v": 1, "kind": "notice", "data": {"text": "牌" * size}}
    assert json.loads(codec.frame("events", data, (3, 17)))["seq"] == [3, 17]


def test_play_kinds_are_those_of_the_schema() -> None:
    assert set(server.FRAMES) > server.PLAY
