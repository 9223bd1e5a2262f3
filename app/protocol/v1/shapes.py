"""The kernel's values as JSON Schema: tiles, actions, melds, ledger lines, every event, in the plain form of the wire.

Generated from the kernel's own classes by the conventions of `kernel/text/notation.py`, so a new field of an event is
in the schema at once. Parts have the names of their classes; an event's is `event.<type>`. No frames here (`server`).
"""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, fields
from typing import Any, Final, Literal

from app.kernel import events as ev
from app.kernel.actions import VERB_ORDER, Action
from app.kernel.ledger import Line
from app.kernel.melds import Meld
from app.kernel.text.notation import EVENT_TYPES, LAID, LATE_KINDS
from app.kernel.tiles import KINDS
from app.kernel.variant import Hint, Wait

Json = dict[str, Any]

_TILE: Final = "([1-9][mps]|[1-7]z)"
_TEXT: Final[Json] = {"$ref": "#/$defs/Tiles"}
_WHOLE: Final[Json] = {"type": "integer"}
_AMOUNTS: Final[Json] = {
    "type": "array",
    "items": {"type": "array", "prefixItems": [{"type": "string"}, _WHOLE], "minItems": 2, "maxItems": 2},
}

_NAMED: Final[dict[str, Json]] = {
    "tile": {"$ref": "#/$defs/Tile"},
    "taken": {"$ref": "#/$defs/Tile"},
    "drawn": {"$ref": "#/$defs/Tile"},
    "discard": {"$ref": "#/$defs/Tile"},
    "tiles": _TEXT,
    "wall": _TEXT,
    "hands": {"type": "array", "items": _TEXT},
    "rules": {"type": "object", "additionalProperties": {"type": ["boolean", "integer", "string"]}},
    "detail": _AMOUNTS,
    "patterns": _AMOUNTS,
}
"""Fields whose plain form the type alone does not tell, by name: tiles are text, rules an object, amounts pairs."""

_SHARED: Final = (Meld, Line, ev.Reading, Wait, Hint)
_IN_VIEWS: Final = (ev.DiceRolled, ev.TileFlipped, ev.AnswersRevealed, ev.TileLaid, ev.Won, ev.RoundEnded)
"""Events that a view keeps: there without their `type`."""
_PLAIN_TYPES: Final[dict[Any, Json]] = {
    int: _WHOLE,
    bool: {"type": "boolean"},
    str: {"type": "string"},
    type(None): {"type": "null"},
}


def parts() -> Json:
    """Name → schema of every kernel value that a frame or a record may hold. Names are stable: clients use them."""
    made: Json = {
        "Tile": {
            "description": "A kind in mpsz notation: 1m-9m 万, 1p-9p 筒, 1s-9s 条, 1z-7z 东南西北白发中.",
            "enum": list(KINDS),
        },
        "Tiles": {
            "description": "Kinds run together in their own order: 1m1m5z.",
            "type": "string", "pattern": rf"^{_TILE}*$(?!\n)",
        },
        "Value": {
            "description": "A fact of one game.",
            "anyOf": [
                {"type": ["boolean", "integer", "string", "null"]},
                {"type": "array", "items": {"$ref": "#/$defs/Value"}},
            ],
        },
        "Verb": {"enum": list(VERB_ORDER)},
        "Action": _action(),
    }  # fmt: skip
    for cls in (*_SHARED, *_IN_VIEWS):
        made[cls.__name__] = _object(cls)
    for tag, event in EVENT_TYPES.items():
        made[f"event.{tag}"] = _event(tag, event)
    made["Event"] = {
        "description": "An event of the round as this viewer may see it; fold it onto the view in the order given.",
        "oneOf": [{"$ref": f"#/$defs/event.{tag}"} for tag in EVENT_TYPES],
    }
    return made


def _action() -> Json:
    hints = typing.get_type_hints(Action)
    return {
        "type": "object",
        "description": "An offered action. `act` echoes it as it was offered; parts that are empty are left out.",
        "properties": {"verb": {"$ref": "#/$defs/Verb"}, "tiles": _TEXT, "choice": _of_type(hints["choice"])},
        "required": ["verb"],
    }


def _event(tag: str, cls: type) -> Json:
    made = _object(cls)
    return {
        **made,
        "properties": {"type": {"const": tag}, **made["properties"]},
        "required": ["type", *made["required"]],
    }


def _object(cls: type) -> Json:
    hints = typing.get_type_hints(cls)
    # `Hint` and `Wait` are written whole; all others leave a field out when it is at its default.
    required = [field.name for field in fields(cls) if field.default is MISSING]
    properties = {field.name: _field(field.name, hints[field.name]) for field in fields(cls)}
    if cls in LAID:
        properties["late_kind"] = {"enum": list(LATE_KINDS)}
    return {
        "type": "object",
        "description": " ".join((cls.__doc__ or "").split()),
        "properties": properties,
        "required": required,
    }


def _field(name: str, hint: Any) -> Json:
    special = _NAMED.get(name)
    if special is None:
        return _waits(hint) if name == "waits" else _of_type(hint)
    return _or_null(special) if _optional(hint) else special


def _waits(hint: Any) -> Json:
    """`HandsRevealed.waits` has a text or null a seat; `Hint.waits` a list of `Wait`."""
    if Wait in typing.get_args(hint):
        return {"type": "array", "items": {"$ref": "#/$defs/Wait"}}
    return {"type": "array", "items": _or_null(_TEXT)}


def _optional(hint: Any) -> bool:
    return isinstance(hint, types.UnionType) and type(None) in hint.__args__


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def _of_type(hint: Any) -> Json:
    """Schema of a value by its type. Raises TypeError for a type that has no plain form yet."""
    if hint in _PLAIN_TYPES:
        return _PLAIN_TYPES[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return {"enum": list(args)}
    if isinstance(hint, types.UnionType) or origin is typing.Union:
        return _union(args)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return {"type": "array", "items": _of_type(args[0])}
    if isinstance(hint, type) and hint in (*_SHARED, Action):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    raise TypeError(f"no plain form is known for {hint!r}")


def _union(args: tuple[Any, ...]) -> Json:
    if any(isinstance(inner, typing.ForwardRef) for arg in args for inner in typing.get_args(arg)):
        return {"$ref": "#/$defs/Value"}  # the one type that holds itself
    if all(arg in _PLAIN_TYPES for arg in args):
        return {"type": [_PLAIN_TYPES[arg]["type"] for arg in args]}
    return {"anyOf": [_of_type(arg) for arg in args]}
