"""Health checks of proxies: any of the usual ways to ask is answered (A15)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.health import health_router

WELL = {"draining": False, "store_away_s": 0.0, "socket_works": None}


async def _asked(method: str, path: str, facts: dict[str, Any]) -> httpx.Response:
    app = FastAPI()
    app.include_router(health_router("n1", lambda: facts))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as http:
        return await http.request(method, path)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_get_and_head_are_both_answered(method: str, path: str) -> None:
    """A15."""
    assert (await _asked(method, path, WELL)).status_code == 200


@pytest.mark.parametrize("change", [{"draining": True}, {"store_away_s": 3.0}, {"socket_works": False}])
async def test_a_node_that_cannot_take_traffic_says_so(change: dict[str, Any]) -> None:
    response = await _asked("GET", "/readyz", {**WELL, **change})
    assert response.status_code == 503 and response.json() == {"ready": False, **WELL, **change}
    assert (await _asked("HEAD", "/healthz", {**WELL, **change})).status_code == 200
