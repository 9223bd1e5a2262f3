"""`/developers`: everything to write a client from, from this server alone and without a script."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.api import routes
from app.protocol.v1 import schema
from app.refusal import MESSAGES
from app.rest import habits
from app.rest.errors import STATUS
from app.web.developers import developers_router, markdown

PAGES = ("/developers", "/developers/rest", "/developers/openapi", "/developers/asyncapi", "/developers/changes")


@cache
def _app() -> FastAPI:
    """The routes of REST, for their list, and the pages."""
    app = FastAPI(title="雀桌", version="1")
    app.openapi_tags = [dict(tag) for tag in routes.TAGS]
    for router in routes.ROUTERS:
        app.include_router(router, prefix="/v1", generate_unique_id_function=routes.operation_id)
    codes = [(str(code), status, MESSAGES[code]) for code, status in STATUS.items()]
    page = Path(habits.__file__).parent / "README.md"
    app.include_router(developers_router(schema.HERE, page, app.openapi, codes))
    return app


@pytest.fixture
async def site() -> AsyncIterator[httpx.AsyncClient]:
    """A browser at the pages."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(_app()), base_url="http://test") as client:
        yield client


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_needs_no_script_and_nobody_else(site: httpx.AsyncClient, path: str) -> None:
    """The page's own policy holds for it, and nothing in it would be refused by that."""
    told = await site.get(path, headers={"Accept-Encoding": "identity"})
    assert told.status_code == 200 and told.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in told.headers["content-security-policy"]
    assert "<script" not in told.text and "style=" not in told.text
    assert all(link.startswith(("/", "#")) for link in re.findall(r'(?:href|src)="([^"]*)"', told.text))
    assert (await site.get(path, headers={"If-None-Match": told.headers["etag"]})).status_code == 304
    assert "content-encoding" in (await site.get(path, headers={"Accept-Encoding": "gzip"})).headers


@pytest.mark.parametrize("path", PAGES)
async def test_every_link_within_a_page_leads_somewhere(site: httpx.AsyncClient, path: str) -> None:
    text = (await site.get(path)).text
    there = set(re.findall(r'id="([^"]*)"', text))
    assert set(re.findall(r'href="#([^"]*)"', text)) <= there
    for page, anchor in set(re.findall(r'href="(/developers/[a-z]+)#([^"]*)"', text)):
        assert f'id="{anchor}"' in (await site.get(page)).text


async def test_every_operation_is_listed_with_its_errors(site: httpx.AsyncClient) -> None:
    text = (await site.get("/developers/openapi")).text
    for path, item in (await site.get("/openapi.json")).json()["paths"].items():
        for method, told in item.items():
            assert f"{method.upper()} {path}" in text and f'id="{told["operationId"]}"' in text
    assert 'href="/developers/rest#rate_limited"' in text and "Idempotency-Key" in text


async def test_every_frame_is_listed_with_its_answers(site: httpx.AsyncClient) -> None:
    text = (await site.get("/developers/asyncapi")).text
    document = (await site.get("/asyncapi.json")).json()
    assert all(f'id="s.{name}"' in text for name in document["components"]["messages"])
    assert re.search(r'#s\.in\.act">in\.act</a></td><td><a href="#s\.out\.ack">', text)
    assert (await site.get("/schema.json")).json() == json.loads((schema.HERE / "schema.json").read_text())


async def test_the_page_on_rest_ends_with_every_code(site: httpx.AsyncClient) -> None:
    """The `type` of a problem document leads here."""
    text = (await site.get("/developers/rest")).text
    assert all(f'<tr id="{code}">' in text for code in STATUS)


def test_text_is_never_read_as_markup() -> None:
    assert "<script>" not in markdown("# A\n\n<script>alert(1)</script>")
    assert '<h2 id="two-words">' in markdown("## Two words\n\n| a |\n|---|\n| 1 |") and "<td>1</td>" in markdown(
        "| a |\n|---|\n| 1 |"
    )


async def test_there_is_no_other_page(site: httpx.AsyncClient) -> None:
    assert (await site.get("/developers/other")).status_code in (404, 422)
