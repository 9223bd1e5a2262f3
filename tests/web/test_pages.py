"""Serving the client: one origin, a strict policy, revalidated and compressed, no unknown file."""

import gzip
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.web.pages import STATIC, link_picture, load_static, pages_router

_FOUND = {
    name: file.body.decode() for name, file in load_static(STATIC).items() if name.endswith((".js", ".html", ".css"))
}


@pytest.fixture
def client() -> httpx.AsyncClient:
    """A client of an app that serves nothing but the pages."""
    app = FastAPI()
    app.include_router(pages_router(public_url="https://mj.example.org/"))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


async def test_the_page_comes_under_a_strict_policy(client: httpx.AsyncClient) -> None:
    answer = await client.get("/")
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_file_that_did_not_change_is_not_sent_again(client: httpx.AsyncClient) -> None:
    first = await client.get("/static/main.js")
    again = await client.get("/static/main.js", headers={"if-none-match": first.headers["etag"]})
    assert first.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")


async def test_the_pages_parts_are_kept_until_anything_changes(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    main = re.search(r'src="(/static/v-[0-9a-f]+/main\.js)"', page.text)
    assert main is not None
    kept = await client.get(main[1])
    older = await client.get("/static/v-000000000000/main.js")
    assert "immutable" in kept.headers["cache-control"]
    assert (older.text, older.headers["cache-control"]) == (kept.text, "no-cache")
    assert page.headers["cache-control"] == "no-cache"


async def test_what_may_be_compressed_is(client: httpx.AsyncClient) -> None:
    async with client.stream("GET", "/static/tiles.js", headers={"accept-encoding": "gzip"}) as answer:
        raw = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == (STATIC / "tiles.js").read_bytes()
    plain = await client.get("/static/tiles.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(
    "path", ["/static/nothing.js", "/static/../pages.py", "/static/%2e%2e/pages.py", "/join/12.svg"]
)
async def test_nothing_else_is_served(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code in (404, 422)


async def test_a_rooms_link_is_a_picture_of_the_public_address(client: httpx.AsyncClient) -> None:
    asked = {"host": "evil.example", "referer": "https://evil.example/"}
    one = await client.get("/join/428193.svg", headers=asked)
    assert one.headers["content-type"] == "image/svg+xml"
    assert one.content == link_picture("https://mj.example.org/#/join/428193")
    assert (await client.get("/join/428194.svg")).content != one.content


@pytest.mark.parametrize(
    ("headers", "origin"),
    [
        ({"host": "192.168.1.20:8000"}, "http://192.168.1.20:8000"),
        ({"host": "[fd00::1]:8000"}, "http://[fd00::1]:8000"),
        ({"host": "mj.lan", "referer": "https://mj.lan/"}, "https://mj.lan"),
        ({"host": "mj.lan", "referer": "https://evil.example/mj.lan"}, "http://mj.lan"),
        ({"host": "mj.lan", "x-forwarded-host": "evil.example", "x-forwarded-proto": "gopher"}, "http://mj.lan"),
    ],
)
async def test_without_a_public_address_the_picture_leads_where_the_page_is(
    headers: dict[str, str], origin: str
) -> None:
    app = FastAPI()
    app.include_router(pages_router())
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")
    answer = await client.get("/join/428193.svg", headers=headers)
    assert answer.content == link_picture(f"{origin}/#/join/428193")
    assert answer.headers["cache-control"] == "no-store", "a picture made for one host is shown to no other"
    assert (await client.get("/join/428193.svg", headers={"host": "a.b/@evil.example"})).status_code == 400


def test_nothing_is_fetched_from_elsewhere_and_nothing_is_inline() -> None:
    for name, text in _FOUND.items():
        hosts = set(re.findall(r"(?:https?:)?//([a-z0-9.-]+\.[a-z]{2,})", text)) - {"www.w3.org"}
        assert hosts == set(), name
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=\"|\sstyle=\"", text), name


def test_every_module_and_style_that_is_named_exists_and_is_used() -> None:
    named = set(re.findall(r'(?:href|src)="/static/v-[0-9a-f]+/([^"]+)"', _FOUND["index.html"]))
    for name, text in _FOUND.items():
        if name.endswith(".js"):
            for path in re.findall(r'(?:from|import\()\s*"(\.[^"]+)"', text):
                named.add((Path("/") / name).parent.joinpath(path).resolve().as_posix().lstrip("/"))
    variants = {name for name in _FOUND if name.startswith("variants/")}  # loaded by the room's variant
    assert named - load_static(STATIC).keys() == set()
    entries = {
        "index.html",
        "sw.js",
        "embed.js",
    }  # the worker is registered by its own path, an embedded page has its own
    assert _FOUND.keys() - named - variants == entries


def test_every_module_is_type_checked() -> None:
    assert [name for name, text in _FOUND.items() if name.endswith(".js") and not text.startswith("// @ts-check")] == []


async def test_only_a_shared_replay_may_be_shown_in_a_page_of_others(client: httpx.AsyncClient) -> None:
    """It has no session, no socket and no other screen, so nobody can be led to press what is theirs in a frame."""
    page = await client.get("/embed/h4k9m2wpqx7c?seat=1")
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors *" in policy and "ws:" not in policy and "script-src 'self';" in policy
    assert re.findall(r'<script[^>]*src="[^"]*/([a-z]+\.js)"', page.text) == ["embed.js"]
    assert "modulepreload" not in page.text and "manifest" not in page.text and "/css/table.css" in page.text
    for other in ("/", "/replay/h4k9m2wpqx7c", "/join/123456", "/static/embed.js"):
        assert "frame-ancestors 'none'" in (await client.get(other)).headers["content-security-policy"]
    for wrong in ("/embed/short", "/embed/h4k9m2wpqx7c/more"):
        assert (await client.get(wrong)).status_code in (404, 422)
    script = _FOUND["embed.js"] + _FOUND["pages/replay.js"].split("export async function showShared")[1].split("}\n")[0]
    assert "session" not in re.sub(r"/\*.*?\*/", "", script, flags=re.S) and "signIn" not in script
