"""A page of an allowed origin may call REST from a browser; any other page is told nothing that lets it read (A15)."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from app.main import create_app
from app.settings import Settings

ALLOWED, OTHER = "https://play.example", "https://evil.example"
PREFLIGHT = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization, content-type"}


def client(data: Path, *origins: str) -> httpx.AsyncClient:
    """A client of a whole app that is not started: a preflight and `/healthz` need no store."""
    app = create_app(
        Settings(
            data=data, allowed_origins=origins, database_url="postgresql://nowhere/x", valkey_url="redis://nowhere:1",
            secret="for tests only, for tests only, for tests only",
        )
    )  # fmt: skip
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test")


async def test_a15_a_browser_on_an_allowed_origin_may_call_rest(tmp_path: Path) -> None:
    """A15: the preflight names origin, methods and headers, and the answer may be read with its Retry-After."""
    async with client(tmp_path, ALLOWED + "/") as http:
        asked = await http.request("OPTIONS", "/v1/me", headers={"Origin": ALLOWED, **PREFLIGHT})
        assert asked.status_code == 200 and asked.headers["access-control-allow-origin"] == ALLOWED
        assert "PATCH" in asked.headers["access-control-allow-methods"]
        assert "authorization" in asked.headers["access-control-allow-headers"].lower()
        assert "access-control-allow-credentials" not in asked.headers, "tokens are sent by hand, cookies never"
        answer = await http.get("/healthz", headers={"Origin": ALLOWED})
        assert answer.headers["access-control-allow-origin"] == ALLOWED and "Origin" in answer.headers["vary"]
        exposed = answer.headers["access-control-expose-headers"].split(", ")
        assert {"Retry-After", "ETag", "RateLimit"} <= set(exposed)


@pytest.mark.parametrize("origins", [(), (ALLOWED,)])
async def test_a15_any_other_origin_gets_no_leave(tmp_path: Path, origins: tuple[str, ...]) -> None:
    """A15: neither where none is allowed nor where another one is."""
    async with client(tmp_path, *origins) as http:
        for headers in ({"Origin": OTHER, **PREFLIGHT}, {"Origin": "null", **PREFLIGHT}):
            asked = await http.request("OPTIONS", "/v1/me", headers=headers)
            assert asked.status_code >= 400 and "access-control-allow-origin" not in asked.headers
        assert "access-control-allow-origin" not in (await http.get("/healthz", headers={"Origin": OTHER})).headers
