"""Liveness, readiness, version and metrics of this process, for proxies and operators; not in OpenAPI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Final

from fastapi import APIRouter, Request, Response

_NOT_READY_S: Final = 2.0
"""After this long without the live store the node is not ready."""
_LOOKS: Final = ["GET", "HEAD"]
METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def health_router(
    node: str, version: str, facts: Callable[[], Awaitable[dict[str, Any]]], metrics: Callable[[], bytes],
    watchers: Sequence[str],
) -> APIRouter:  # fmt: skip
    """`/healthz`, `/readyz`, `/version`, `/metrics`. `facts()` needs `draining`, `store_away_s` and `socket_works`; all
    of it is shown. `metrics()` is shown to the addresses and networks of `watchers` only.
    """
    seers = [ip_network(watcher, strict=False) for watcher in watchers]
    router = APIRouter(include_in_schema=False)

    @router.api_route("/healthz", methods=_LOOKS)
    async def healthz() -> dict[str, str]:
        """The process is up."""
        return {"status": "ok", "node": node}

    @router.api_route("/readyz", methods=_LOOKS)
    async def readyz(response: Response) -> dict[str, Any]:
        """Readiness: 503 while the node drains, and while the live store is away.

        An `archive` that is away is shown and no reason for 503: play goes on, and a proxy must not take it away (R1).
        """
        now = await facts()
        ready = now["store_away_s"] < _NOT_READY_S and not now["draining"] and now["socket_works"] is not False
        response.status_code = 200 if ready else 503
        return {"ready": ready, **now}

    @router.api_route("/version", methods=_LOOKS)
    async def running_version() -> dict[str, str]:
        """The version that runs here."""
        return {"version": version, "node": node}

    @router.api_route("/metrics", methods=_LOOKS)
    async def figures(request: Request) -> Response:
        """Figures of this node for Prometheus. Other addresses than the watchers' find nothing here."""
        if not _is_among(request.client.host if request.client else "", seers):
            return Response(status_code=404)
        return Response(metrics(), media_type=METRICS_TYPE)

    return router


def _is_among(address: str, networks: list[IPv4Network | IPv6Network]) -> bool:
    try:
        found = ip_address(address)
    except ValueError:  # a Unix socket, or a test's name
        return False
    return any(found in network for network in networks)
