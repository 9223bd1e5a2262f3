"""Health checks of proxies: any of the usual ways to ask is answered (A15)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.api.health import health_router

WELL = {"draining": False, "store_away_s": 0.0, "socket_works": None}


async def _asked(method: str, path: str, facts: dict[str, Any], address: str = "10.1.2.3") -> httpx.Response:
    async def facts_now() -> dict[str, Any]:
        return facts

    app = FastAPI()
    app.include_router(health_router("n1", "9.8.7", facts_now, lambda: b"mj_tables 3\n", ("10.1.0.0/16",)))
    transport = httpx.ASGITransport(app, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        return await http.request(method, path)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/version", "/metrics"])
async def test_get_and_head_are_both_answered(method: str, path: str) -> None:
    """A15."""
    assert (await _asked(method, path, WELL)).status_code == 200


@pytest.mark.parametrize("change", [{"draining": True}, {"store_away_s": 3.0}, {"socket_works": False}])
async def test_a_node_that_cannot_take_traffic_says_so(change: dict[str, Any]) -> None:
    response = await _asked("GET", "/readyz", {**WELL, **change})
    assert response.status_code == 503 and response.json() == {"ready": False, **WELL, **change}
    assert (await _asked("HEAD", "/healthz", {**WELL, **change})).status_code == 200


async def test_a_node_says_its_version() -> None:
    assert (await _asked("GET", "/version", WELL)).json() == {"version": "9.8.7", "node": "n1"}


@pytest.mark.parametrize(("address", "status"), [("10.1.9.9", 200), ("10.2.0.1", 404), ("testclient", 404)])
async def test_metrics_are_for_watchers_only(address: str, status: int) -> None:
    response = await _asked("GET", "/metrics", WELL, address)
    assert response.status_code == status and (b"mj_tables" in response.content) is (status == 200)


async def test_an_archive_that_is_away_is_shown_and_takes_nobody_from_their_table() -> None:
    """R1: sign-in is busy and play goes on, so a proxy must go on sending players here."""
    response = await _asked("GET", "/readyz", {**WELL, "archive": "away"})
    assert response.status_code == 200 and response.json()["archive"] == "away"
