"""The kinds of values that bodies, paths and queries are made of, each bounded, and the two model bases."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from app.kernel.variant import Option
from app.protocol.v1.examples import add_examples


class Asked(BaseModel):
    """A request's body: strict types, nothing unknown."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=add_examples)


class Shown(BaseModel):
    """A response's body."""

    model_config = ConfigDict(from_attributes=True, json_schema_extra=add_examples)


def printable(text: str) -> str:
    """Raises ValueError for control characters, which neither people nor Postgres want in a text."""
    if not all(char.isprintable() or char == "\n" for char in text):
        raise ValueError("control characters are not allowed")
    return text


Text200 = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(printable)]
"""A sentence or two."""
Reason = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(printable)
]
"""Why something is done; never empty."""
Name = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(printable)]
"""A name before `names.display_name` has looked at it."""
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Code = Annotated[str, StringConstraints(pattern=r"^[0-9]{6}$")]
Rules = Annotated[dict[str, bool | int | str], "options by name"]

IdPath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
SlugPath = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Limit = Annotated[int, Query(ge=1, le=100, description="At most so many rows.")]
Cursor = Annotated[
    str | None, Query(max_length=200, description="`cursor` of the page before; absent for the first page.")
]


class OptionShown(Shown):
    """One option of a room, for forms: `int` from `low` to `high`, `choice` one of `choices`, or `bool`."""

    name: str
    kind: str
    default: bool | int | str
    label_zh: str
    label_en: str
    low: int | None
    high: int | None
    choices: list[int | str]
    choice_labels: list[str]
    help_zh: str
    help_en: str
    clause: str


def option_shown(option: Option) -> dict[str, Any]:
    """An option as `OptionShown`."""
    bounded = option.kind == "int"
    return {
        "name": option.name, "kind": option.kind, "default": option.default, "label_zh": option.label_zh,
        "label_en": option.label_en, "low": option.low if bounded else None, "high": option.high if bounded else None,
        "choices": list(option.choices), "choice_labels": list(option.choice_labels), "help_zh": option.help_zh,
        "help_en": option.help_en, "clause": option.clause,
    }  # fmt: skip
