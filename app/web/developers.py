"""`/developers`: the pages to write a client from, with lists of all operations and frames. Made when first asked for.

No script, no other origin; the same policy as the page. The documents themselves lie beside: `/openapi.json`,
`/asyncapi.json`, `/schema.json`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from fastapi import Path as PathPart
from markdown_it import MarkdownIt

from app.web.listing import asyncapi_html, openapi_html
from app.web.pages import StaticFile, send, static_file

_STYLE: Final = Path(__file__).parent / "developers.css"
_TITLES: Final = {
    "": "Write a client", "rest": "How REST behaves", "openapi": "REST operations", "asyncapi": "Frames",
    "changes": "Changes",
}  # fmt: skip
PageName = Annotated[str, PathPart(pattern="^(rest|openapi|asyncapi|changes)$")]


def developers_router(
    protocol: Path, rest: Path, openapi: Callable[[], dict[str, Any]], errors: Sequence[tuple[str, int, str]]
) -> APIRouter:
    """`protocol`: the folder of the protocol's page and schemas; `rest`: the page on REST; `errors`: code, status and
    text of each error, for its end. The documents are read once.
    """
    kept: dict[str, StaticFile] = {}
    router = APIRouter(include_in_schema=False)
    schemas = {name: (protocol / name).read_bytes() for name in ("asyncapi.json", "schema.json")}
    make: Mapping[str, Callable[[], str]] = {
        "": lambda: markdown((protocol / "README.md").read_text("utf-8")),
        "changes": lambda: markdown((protocol / "CHANGES.md").read_text("utf-8")),
        "rest": lambda: markdown(rest.read_text("utf-8")) + _errors(errors),
        "openapi": lambda: openapi_html(openapi()),
        "asyncapi": lambda: asyncapi_html(*[json.loads(schemas[name]) for name in ("asyncapi.json", "schema.json")]),
    }

    async def shown(name: str, request: Request) -> Response:
        if name not in kept:
            kept[name] = await asyncio.to_thread(lambda: static_file("page.html", _page(name, make[name]())))
        return send(kept, name, request)

    @router.get("/developers")
    async def client_page(request: Request) -> Response:
        return await shown("", request)

    @router.get("/developers/style.css")
    async def style(request: Request) -> Response:
        return send(fixed, "developers.css", request)

    @router.get("/developers/{name}")
    async def page(name: PageName, request: Request) -> Response:
        return await shown(name, request)

    async def document(name: str, request: Request) -> Response:
        return send(fixed, name, request)

    fixed = {name: static_file(name, body) for name, body in {**schemas, "developers.css": _STYLE.read_bytes()}.items()}
    for name in schemas:
        router.add_api_route(f"/{name}", partial(document, name), name=name)
    return router


def markdown(text: str) -> str:
    """CommonMark with tables as HTML. Raw HTML is shown as text; headings get an id."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"\W+", "-", tokens[at + 1].content.lower()).strip("-"))
    html: str = reader.renderer.render(tokens, reader.options, {})
    return html


def _errors(errors: Sequence[tuple[str, int, str]]) -> str:
    rows = "".join(
        f'<tr id="{escape(code)}"><td><code>{escape(code)}</code></td><td>{status}</td><td>{escape(text)}</td></tr>'
        for code, status, text in errors
    )
    return f"<h2>All codes</h2><table><tr><th>code</th><th>status</th><th></th></tr>{rows}</table>"


def _page(name: str, body: str) -> bytes:
    links = "".join(
        f'<a href="/developers{"/" if at else ""}{at}"{" aria-current=page" if at == name else ""}>{title}</a>'
        for at, title in _TITLES.items()
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{_TITLES[name]} · 雀桌 Quezhuo</title>"
        '<link rel="stylesheet" href="/developers/style.css"><link rel="icon" href="/static/icon.svg"></head>'
        f'<body><header><a href="/">雀桌</a>{links}</header><main>{body}</main></body></html>'
    ).encode()
