"""The schema of the protocol as files: `schema.json` (JSON Schema) and `asyncapi.json`, written from the models.

`python -m app.protocol.v1.schema` writes them; a test holds them against the models. Nothing is validated with them at
run time.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from app.protocol.v1 import client, codec, errors, server, shapes

Json = dict[str, Any]
HERE: Final = Path(__file__).parent


def json_schema() -> Json:
    """One schema: `#/$defs/in.<kind>` and `#/$defs/out.<kind>` are whole frames, the rest their parts."""
    kinds = {**client.ROOM_KINDS, **client.LOBBY_KINDS}
    models = sorted({*kinds.values(), *server.FRAMES.values()}, key=lambda model: model.__name__)
    _, parts = msgspec.json.schema_components(models, ref_template="#/$defs/{name}")
    defs: Json = dict(sorted({**shapes.parts(), **parts}.items()))
    for kind, data in sorted(kinds.items()):
        defs[f"in.{kind}"] = _inward(kind, data)
    for kind, frame in sorted(server.FRAMES.items()):
        defs[f"out.{kind}"] = _outward(kind, frame)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Quezhuo protocol {codec.SUBPROTOCOL}",
        "$defs": defs,
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in defs if name.startswith(("in.", "out."))],
    }


def asyncapi() -> Json:
    """The two channels in AsyncAPI 3.0, pointing into `schema.json`; with replies, close codes and error codes."""
    messages = {f"in.{kind}": _message(f"in.{kind}") for kind in sorted({*client.ROOM_KINDS, *client.LOBBY_KINDS})}
    messages |= {f"out.{kind}": _message(f"out.{kind}") for kind in server.FRAMES}
    channels = {
        "room": ("A room's socket: ticket of scope room:<id>.", list(client.ROOM_KINDS), _ROOM_FRAMES),
        "lobby": ("A lobby socket: ticket of scope lobby.", list(client.LOBBY_KINDS), _LOBBY_FRAMES),
    }
    operations: Json = {}
    for channel, (_, inward, outward) in channels.items():
        for kind in inward:
            answers = _ANSWERS.get(kind, _ANSWER)
            operations[f"{channel}.{kind}"] = _operation(channel, "receive", [f"in.{kind}"], answers)
        operations[f"{channel}.frames"] = _operation(channel, "send", [f"out.{kind}" for kind in outward])
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Quezhuo", "version": "1.0.0", "description": _DESCRIPTION,
            "externalDocs": {"url": "./README.md", "description": "How to write a client, on one page."},
        },
        "defaultContentType": "application/json",
        "servers": {
            "node": {
                "host": "{host}", "protocol": "wss", "security": [{"$ref": "#/components/securitySchemes/ticket"}],
                "variables": {"host": {"description": "The address of the deployment.", "default": "localhost:8000"}},
            }
        },
        "channels": {name: _channel(*parts) for name, parts in channels.items()},
        "operations": operations,
        "components": {
            "messages": messages,
            "securitySchemes": {
                "ticket": {
                    "type": "userPassword",
                    "description": "A single-use ticket from POST /v1/rooms/{room}/ticket or /v1/lobby/ticket, sent in"
                    " the first frame (`hello`) within 5 s. It is valid for 30 s.",
                }
            },
        },
        "x-error-codes": [code.value for code in errors.ErrorCode],
        "x-close-codes": {
            str(int(code)): {"name": code.name.lower(), "client": errors.RECONNECT[code]} for code in errors.CloseCode
        },
    }  # fmt: skip


_ROOM_FRAMES: Final = [kind for kind in server.FRAMES if kind != "lobby"]
_LOBBY_FRAMES: Final = ["ack", "error", "pong", "lobby", "bye"]
_ANSWER: Final = ["out.ack", "out.error"]
_ANSWERS: Final = {"ping": ["out.pong"]}
"""Answers of a request by its kind, where they are not an `ack` or an `error` with its id as `ref`."""
_DESCRIPTION: Final = (
    f"JSON text frames over /v1/ws, subprotocol {codec.SUBPROTOCOL}; the first frame is hello, within 5 s."
    " Every request gets exactly one ack or error. Play frames (events, prompt, sync) carry seq [round, n],"
    " gapless per viewer."
)


def write() -> None:
    """Write both files."""
    for name, content in files().items():
        (HERE / name).write_text(content, "utf-8")


def files() -> dict[str, str]:
    """File name → its required content."""
    return {name: _text(content) for name, content in (("schema.json", json_schema()), ("asyncapi.json", asyncapi()))}


def _text(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _frame(properties: Json, required: list[str], strict: bool) -> Json:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": not strict}


def _inward(kind: str, data: type[msgspec.Struct]) -> Json:
    wanted = ["id", "kind"] + ["data"] * any(field.required for field in msgspec.structs.fields(data))
    (message_id,), _ = msgspec.json.schema_components([client.Id])
    return _frame({"id": message_id, "kind": {"const": kind}, "data": _ref(data)}, wanted, strict=True)


def _outward(kind: str, data: type[msgspec.Struct]) -> Json:
    properties: Json = {"v": {"const": codec.VERSION}, "kind": {"const": kind}, "data": _ref(data)}
    if kind not in server.PLAY:
        return _frame(properties, ["v", "kind", "data"], strict=False)
    pair = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2}
    return _frame({**properties, "seq": pair}, ["v", "kind", "seq", "data"], strict=False)


def _ref(model: type[msgspec.Struct]) -> Json:
    return {"$ref": f"#/$defs/{model.__name__}"}


def _message(name: str) -> Json:
    return {"name": name.partition(".")[2], "payload": {"$ref": f"schema.json#/$defs/{name}"}}


def _operation(channel: str, action: str, messages: list[str], answers: list[str] | None = None) -> Json:
    def listed(names: list[str]) -> list[Json]:
        return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names]

    made: Json = {"action": action, "channel": {"$ref": f"#/channels/{channel}"}, "messages": listed(messages)}
    if answers is not None:
        made["reply"] = {"channel": {"$ref": f"#/channels/{channel}"}, "messages": listed(answers)}
    return made


def _channel(description: str, inward: list[str], outward: list[str]) -> Json:
    names = [f"in.{kind}" for kind in inward] + [f"out.{kind}" for kind in outward]
    messages = {name: {"$ref": f"#/components/messages/{name}"} for name in names}
    return {"address": "/v1/ws", "description": description, "messages": messages}


if __name__ == "__main__":
    write()
