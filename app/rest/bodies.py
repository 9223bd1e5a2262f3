"""The two base classes of bodies, and the kinds of value that bodies, paths and queries are made of, each bounded.

A request body is named after its request (`CreateRoom`); a response body, whole or part, ends in `Out` (`RoomOut`).
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from app.rest.examples import add_examples


class RequestBody(BaseModel):
    """A request body: strict types, no unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=add_examples)


class ResponseBody(BaseModel):
    """A response body, whole or part."""

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
"""A name before `app.service.words` has looked at it."""
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]

IdPath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
SlugPath = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Limit = Annotated[int, Query(ge=1, le=100, description="The largest number of rows to return.")]
Cursor = Annotated[
    str | None, Query(max_length=200, description="`cursor` of the page before; absent for the first page.")
]
