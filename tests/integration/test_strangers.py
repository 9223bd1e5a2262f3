"""A2: clients that strangers wrote from the one page alone play a match of each game and lose their socket in it."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from app.variants import VARIANTS
from tests.integration.nodes import RunningNode
from tests.integration.waiting import PATIENCE_S
from tests.tools import node as node_program

WRITTEN = Path(__file__).parents[1] / "protocol" / "stranger"


async def played(*command: str | Path) -> dict[str, Any]:
    """A client's account of its match."""
    pipe = asyncio.subprocess.PIPE
    client = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    async with asyncio.timeout(2 * PATIENCE_S):
        said, wrong = await client.communicate()
    assert client.returncode == 0, wrong.decode()
    found: dict[str, Any] = json.loads(said)
    return found


def check(told: dict[str, Any]) -> None:
    assert (told["rounds"], sum(told["totals"])) == (2, 0)
    assert told["resumed"] >= 1
    assert told["compared"] >= 1 and told["folded"] > 30
    assert set(told["refused"]) <= {"closed"}  # another player was quicker


@pytest.mark.parametrize("variant", list(VARIANTS))
async def test_a_stranger_plays_in_python(node: RunningNode, variant: str) -> None:
    check(await played(sys.executable, WRITTEN / "client.py", node.url, variant))


@pytest.mark.javascript
@pytest.mark.parametrize("variant", list(VARIANTS))
async def test_a_stranger_plays_in_node(node: RunningNode, variant: str) -> None:
    check(await played(str(node_program()), WRITTEN / "client.mjs", node.url, variant))
