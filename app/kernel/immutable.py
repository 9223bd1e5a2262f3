"""`@immutable`: a record whose fields nobody may set again. The one way to declare values in this package.

It is a struct of msgspec that `dataclasses` knows too. A fold makes little else than new values, and a struct is made
in a third of a dataclass's time and compared in a sixth. The garbage collector does not look at it (`gc=False`): values
hold values, so they die by their last reference, and a value that holds itself cannot be made.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass
from typing import Any, TypeVar, cast, dataclass_transform

import msgspec  # nowhere else in the kernel: a contract sees to it

T = TypeVar("T")

_STRUCT: Any = type(msgspec.Struct)


@dataclass_transform(frozen_default=True)
def immutable(cls: type[T]) -> type[T]:
    """A struct that compares and hashes by its fields; all of `dataclasses` works on it (`replace`, `fields`)."""
    body = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    bases = tuple([base for base in cls.__bases__ if base is not object])
    described = cast(Any, dataclass(type(cls.__name__, bases, dict(body)))).__dataclass_fields__
    defaults = {name: _default(field) for name, field in described.items() if name in body}
    own = {**body, **defaults, "__dataclass_fields__": described}
    return cast(type[T], _STRUCT(cls.__name__, (msgspec.Struct, *bases), own, frozen=True, gc=False))


def _default(field: Field[Any]) -> Any:
    """A field's default as msgspec wants it."""
    return field.default if field.default_factory is MISSING else msgspec.field(default_factory=field.default_factory)
