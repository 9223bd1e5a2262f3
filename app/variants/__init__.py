"""The registry of variants (玩法): one line each. Whoever needs a game asks here and never names one.

A variant may not import another; nothing above this package may branch on a slug.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.kernel.variant import Variant
from app.variants import guizhou, tangshan, tianjin

VARIANTS: Final[Mapping[str, Variant[Any]]] = {
    variant.meta.slug: variant
    for variant in (
        tianjin.VARIANT,
        guizhou.VARIANT,
        tangshan.VARIANT,
    )
}
"""Slug → variant, in the order people see."""
