"""`@immutable`: a slotted record whose fields nobody may set again. The one way to declare values in this package.

The type checker forbids the setting, not the running program: `dataclass(frozen=True)` makes each new value four times
as dear, and a fold makes little else than new values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def immutable(cls: type[T]) -> type[T]:
    """A dataclass that compares and hashes by its fields; all of `dataclasses` works on it (`replace`, `fields`)."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
