"""What `tests/variants/<slug>/concealed.py` says of a game whose players lay tiles face down: one case to be shown."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from app.kernel.variant import Setup
from app.variants import VARIANTS


class Case(NamedTuple):
    """A wall that gives the dealer four of `tile`; the verb that lays them; the view of everybody else."""

    tile: str
    verb: str
    shown: dict[str, Any]
    wall: Callable[[Setup], Setup]


def _case(slug: str) -> Case | None:
    name = f"tests.variants.{slug}.concealed"
    return None if find_spec(name) is None else import_module(name).CASE


CASES: dict[str, Case] = {slug: case for slug in VARIANTS if (case := _case(slug)) is not None}
"""By slug; a game without such a file lays nothing face down."""
