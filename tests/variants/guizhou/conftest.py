"""The common fixture of the tests of 贵州捉鸡: the golden case file."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def golden() -> dict[str, Any]:
    """`cases.json`: lists `cases`, `hands`, `offers` with their right answers."""
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
    return loaded
