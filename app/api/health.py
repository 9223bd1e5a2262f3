"""Liveness and readiness of this process, for proxies and operators; not in OpenAPI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Response

_NOT_READY_S: Final = 2.0
"""After this long without the live store the node is not ready."""
_LOOKS: Final = ["GET", "HEAD"]


def health_router(node: str, facts: Callable[[], dict[str, Any]]) -> APIRouter:
    """`/healthz` and `/readyz`. `facts()` needs `draining`, `store_away_s` and `socket_works`; all of it is shown."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/healthz", methods=_LOOKS)
    async def healthz() -> dict[str, str]:
        """The process is up."""
        return {"status": "ok", "node": node}

    @router.api_route("/readyz", methods=_LOOKS)
    async def readyz(response: Response) -> dict[str, Any]:
        """Readiness: 503 while the node drains, and while the live store is away."""
        now = facts()
        ready = now["store_away_s"] < _NOT_READY_S and not now["draining"] and now["socket_works"] is not False
        response.status_code = 200 if ready else 503
        return {"ready": ready, **now}

    return router
