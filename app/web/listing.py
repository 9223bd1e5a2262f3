"""OpenAPI and AsyncAPI documents as plain HTML lists: every operation, message and field, with links between them.

Own HTML instead of a viewer's script: it works without a script, offline and under the page's policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

Json = Mapping[str, Any]


def openapi_html(document: Json) -> str:
    """All operations by tag, then all bodies."""
    by_tag: dict[str, list[str]] = {tag["name"]: [] for tag in document.get("tags", ())}
    for path, item in document["paths"].items():
        for method, told in item.items():
            by_tag.setdefault((told.get("tags") or ["other"])[0], []).append(_operation(method, path, told))
    said = {tag["name"]: tag["description"] for tag in document.get("tags", ())}
    parts = [f'<p>{escape(document["info"].get("summary", ""))} <a href="/openapi.json">openapi.json</a></p>']
    parts.append(_contents([*(name for name in by_tag if by_tag[name]), "schemas"]))
    for name, operations in by_tag.items():
        if operations:
            parts.append(f'<h2 id="{escape(name)}">{escape(name)}</h2><p>{escape(said.get(name, ""))}</p>')
            parts += operations
    parts.append('<h2 id="schemas">schemas</h2>')
    return "".join([*parts, *_schemas(document.get("components", {}).get("schemas", {}))])


def asyncapi_html(document: Json, schema: Json) -> str:
    """The channels with what a client sends and gets, the codes, then all frames and their parts."""
    parts = [
        f"<p>{escape(document['info'].get('description', ''))} "
        '<a href="/asyncapi.json">asyncapi.json</a>, <a href="/schema.json">schema.json</a></p>',
        _contents([*document["channels"], "errors", "closes", "schemas"]),
    ]
    for name, channel in document["channels"].items():
        parts.append(f'<h2 id="{escape(name)}">{escape(name)} · <code>{escape(channel["address"])}</code></h2>')
        parts.append(f"<p>{escape(channel.get('description', ''))}</p>")
        own = [one for one in document["operations"].values() if one["channel"]["$ref"].endswith(f"/{name}")]
        parts.append(_rows(("frame", "answered with"), [_exchange(one) for one in own if one["action"] == "receive"]))
        sent = [one for one in own if one["action"] == "send"]
        parts.append(f"<p>The server sends: {', '.join(_frames(sent))}</p>")
    for place, key in (("errors", "x-error-codes"), ("closes", "x-close-codes")):
        parts.append(f'<h2 id="{place}">{place}</h2>' + _codes(document.get(key, {})))
    parts.append('<h2 id="schemas">schemas</h2>')
    return "".join([*parts, *_schemas(schema["$defs"])])


def _contents(names: Iterable[str]) -> str:
    links = [f'<a href="#{escape(name)}">{escape(name)}</a>' for name in names]
    return f"<nav>{' · '.join(links)}</nav>"


def _operation(method: str, path: str, told: Json) -> str:
    gone = ' <b class="old">deprecated</b>' if told.get("deprecated") else ""
    name = escape(told.get("operationId", ""))
    parts = [
        f'<section id="{name}"><h3><code>{method.upper()} {escape(path)}</code>{gone}</h3>',
        f"<p>{escape(told.get('description', told.get('summary', '')))}</p>",
    ]
    inputs = [
        (f"<code>{escape(one['name'])}</code>", escape(one["in"]), _type(one.get("schema", {})),
         escape(one.get("description", "")))
        for one in told.get("parameters", ())
    ]  # fmt: skip
    if inputs:
        parts.append(_rows(("parameter", "in", "type", ""), inputs))
    for body in told.get("requestBody", {}).get("content", {}).values():
        parts.append(f"<p>Body: {_type(body.get('schema', {}))}</p>")
    answers = [(escape(status), _answer(one)) for status, one in told.get("responses", {}).items()]
    return "".join([*parts, _rows(("status", "answer"), answers), "</section>"])


def _answer(told: Json) -> str:
    found = []
    for body in told.get("content", {}).values():
        codes = ", ".join(
            f'<a href="/developers/rest#{escape(code)}">{escape(code)}</a>' for code in body.get("examples", ())
        )
        found.append(codes or _type(body.get("schema", {})))
    return " ".join(found) or escape(told.get("description", ""))


def _exchange(operation: Json) -> tuple[str, str]:
    answers = operation.get("reply", {}).get("messages", ())
    return ", ".join(_frames([operation])), ", ".join(_link(_last(one["$ref"])) for one in answers)


def _frames(operations: Iterable[Json]) -> list[str]:
    return [_link(_last(one["$ref"])) for operation in operations for one in operation["messages"]]


def _codes(told: Any) -> str:
    if isinstance(told, Mapping):
        return _rows(("code", ""), [(f"<code>{escape(str(code))}</code>", _said(said)) for code, said in told.items()])
    return "<p>" + ", ".join(f"<code>{escape(str(code))}</code>" for code in told) + "</p>"


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{escape(str(key))}: {escape(str(said))}" for key, said in value.items())
    return escape(str(value))


def _schemas(schemas: Json) -> Iterator[str]:
    for name, told in schemas.items():
        yield f'<section id="s.{escape(name)}"><h3><code>{escape(name)}</code></h3>'
        yield f"<p>{escape(told.get('description', ''))}</p>"
        fields = told.get("properties")
        if not fields:
            yield f"<p>{_type(told)}</p></section>"
            continue
        needed = told.get("required", ())
        rows = [
            (
                f"<code>{escape(field)}</code>{'' if field in needed else '?'}",
                _type(part),
                escape(part.get("description", "")),
            )
            for field, part in fields.items()
        ]
        yield _rows(("field", "type", ""), rows) + "</section>"


def _type(part: Json) -> str:
    """The type of a value in a few words, with links to the definitions that it uses."""
    if "$ref" in part:
        return _link(_last(part["$ref"]))
    for key in ("anyOf", "oneOf", "allOf"):
        if key in part:
            return " or ".join(_type(one) for one in part[key])
    if "const" in part:
        return f"<code>{escape(repr(part['const']))}</code>"
    if "enum" in part:
        return " ".join(f"<code>{escape(str(value))}</code>" for value in part["enum"])
    kind = part.get("type", "anything")
    words = kind if isinstance(kind, str) else " or ".join(kind)
    if "items" in part or "prefixItems" in part:
        inside = ", ".join(_type(one) for one in part.get("prefixItems", ())) or _type(part.get("items") or {})
        return f"array of ({inside})"
    if isinstance(part.get("additionalProperties"), Mapping):
        return f"object of ({_type(part['additionalProperties'])})"
    bounds = [f"{escape(key)} {escape(str(part[key]))}" for key in _BOUNDS if key in part]
    return escape(words) + (f" <small>{', '.join(bounds)}</small>" if bounds else "")


_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "format")


def _link(name: str) -> str:
    return f'<a href="#s.{escape(name)}">{escape(name)}</a>'


def _last(ref: str) -> str:
    return ref.rpartition("/")[2]


def _rows(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
