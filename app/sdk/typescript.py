"""The protocol's JSON Schema as TypeScript types: every `$def` an exported type of its name. Nothing is judged here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

Json = Mapping[str, Any]

_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_OUTWARD: Final = "out."


def declarations(schema: Json) -> str:
    """The text of a `.d.ts`: one type for each part of `schema`, and `Frame`, any frame of the server."""
    parts: Json = schema["$defs"]
    types = [_declared(name, part) for name, part in parts.items()]
    frames = " | ".join(_named(name) for name in parts if name.startswith(_OUTWARD))
    types.append(f"/** Any frame of the server. */\nexport type Frame = {frames};\n")
    return "// Made from the server's schema.json.\n\n" + "\n".join(types)


def _named(name: str) -> str:
    """`event.tile_drawn` is `EventTileDrawn`, `out.sync` is `OutSync`; other names stay."""
    words = re.split(r"[._]", name) if "." in name else [name]
    return "".join(word[:1].upper() + word[1:] for word in words)


def _declared(name: str, part: Json) -> str:
    said = f"/** {part['description'].replace('*/', '* /')} */\n" if "description" in part else ""
    return f"{said}export type {_named(name)} = {_type(part)};\n"


def _type(part: Json) -> str:
    if "$ref" in part:
        return _named(part["$ref"].rpartition("/")[2])
    if "const" in part or "enum" in part:
        return " | ".join(json.dumps(value) for value in part.get("enum", [part.get("const")]))
    for choice in ("anyOf", "oneOf"):
        if choice in part:
            return " | ".join(_type(one) for one in part[choice])
    kinds = part.get("type", [])
    if isinstance(kinds, list):
        return " | ".join(_PLAIN[kind] for kind in kinds) or "unknown"
    if kinds == "array":
        return _array(part)
    return _object(part) if kinds == "object" else _PLAIN[kinds]


def _array(part: Json) -> str:
    if "prefixItems" in part:
        return f"[{', '.join(_type(item) for item in part['prefixItems'])}]"
    item = _type(part.get("items", {}))
    if part.get("minItems") == part.get("maxItems") == 2:
        return f"[{item}, {item}]"
    return f"({item})[]"


def _object(part: Json) -> str:
    if "properties" not in part:
        more = part.get("additionalProperties")
        return f"Record<string, {_type(more)}>" if isinstance(more, Mapping) else "Record<string, never>"
    required = part.get("required", ())
    rows = [f"{_key(name)}{'' if name in required else '?'}: {_type(of)}" for name, of in part["properties"].items()]
    return "{ " + "; ".join(rows) + " }" if rows else "Record<string, never>"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)
