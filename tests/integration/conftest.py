"""One running node."""

from collections.abc import AsyncIterator

import pytest

from app.api.gateway import connection
from app.settings import Settings
from app.storage.live.nodes import nodes, placement
from tests.integration.nodes import RunningNode, serving


@pytest.fixture(autouse=True)
def nobody_counts_as_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raw sockets do not ping, however long a test takes. A test about silence sets the limit itself."""
    monkeypatch.setattr(connection, "SILENT_S", 600.0)


@pytest.fixture
def nobody_counts_as_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that stands still for longer than a heartbeat lives, nodes rightly take each other's tables: where
    that is not the matter, it lives longer than any test."""
    monkeypatch.setattr(nodes, "TTL_S", 60.0)
    monkeypatch.setattr(nodes, "MISSED_S", 60.0)
    monkeypatch.setattr(placement, "_QUIET_S", 30.0)


@pytest.fixture
async def node(settings: Settings) -> AsyncIterator[RunningNode]:
    """A node on fresh stores."""
    async with serving(settings) as node:
        yield node
