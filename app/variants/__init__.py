"""The registry of variants (玩法): one line each. Every other package gets its games here and never names one.

A variant may not import another; nothing above this package may branch on a slug.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from app.kernel.variant import Variant

_FOLDERS: Final = (
    "tianjin",
    "guizhou",
    "tangshan",
)
"""The folders beside this file, each named by its slug, in the order that people see."""

VARIANTS: Final[Mapping[str, Variant[Any]]] = {
    folder: import_module(f"{__name__}.{folder}").VARIANT for folder in _FOLDERS
}
"""Slug → variant."""
