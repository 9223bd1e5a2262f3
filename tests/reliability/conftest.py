"""One running node on real stores."""

from collections.abc import AsyncIterator

import pytest

from app.api.gateway import connection
from app.settings import Settings
from tests.integration.nodes import RunningNode, serving


@pytest.fixture(autouse=True)
def nobody_counts_as_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raw sockets do not ping, however long a test takes. A test about silence sets the limit itself."""
    monkeypatch.setattr(connection, "SILENT_S", 600.0)


@pytest.fixture
async def node(settings: Settings) -> AsyncIterator[RunningNode]:
    """A node on fresh stores."""
    async with serving(settings) as node:
        yield node
