"""Every error body of REST: `{"error": {"code", "message", "field"?, "reason"?, "limit"?, "left_ms"?}}`.

This module translates exceptions into answers and describes them in OpenAPI; it decides nothing. A bug of ours is
logged and answered with 500 `internal`; it is never made the caller's fault.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.kernel.errors import MalformedInput
from app.refusal import MESSAGES, ErrorCode, Refusal
from app.rest.bug_log import log_away, log_bug
from app.storage.archive.engine import AWAY

log = logging.getLogger(__name__)

STATUS: Final[Mapping[ErrorCode, int]] = {
    ErrorCode.MALFORMED: 400,
    ErrorCode.NOT_SIGNED_IN: 401,
    ErrorCode.WRONG_PASSWORD: 401,
    ErrorCode.BANNED: 403,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.NOT_ALLOWED: 403,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.NO_SUCH_ROOM: 404,
    ErrorCode.CONFLICT: 409,
    ErrorCode.FROZEN: 409,
    ErrorCode.MOVED: 409,
    ErrorCode.NAME_TAKEN: 409,
    ErrorCode.NOT_HOST: 409,
    ErrorCode.NOT_NOW: 409,
    ErrorCode.NOT_SEATED: 409,
    ErrorCode.ROOM_FULL: 409,
    ErrorCode.SEAT_TAKEN: 409,
    ErrorCode.CLOSED: 410,
    ErrorCode.GONE: 410,
    ErrorCode.ROOM_CLOSED: 410,
    ErrorCode.TOO_LARGE: 413,
    ErrorCode.BLOCKED_WORD: 422,
    ErrorCode.INVALID: 422,
    ErrorCode.RATE_LIMITED: 429,
    ErrorCode.INTERNAL: 500,
    ErrorCode.BUSY: 503,
    ErrorCode.SAVING: 503,
    ErrorCode.TOO_MANY_TABLES: 503,
}
"""Code → HTTP status. Codes that only sockets use are not here."""

_REASONS: Final[Mapping[str, tuple[str, str]]] = {
    "string_too_long": ("too_long", "max_length"),
    "string_too_short": ("too_short", "min_length"),
    "string_pattern_mismatch": ("signs", ""),
    "value_error": ("signs", ""),
    "less_than_equal": ("too_large", "le"),
    "greater_than_equal": ("too_small", "ge"),
    "missing": ("missing", ""),
}
"""Finding of a body's check → `reason`, and the name of the bound in its context."""

RETRY_AFTER_S: Final = {429: "5", 503: "2"}


class ErrorDetail(BaseModel):
    """An error. `code` is for programs and stable; `field` names the part of the input to blame."""

    code: ErrorCode
    message: str
    field: str | None = Field(None, description="Dotted path to the part of the input to blame; absent when none is.")
    reason: str | None = Field(
        None,
        description="The case of a code with several cases; stable. For example `seated_elsewhere` of `conflict`, "
        "`name_length`, `too_long` and `signs` of `invalid`; absent for a code with one case.",
    )
    limit: int | None = Field(None, description="The number that was exceeded or not reached, if that is the fault.")
    left_ms: int | None = Field(None, description="With `rate_limited`: milliseconds until the next try, if known.")


class ErrorBody(BaseModel):
    """The body of every answer that is an error."""

    error: ErrorDetail


def error_response(
    code: ErrorCode, message: str, field: str | None = None, status: int | None = None, *, reason: str | None = None,
    limit: int | None = None, left_ms: int | None = None,
) -> Response:  # fmt: skip
    """The error as a response; ASCII-escaped, since it may quote anything that came in."""
    detail: dict[str, str | int] = {"code": str(code), "message": message}
    for name, value in (("field", field or None), ("reason", reason), ("limit", limit), ("left_ms", left_ms)):
        if value is not None:
            detail[name] = value
    status = status or STATUS[code]
    headers = {"Retry-After": RETRY_AFTER_S[status]} if status in RETRY_AFTER_S else {}
    if left_ms is not None:
        headers["Retry-After"] = str(-(-left_ms // 1000))
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return _Ascii({"error": detail}, status, headers)


class _Ascii(JSONResponse):
    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=True).encode("ascii")


def error_responses(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """OpenAPI's description of the errors that an operation may answer with: an example of each code, by status."""
    by_status: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        status = STATUS[code]
        example = {"error": {"code": str(code), "message": MESSAGES[code]}}
        entry = by_status.setdefault(
            status,
            {
                "model": ErrorBody,
                "description": HTTPStatus(status).phrase,
                "content": {"application/json": {"examples": {}}},
            },
        )
        entry["content"]["application/json"]["examples"][str(code)] = {"value": example}
    return by_status


def anywhere(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """`error_responses`, with what every operation may answer."""
    return error_responses(
        ErrorCode.MALFORMED, ErrorCode.TOO_LARGE, ErrorCode.INVALID, ErrorCode.RATE_LIMITED, ErrorCode.BUSY, *codes
    )


def signed_in(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """`error_responses`, with what every operation for signed-in players may answer."""
    return anywhere(ErrorCode.NOT_SIGNED_IN, ErrorCode.BANNED, *codes)


def for_operators(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """`error_responses`, with what every operation for operators may answer."""
    return anywhere(ErrorCode.NOT_SIGNED_IN, ErrorCode.FORBIDDEN, *codes)


def install(app: FastAPI) -> None:
    """Have every error of this app answered in the one form."""
    for kind in AWAY:
        app.add_exception_handler(kind, _away)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(MalformedInput, _malformed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(BugShield)


def refused(refusal: Refusal) -> Response:
    """The response to a refusal."""
    return error_response(
        refusal.code, refusal.message, refusal.field,
        reason=refusal.reason, limit=refusal.limit, left_ms=refusal.left_ms,
    )  # fmt: skip


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(error)


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, MalformedInput)
    return error_response(ErrorCode.INVALID, error.problem, error.field)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if part not in ("body", "query", "path", "header")]
    if first["type"] == "json_invalid":
        return error_response(ErrorCode.MALFORMED, "the body is not JSON")
    reason, bound = _REASONS.get(first["type"], (None, ""))
    limit = first.get("ctx", {}).get(bound)
    return error_response(ErrorCode.INVALID, str(first["msg"]), ".".join(where) or None, reason=reason, limit=limit)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    codes = {400: ErrorCode.MALFORMED, 401: ErrorCode.NOT_SIGNED_IN, 403: ErrorCode.FORBIDDEN, 404: ErrorCode.NOT_FOUND}
    response = error_response(
        codes.get(error.status_code, ErrorCode.INVALID), str(error.detail), status=error.status_code
    )
    response.headers.update(error.headers or {})
    return response


async def _away(request: Request, error: Exception) -> Response:
    log_away(log, error)
    return error_response(ErrorCode.BUSY, "a store is away for the moment; try again")


class BugShield:
    """Answers 500 `internal` for a bug of ours and logs it without values; the server under us never sees it.

    An exception that leaves the app would be logged by the server with its whole text, SQL parameters included.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = False

        async def sent(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            route = scope.get("route")
            log_bug(log, f"{scope['method']} {getattr(route, 'path', '?')}", error)
            if not began:
                answer = error_response(ErrorCode.INTERNAL, MESSAGES[ErrorCode.INTERNAL])
                await answer(scope, receive, send)
