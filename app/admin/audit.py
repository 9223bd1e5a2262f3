"""Who is calling, whether he may, and the log of it: every operator's call is written down with who, when and why.

A call that changes something is logged before it begins (status 0) and when it ended; a look, hidden tiles included,
before its answer leaves. If the log cannot be written, the call is not answered.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Coroutine
from itertools import takewhile
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.admin.services import AdminServices
from app.storage.archive import operators
from app.storage.archive.operators import Operator
from app.storage.archive.refusal import Refusal
from app.storage.archive.scopes import SCOPES, Scope
from app.storage.archive.tokens import digest

_bearer = HTTPBearer(auto_error=False, scheme_name="OperatorToken", description="An operator's token.")
_LOOKS: Final = frozenset({"GET", "HEAD"})
_SECRET: Final = frozenset({"password", "old_password"})
_CHARS: Final = 200


def services_of(request: Request) -> AdminServices:
    """The services that the composition root gave to this app."""
    services: AdminServices = request.app.state.admin_services
    return services


Given = Annotated[AdminServices, Depends(services_of)]


async def identify(services: AdminServices, token: str) -> Operator | None:
    """The operator behind a token: one of the archive's, or the deployment's own (`MJ_ADMIN_TOKEN`)."""
    own = services.settings.admin_token
    if own is not None and hmac.compare_digest(own.get_secret_value().encode(), token.encode()):
        return Operator(None, "deployment", "admin", frozenset(SCOPES))
    async with services.archive.read() as db:
        return await operators.operator_of(db, digest(token), services.now())


async def _operator(
    request: Request, bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Operator:
    found: Operator | None = getattr(request.state, "operator", None)
    if bearer is None or found is None:
        raise Refusal("not_signed_in", "an operator's token is needed")
    return found


Caller = Annotated[Operator, Depends(_operator)]
"""The calling operator. Raises Refusal not_signed_in."""


def needs(scope: Scope) -> Any:
    """A dependency: the calling operator, whose token has the scope. Raises Refusal forbidden."""

    async def check(operator: Caller) -> Operator:
        if scope not in operator.scopes:
            raise Refusal("forbidden", f"this needs the scope '{scope}'")
        return operator

    return Depends(check)


class AuditedRoute(APIRoute):
    """A route whose calls are logged. Calls without a valid token are not an operator's, and are not."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, with the log around it."""
        handle = super().get_route_handler()

        async def audited(request: Request) -> Response:
            services = services_of(request)
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            operator = await identify(services, token.strip()) if scheme.lower() == "bearer" else None
            request.state.operator = operator
            if operator is None:
                return await handle(request)
            line = await _line(self.name, operator, request)
            if request.method not in _LOOKS:
                await _write(services, line, 0)
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
            await _write(services, line, response.status_code)
            return response

        return audited


def _answer_of(request: Request, error: Exception) -> Any:
    """How this app answers such an error, so that the log holds the status that was answered; None: a bug of ours."""
    kinds = takewhile(lambda kind: kind is not Exception, type(error).__mro__)
    return next((found for kind in kinds if (found := request.app.exception_handlers.get(kind)) is not None), None)


async def _line(action: str, operator: Operator, request: Request) -> dict[str, Any]:
    """Who, what, to whom, why, and the rest of what was asked, as short texts. Secrets are left out."""
    asked = {**request.query_params, **_plain(await request.body())}
    detail = {_short(key): _short(value) for key, value in asked.items() if key not in _SECRET}
    return {
        "actor": operator.name,
        "action": action,
        "subject": _short("/".join([str(value) for value in request.path_params.values()])),
        "reason": detail.pop("reason", ""),
        "detail": detail,
    }


def _plain(body: bytes) -> dict[str, Any]:
    try:
        plain = json.loads(body) if body else {}
    except (ValueError, RecursionError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _short(value: object) -> str:
    """At most `_CHARS` characters that Postgres can keep."""
    try:
        text = str(value)
    except RecursionError:
        return "…"
    return "".join([char if char.isprintable() else "?" for char in text[:_CHARS]])


async def _write(services: AdminServices, line: dict[str, Any], status: int) -> None:
    async with services.archive.begin() as db:
        await operators.log_call(db, status=status, **line)
