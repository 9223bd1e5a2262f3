"""Behind a node's own path there are its socket and its health, and nothing a proxy blocks elsewhere (S10)."""

from __future__ import annotations

from typing import Any

import pytest

from app.serving.serve import strip_node


@pytest.mark.parametrize(
    ("path", "served"),
    [
        ("/n/n1/v1/ws", "/v1/ws"), ("/n/n1/healthz", "/healthz"), ("/n/n1/readyz", "/readyz"),
        ("/v1/admin/me", "/v1/admin/me"), ("/n/n1/v1/admin/me", "/n/n1/v1/admin/me"),
        ("/n/x/v1/admin", "/n/x/v1/admin"), ("/n/n1/", "/n/n1/"), ("/n/n1/v1/ws\n", "/n/n1/v1/ws\n"),
        ("/n/n1/n/n2/v1/ws", "/n/n1/n/n2/v1/ws"), ("/n/n1/v1/wsx", "/n/n1/v1/wsx"),
    ],
)  # fmt: skip
async def test_one_path_leads_to_each_thing(path: str, served: str) -> None:
    """S10."""
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])

    await strip_node(app)({"type": "http", "path": path, "raw_path": path.encode()}, None, None)  # type: ignore[arg-type]
    assert seen == [served]
