"""One gateway."""

from collections.abc import AsyncIterator

import pytest

from tests.api.gateway.world import World, world


@pytest.fixture
async def gate() -> AsyncIterator[World]:
    """A gateway with table T behind it."""
    async with world() as made:
        yield made
