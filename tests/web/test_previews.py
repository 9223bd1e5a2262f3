"""Links have a preview for messengers, a manifest and a worker stand at the root, voice packs are listed."""

import json
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.service.previews import line_of
from app.web.pages import PACKS, STATIC, load_static, pages_router

_TAG = re.compile(r'<meta property="([^"]+)" content="([^"]*)"')


async def _line(code: str) -> str | None:
    return '天津麻将 第 3 局：老<王"> +24，小刘 −24' if code == "h4k9m2wpqx7c" else None


@pytest.fixture
def client() -> httpx.AsyncClient:
    """A client of an app that serves nothing but the pages."""
    app = FastAPI()
    app.include_router(pages_router(public_url="https://mj.example.org/", replay_line=_line))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


async def test_a_link_to_a_room_shows_its_code_and_a_picture_and_never_whether_it_exists(
    client: httpx.AsyncClient,
) -> None:
    page = await client.get("/join/428193")
    tags = dict(_TAG.findall(page.text))
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "428 193" in tags["og:title"]
    assert tags["og:url"] == "https://mj.example.org/join/428193"
    picture = await client.get(tags["og:image"].removeprefix("https://mj.example.org"))
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert picture.content.startswith(b"\x89PNG")
    assert (await client.get("/join/000000")).text.replace("000000", "428193").replace(
        "000 000", "428 193"
    ) == page.text


async def test_a_link_to_a_replay_says_what_was_played_and_escapes_names(client: httpx.AsyncClient) -> None:
    tags = dict(_TAG.findall((await client.get("/replay/h4k9m2wpqx7c")).text))
    assert tags["og:description"] == "天津麻将 第 3 局：老&lt;王&quot;&gt; +24，小刘 −24"
    assert "回放" in dict(_TAG.findall((await client.get("/replay/aaaaaaaaaaaa")).text))["og:title"]
    picture = await client.get(tags["og:image"].removeprefix("https://mj.example.org"))
    assert picture.headers["content-type"] == "image/png" and picture.content.startswith(b"\x89PNG")
    assert (await client.get("/replay/NOT-A-CODE")).status_code == 422


def test_a_round_is_told_in_one_line() -> None:
    seats = [
        {"seat": 0, "name": "老王", "bot": False, "net": 24}, {"seat": 1, "name": "", "bot": True, "net": -24},
        {"seat": 2, "name": "小刘", "bot": False, "net": 0},
    ]  # fmt: skip
    told = {"variant": "guizhou", "round_no": 2, "outcome": "exhausted", "seats": seats}
    assert line_of(told) == "贵州捉鸡 第 2 局（荒庄）：老王 +24，电脑2 −24，小刘 0"


async def test_the_manifest_names_pictures_that_there_are(client: httpx.AsyncClient) -> None:
    answer = await client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    for icon in manifest["icons"]:
        assert (await client.get(icon["src"])).status_code == 200, icon
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    worker = await client.get("/sw.js")
    assert (worker.status_code, worker.headers["cache-control"]) == (200, "no-cache")


def test_voice_packs_are_listed_by_their_names(tmp_path: Path) -> None:
    assert json.loads(load_static(STATIC)[PACKS].body) == [], "none is shipped"
    (tmp_path / "voices" / "tianjin").mkdir(parents=True)
    (tmp_path / "voices" / "tianjin" / "manifest.json").write_text('{"name": "天津话", "words": {}}')
    (tmp_path / "voices" / "tianjin" / "peng.ogg").write_bytes(b"OggS")
    files = load_static(tmp_path)
    assert json.loads(files[PACKS].body) == [{"slug": "tianjin", "name": "天津话"}]
    assert files["voices/tianjin/peng.ogg"].media == "audio/ogg"
