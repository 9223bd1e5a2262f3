"""One running node on real stores."""

from collections.abc import AsyncIterator

import pytest

from app.settings import Settings
from tests.integration.nodes import RunningNode, serving


@pytest.fixture
async def node(settings: Settings) -> AsyncIterator[RunningNode]:
    """A node on fresh stores."""
    async with serving(settings) as node:
        yield node
