"""What operators' answers look like: the models' bases, bounded inputs, and how errors are described in OpenAPI.

Error bodies themselves are made where all of REST's are; here they are only named.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from app.protocol.v1.examples import add_examples
from app.refusal import ErrorCode


class Asked(BaseModel):
    """A request's body: strict types, nothing unknown."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=add_examples)


class Shown(BaseModel):
    """A response's body."""

    model_config = ConfigDict(from_attributes=True, json_schema_extra=add_examples)


class OperatorErrorDetail(BaseModel):
    """`code` is for programs and stable; `field` names the part of the input to blame, if any."""

    code: ErrorCode = Field(examples=["forbidden"])
    message: str
    field: str | None = None


class OperatorError(BaseModel):
    """The body of every answer that is an error, the same as in the players' API."""

    error: OperatorErrorDetail


def printable(text: str) -> str:
    """Raises ValueError for control characters, which neither people nor Postgres want in a text."""
    if not all(char.isprintable() or char == "\n" for char in text):
        raise ValueError("control characters are not allowed")
    return text


Reason = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(printable)
]
"""Why; it goes into the audit log."""
ReasonQuery = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(printable),
    Query(description="Why; it goes into the audit log."),
]
"""The same for calls without a body."""
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64), AfterValidator(printable)]
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
IdPath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,80}$")]
Limit = Annotated[int, Query(ge=1, le=100, description="At most so many rows.")]
Cursor = Annotated[
    str | None, Query(max_length=200, description="`cursor` of the page before; absent for the first page.")
]


class WithReason(Asked):
    """Why it is done."""

    reason: Reason = Field(examples=["reported three times for abuse"])


_CODES: Final = {
    400: (ErrorCode.MALFORMED,), 401: (ErrorCode.NOT_SIGNED_IN, ErrorCode.WRONG_PASSWORD), 403: (ErrorCode.FORBIDDEN,),
    404: (ErrorCode.NOT_FOUND, ErrorCode.NO_SUCH_ROOM), 409: (ErrorCode.CONFLICT, ErrorCode.NAME_TAKEN),
    413: (ErrorCode.TOO_LARGE,), 422: (ErrorCode.INVALID,), 429: (ErrorCode.RATE_LIMITED,), 503: (ErrorCode.BUSY,),
}  # fmt: skip


def told(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's description of the errors an operation may answer with, an example for each code."""
    return {status: _told(status) for status in statuses}


def _told(status: int) -> dict[str, Any]:
    bodies = {
        str(code): {"value": {"error": {"code": str(code), "message": "What went wrong, as one sentence."}}}
        for code in _CODES[status]
    }
    content = {"application/json": {"examples": bodies}}
    return {"model": OperatorError, "description": HTTPStatus(status).phrase, "content": content}


EVERYWHERE: Final = told(400, 401, 403, 413, 422, 503)
"""What any operator's call may answer."""
