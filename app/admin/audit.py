"""Checks a caller's rights and keeps the audit log: every call with its caller, time and reason.

An operator's call that changes something is logged before it begins (status 0) and when it ended; a look, hidden tiles
included, before its answer leaves. A call that is turned away, or a sign-in, is logged with the known facts of its
caller. If the log cannot be written, the call is not answered. Secrets never come into it: see `_plain`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from itertools import takewhile
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.admin.callers import Calling, calling
from app.admin.services import AdminServices
from app.refusal import ErrorCode, Refusal
from app.storage.archive.operators import operators
from app.storage.archive.operators.operators import Operator
from app.storage.archive.operators.scopes import Scope

_bearer = HTTPBearer(auto_error=False, scheme_name="OperatorToken", description="An operator's token.")
_LOOKS: Final = frozenset({"GET", "HEAD"})
_SECRET: Final = ("password", "secret", "token", "authorization")
"""Fields with such a word in their name are never logged."""
_CHARS: Final = 200
SIGN_IN: Final = "sign_in"


def services_of(request: Request) -> AdminServices:
    """The services that the composition root gave to this app."""
    services: AdminServices = request.app.state.admin_services
    return services


ServicesDep = Annotated[AdminServices, Depends(services_of)]


async def _operator(
    request: Request, bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Operator:
    found: Operator | None = getattr(request.state, "operator", None)
    if bearer is None or found is None:
        raise Refusal(ErrorCode.NOT_SIGNED_IN, "an operator's token is needed")
    return found


Caller = Annotated[Operator, Depends(_operator)]
"""The calling operator. Raises Refusal not_signed_in."""


def needs(scope: Scope) -> Any:
    """A dependency: the calling operator, whose token has the scope. Raises Refusal forbidden."""

    async def check(operator: Caller) -> Operator:
        if scope not in operator.scopes:
            raise Refusal(ErrorCode.FORBIDDEN, f"this needs the scope '{scope}'")
        return operator

    return Depends(check)


def concerns(request: Request, subject: str) -> None:
    """Tell the log whom or what the call turned out to be about, where its path does not say it."""
    request.state.subject = subject


class AuditedRoute(APIRoute):
    """A route whose calls are logged for every caller."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, with the log around it."""
        handle = super().get_route_handler()

        async def audited(request: Request) -> Response:
            services = services_of(request)
            who = await calling(services, request)
            request.state.operator = who.operator
            line = await _line(self.name, who, request)
            if who.operator is None or self.name == SIGN_IN:
                return await _strangers(services, line, request, handle)
            if request.method not in _LOOKS:
                await _write(services, line, 0)
            return await _logged(services, line, request, handle)

        return audited


Handler = Callable[[Request], Coroutine[Any, Any, Response]]


async def _strangers(services: AdminServices, line: dict[str, Any], request: Request, handle: Handler) -> Response:
    """A call without an operator behind it (yet): one line; of very many that were turned away not for each."""
    number = services.strangers.logged(line["detail"]["remote"], services.now())
    if number is not None and number > services.strangers.EACH:
        line["detail"]["calls_this_minute"] = number
    return await _logged(services, line, request, handle, successes_only=number is None)


async def _logged(
    services: AdminServices, line: dict[str, Any], request: Request, handle: Handler, *, successes_only: bool = False
) -> Response:
    """Have it done, and write down how it ended before the answer leaves."""
    try:
        response = await handle(request)
    except Exception as error:
        why = getattr(error, "code", type(error).__name__)
        line["detail"]["error"] = "invalid" if isinstance(error, RequestValidationError) else why
        answer = _answer_of(request, error)
        if answer is None:
            await _write(services, line, 500)
            raise
        response = await answer(request, error)
    line["subject"] = getattr(request.state, "subject", line["subject"])
    if response.status_code < 400 or not successes_only:
        await _write(services, line, response.status_code)
    return response


def _answer_of(request: Request, error: Exception) -> Any:
    """The app's response to such an error, so that the log holds the status sent; None: a bug of ours."""
    kinds = takewhile(lambda kind: kind is not Exception, type(error).__mro__)
    return next((found for kind in kinds if (found := request.app.exception_handlers.get(kind)) is not None), None)


async def _line(action: str, who: Calling, request: Request) -> dict[str, Any]:
    """Who, what, to whom, why, and the rest of what an operator asked, as short texts. `who.trace` cannot be forged."""
    asked = _plain({**request.query_params, **_body(await request.body())})
    name, detail = who.name, asked if who.operator is not None else {}
    reason = asked.pop("reason", "")
    if action == SIGN_IN:
        name, detail = asked.get("name") or who.name, {key: asked[key] for key in asked.keys() & {"scopes"}}
    return {
        "actor": name,
        "action": action,
        "subject": _short("/".join([str(value) for value in request.path_params.values()])),
        "reason": reason,
        "detail": {**detail, **who.trace},
    }


def _body(body: bytes) -> dict[str, Any]:
    try:
        plain = json.loads(body) if body else {}
    except (ValueError, RecursionError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _plain(asked: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a request as short texts by name, without secrets and without nested values."""
    return {
        _short(key): _short(value)
        for key, value in asked.items()
        if not any(word in key.lower() for word in _SECRET) and not _nests(value)
    }


def _nests(value: object) -> bool:
    """Objects, and lists with anything but plain values in them: no field of an operator's call is one."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(part, dict | list) for part in value))


def _short(value: object) -> str:
    """At most `_CHARS` characters that Postgres can keep; a list's parts with commas between."""
    if isinstance(value, list):
        value = ",".join([str(part) for part in value])
    return "".join([char if char.isprintable() else "?" for char in str(value)[:_CHARS]])


async def _write(services: AdminServices, line: dict[str, Any], status: int) -> None:
    async with services.archive.begin() as db:
        await operators.log_call(db, status=status, **line)
