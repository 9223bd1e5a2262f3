"""What v1 promised to clients, and whether a schema still keeps it: v1 only grows.

`released.json` is the schema of the last release, without texts. A server must still take everything that a client
could send, and still send everything that a client relies on. New kinds, fields and codes are no breaks: clients
ignore what they do not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

RELEASED: Final = Path(__file__).parent / "released.json"
_TEXTS: Final = ("description", "title", "default", "$schema")
_SMALLEST: Final = ("minimum", "minLength", "minItems")
_LARGEST: Final = ("maximum", "maxLength", "maxItems")


def released() -> Json:
    """The schema of the last release."""
    told: Json = json.loads(RELEASED.read_text("utf-8"))
    return told


def written_for_release(schema: Json) -> str:
    """`released.json` of a schema: all but its texts, a definition a line."""
    defs = [f"{json.dumps(name)}:{_short(_bare(part))}" for name, part in schema["$defs"].items()]
    return '{"$defs":{\n' + ",\n".join(defs) + "\n}}\n"


def breaks(old: Json, new: Json) -> list[str]:
    """Each place where a client of `old` would fail against a server of `new`; empty: it keeps what was promised."""
    before, now = old["$defs"], new["$defs"]
    found = [f"{name}: is gone" for name in before if name not in now]
    for name in before.keys() & now.keys():
        inward, outward = (name in _reached(before, prefix) for prefix in ("in.", "out."))
        if inward:
            found += _narrower(before[name], now[name], name)
        if outward or not inward:
            found += _wider(before[name], now[name], name)
    return sorted(set(found))


def _reached(defs: Json, prefix: str) -> set[str]:
    """The definitions that frames of this direction use."""
    found: set[str] = set()
    todo = [name for name in defs if name.startswith(prefix)]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += list(_refs(defs.get(name, {})))
    return found


def _refs(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        for value in part.values():
            yield from _refs(value)
    elif isinstance(part, list):
        for value in part:
            yield from _refs(value)


def _narrower(old: Json, new: Json, where: str) -> Iterator[str]:
    """What a client could send before and may not now."""
    for kind in sorted(_kinds(old) - _kinds(new)):
        yield f"{where}: no longer takes {kind}"
    for value in _values(old) or ():
        if _values(new) is not None and value not in (_values(new) or ()):
            yield f"{where}: no longer takes {value!r}"
    for key, sign in [*((key, 1) for key in _SMALLEST), *((key, -1) for key in _LARGEST)]:
        if key in new and (key not in old or (new[key] - old[key]) * sign > 0):
            yield f"{where}: {key} is tighter"
    if new.get("pattern") not in (None, old.get("pattern")):
        yield f"{where}: another pattern"
    for name in sorted(set(new.get("required", ())) - set(old.get("required", ()))):
        yield f"{where}.{name}: is required now"
    yield from _inside(old, new, where, _narrower)


def _wider(old: Json, new: Json, where: str) -> Iterator[str]:
    """What a client was never sent before and may be sent now, or may miss now."""
    for kind in sorted(_kinds(new) - _kinds(old)):
        yield f"{where}: may be {kind} now"
    if _values(old) is not None and _values(new) is None:
        yield f"{where}: may be anything now"
    if "const" in old and old["const"] != new.get("const"):
        yield f"{where}: is not {old['const']!r} now"
    for value in set(old.get("enum", ())) - set(_values(new) or old.get("enum", ())):
        yield f"{where}: no longer says {value!r}"
    for name in sorted(set(old.get("required", ())) - set(new.get("required", ()))):
        yield f"{where}.{name}: may be missing now"
    yield from _inside(old, new, where, _wider)


def _inside(old: Json, new: Json, where: str, compare: Any) -> Iterator[str]:
    """The same of all parts: fields, items, and the alternative of a kind where there is one on both sides."""
    fields = new.get("properties", {})
    for name, part in old.get("properties", {}).items():
        if name in fields:
            yield from compare(part, fields[name], f"{where}.{name}")
        else:
            yield f"{where}.{name}: is gone"
    if isinstance(old.get("items"), dict) and isinstance(new.get("items"), dict):
        yield from compare(old["items"], new["items"], f"{where}[]")
    theirs = {_kind(part): part for part in _alternatives(new)}
    for part in _alternatives(old):
        if _kind(part) in theirs and part is not old:
            yield from compare(part, theirs[_kind(part)], where)


def _alternatives(part: Json) -> list[Json]:
    given: list[Json] = part.get("anyOf") or part.get("oneOf") or [part]
    return given


def _kinds(part: Json) -> set[str]:
    """What a value may be, by JSON's types and the names of definitions."""
    return {kind for one in _alternatives(part) for kind in _kind(one)}


def _kind(part: Json) -> tuple[str, ...]:
    if "$ref" in part:
        return (part["$ref"].rpartition("/")[2],)
    told = part.get("type")
    if told is None:
        values = _values(part)
        return ("anything",) if values is None else tuple(sorted({type(value).__name__ for value in values}))
    return tuple(sorted(told)) if isinstance(told, list) else (told,)


def _values(part: Json) -> list[Any] | None:
    """The only values that there are; None: no such list."""
    given: list[Any] | None = [part["const"]] if "const" in part else part.get("enum")
    return given


def _bare(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _fields(value) if key == "properties" else _bare(value)
                for key, value in part.items() if key not in _TEXTS}  # fmt: skip
    return [_bare(value) for value in part] if isinstance(part, list) else part


def _fields(properties: Json) -> Json:
    return {name: _bare(part) for name, part in properties.items()}


def _short(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))
