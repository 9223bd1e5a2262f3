"""Frames of whole matches keep to the published schema, field by field: nothing is sent that is not described (A2)."""

from __future__ import annotations

from random import Random
from typing import Any

import jsonschema
import jsonschema_rs
import msgspec
import pytest

from app.protocol.v1 import schema, shapes
from app.tables import asks
from app.tables.frames import Frame
from app.variants import VARIANTS
from tests.reliability.folding import Folder, begun, step
from tests.tables.world import World, settle

WHOLE = schema.json_schema()


def closed(node: Any) -> Any:
    """The same schema, in which a field that is not described is an error. Published, fields may be added."""
    if isinstance(node, list):
        return [closed(part) for part in node]
    if not isinstance(node, dict):
        return node
    made = {key: closed(part) for key, part in node.items()}
    if "properties" in made and "properties" in node and made.get("type") == "object":
        made["additionalProperties"] = False
    return made


STRICT = closed(WHOLE)
STRICT["$defs"]["Ack"].pop("additionalProperties")  # an ack may carry more, by kind of request


def validator(kind: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/out.{kind}", "$defs": STRICT["$defs"]})


def on_the_wire(frame: Frame) -> dict[str, Any]:
    seq = {} if frame.seq is None else {"seq": list(frame.seq)}
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(frame.face.data))
    return {"v": 1, "kind": frame.kind, **seq, "data": plain}


@pytest.mark.parametrize("slug", list(VARIANTS))
async def test_every_frame_of_rounds_keeps_to_the_closed_schema(slug: str) -> None:
    world, rng = World(variants=VARIANTS), Random(slug)
    table, clients = await begun(world, VARIANTS[slug], spectators="all")
    watcher = Folder.come(table, "watcher", role="spectator")
    rounds = {0}
    for number in range(4000):
        await step(world, table, clients, rng)
        rounds.add(table.summary().played)
        if number % 50 == 0:
            clients[number // 50 % len(clients)].ask(table, asks.Hints())
        if number % 10 == 0:
            clients[number // 10 % len(clients)].ask(table, asks.WhyNot())
        if len(rounds) > 3 and any(table.log.match.totals):
            break
    clients[0].ask(table, asks.Dissolve())
    await settle()
    assert len(rounds) > 3, "three rounds ended"
    checks = {kind: validator(kind) for kind in ("events", "prompt", "sync", "ack", "error", "presence", "countdown")}
    seen: set[str] = set()
    for frame in (frame for client in (*clients, watcher) for frame in client.frames):
        plain = on_the_wire(frame)
        seen |= {frame.kind} | {event["type"] for event in plain["data"].get("events", ())}
        for error in checks[frame.kind].iter_errors(plain):
            raise AssertionError(f"{slug} {frame.kind} {frame.seq}: {error.message[:300]} at {error.instance_path}")
    assert {"events", "prompt", "sync", "ack", "round_started", "round_ended", "points_moved", "hands_revealed"} <= seen


def test_no_part_of_a_frame_is_an_object_of_unknown_shape() -> None:
    """Every object of a play frame names its fields; a map names its value type."""
    bare = [
        f"{name}.{field}"
        for name, part in WHOLE["$defs"].items()
        for field, node in part.get("properties", {}).items()
        if isinstance(node, dict) and node.get("type") == "object" and not node.keys() & {"properties", "$ref"}
        and node.get("additionalProperties", True) is True
    ]  # fmt: skip
    assert bare == []


def test_every_event_is_described_and_can_be_told_by_its_type() -> None:
    jsonschema.Draft202012Validator.check_schema(WHOLE)
    events = [name for name in WHOLE["$defs"] if name.startswith("event.")]
    assert len(events) == len(WHOLE["$defs"]["Event"]["oneOf"]) >= 20
    assert all(WHOLE["$defs"][name]["properties"]["type"] == {"const": name.removeprefix("event.")} for name in events)


def test_a_wrong_frame_is_found() -> None:
    """The check can fail: a field more, a field less, a tile that does not exist."""
    check = jsonschema_rs.Draft202012Validator({"$ref": "#/$defs/Event", "$defs": STRICT["$defs"]})
    good = {"type": "tile_discarded", "seat": 1, "tile": "5m"}
    assert check.is_valid(good)
    for wrong in ({**good, "more": 1}, {"type": "tile_discarded", "seat": 1}, {**good, "tile": "9z"}):
        assert not check.is_valid(wrong)
    assert shapes.parts()["Tile"]["enum"][0] == "1m"
