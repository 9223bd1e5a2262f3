"""Operators among themselves: signing in, tokens, accounts, the audit log."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field, StringConstraints

from app.admin.audit import AuditedRoute, Caller, ServicesDep, concerns, needs
from app.admin.bodies import (
    AuditLogOut,
    ChangeOperator,
    CreateOperator,
    MakeToken,
    NewTokenOut,
    OneTimePassword,
    OperatorAccountOut,
    OperatorAccountsOut,
    OperatorOut,
    ReasonQuery,
    SignInAsOperator,
    TokensOut,
    WithReason,
)
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import IdPath, Limit, ResponseBody
from app.rest.errors import for_operators
from app.storage.archive.operators import operators, second_factor
from app.storage.archive.operators.operators import Operator
from app.storage.archive.operators.scopes import EXPLICIT, ROLE_SCOPES, AdminRole, granted
from app.storage.archive.people import passwords
from app.storage.archive.people.tokens import digest, new_secret

router = APIRouter(route_class=AuditedRoute, tags=["operators"])

_FACTOR = "one_time_password"
_SHIFT = timedelta(hours=10)
"""Life of a sign-in."""


@router.post("/sessions", responses=for_operators(ErrorCode.WRONG_PASSWORD))
async def sign_in(asked: SignInAsOperator, services: ServicesDep, request: Request) -> NewTokenOut:
    """A token for one shift. `inspect` is in it only when asked for by name. The log names the token by its id."""
    remote = request.client.host if request.client else ""
    await services.limiter.spend("operator_sign_in", name=asked.name, address=remote)
    async with services.archive.read() as db:
        account = await operators.credentials(db, asked.name)
    if not await passwords.matches(asked.password, account and account[2], operators=True) or account is None:
        raise Refusal(ErrorCode.WRONG_PASSWORD, "name or password is wrong")
    secret, expires = new_secret(), services.now() + _SHIFT
    scopes = granted(account[1], asked.scopes)
    async with services.archive.begin() as db:
        if await second_factor.is_on(db, account[0]):
            if not await second_factor.accepts(db, account[0], asked.one_time_password or "", services.now()):
                raise Refusal(ErrorCode.WRONG_PASSWORD, "the one-time password is wrong or was used", _FACTOR)
        elif services.settings.operator_second_factor:
            scopes = frozenset()  # such a token may enrol, and nothing else
        token_id = await operators.create_token(db, account[0], "signed in", digest(secret), scopes, expires)
    concerns(request, token_id)
    return NewTokenOut(token=secret, scopes=sorted(scopes), expires_at=expires)


@router.get("/me", responses=for_operators())
async def who_am_i(me: Caller) -> OperatorOut:
    """My name, role and scopes."""
    return OperatorOut(name=me.name, role=me.role, scopes=sorted(me.scopes))


@router.get("/tokens", responses=for_operators())
async def my_tokens(me: Caller, services: ServicesDep) -> TokensOut:
    """My API tokens, without their secrets."""
    async with services.archive.read() as db:
        return TokensOut.model_validate({"items": await operators.tokens(db, _account(me))})


@router.post("/tokens", status_code=201, responses=for_operators())
async def make_token(asked: MakeToken, me: Caller, services: ServicesDep, request: Request) -> NewTokenOut:
    """A token of my own for a program: with scopes that my present token has, and never good for longer than that.

    `mj admin token` makes tokens that outlive a shift.
    """
    missing = set(asked.scopes) - me.scopes
    if missing:
        raise Refusal(ErrorCode.FORBIDDEN, f"your own token lacks {', '.join(sorted(missing))}")
    secret = new_secret()
    wished = None if asked.days is None else services.now() + timedelta(days=asked.days)
    expires = min([end for end in (wished, me.expires_at) if end is not None], default=None)
    async with services.archive.begin() as db:
        token_id = await operators.create_token(db, _account(me), asked.label, digest(secret), asked.scopes, expires)
    concerns(request, token_id)
    return NewTokenOut(token=secret, scopes=sorted(asked.scopes), expires_at=expires)


@router.delete(
    "/tokens/{token}",
    status_code=204,
    response_class=Response,
    responses=for_operators(ErrorCode.NOT_FOUND),
)
async def revoke_token(token: IdPath, me: Caller, services: ServicesDep, reason: ReasonQuery) -> None:
    """End one of my tokens."""
    async with services.archive.begin() as db:
        await operators.revoke_token(db, _account(me), token, services.now())


@router.get("/accounts", responses=for_operators())
async def accounts(services: ServicesDep, me: Annotated[Operator, needs("accounts")]) -> OperatorAccountsOut:
    """All operators."""
    async with services.archive.read() as db:
        return OperatorAccountsOut.model_validate({"items": await operators.accounts(db)})


@router.post("/accounts", status_code=201, responses=for_operators(ErrorCode.CONFLICT, ErrorCode.NAME_TAKEN))
async def create_account(
    asked: CreateOperator, services: ServicesDep, me: Annotated[Operator, needs("accounts")], request: Request
) -> OperatorAccountOut:
    """A new operator."""
    _refuse_wider(me, asked.role)
    await passwords.refuse_weak(asked.password, asked.name, operators=True)
    password_hash = await passwords.hashed(asked.password, operators=True)
    async with services.archive.begin() as db:
        made = await operators.create_account(db, asked.name, asked.role, password_hash)
    concerns(request, made["id"])
    return OperatorAccountOut.model_validate(made)


@router.patch(
    "/accounts/{account}",
    responses=for_operators(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT),
)
async def change_account(
    account: IdPath, change: ChangeOperator, services: ServicesDep, me: Annotated[Operator, needs("accounts")]
) -> OperatorAccountOut:
    """Change role or password, disable or enable. The last admin stays one.

    A new password ends the operator's other tokens; a disabled operator's tokens do nothing.
    """
    changes: dict[str, Any] = {}
    if change.role is not None:
        _refuse_wider(me, change.role)
        changes["role"] = change.role
    if change.password is not None:
        async with services.archive.read() as db:
            _refuse_wider(me, await operators.role_of(db, account))
        await passwords.refuse_weak(change.password, operators=True)
        changes["password_hash"] = await passwords.hashed(change.password, operators=True)
    if change.disabled is not None:
        changes["disabled_at"] = services.now() if change.disabled else None
    if not changes:
        raise Refusal(ErrorCode.INVALID, "nothing to change")
    async with services.archive.begin() as db:
        return OperatorAccountOut.model_validate(
            await operators.change_account(db, account, changes, now=services.now(), keep_token=me.token_id)
        )


class ProvePassword(WithReason):
    """The password of one's own account."""

    password: Annotated[str, StringConstraints(max_length=128)]


class SecondFactorOut(ResponseBody):
    """For an authenticator, to be confirmed with a code of it; shown this once."""

    secret: str = Field(examples=["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"])
    uri: str = Field(examples=["otpauth://totp/Quezhuo:root?secret=JBSWY3DPEHPK3PXP&issuer=Quezhuo"])


class ConfirmSecondFactor(WithReason):
    """A code of the authenticator."""

    one_time_password: OneTimePassword = Field(examples=["287082"])


@router.post("/second-factor", status_code=201, responses=for_operators(ErrorCode.WRONG_PASSWORD, ErrorCode.CONFLICT))
async def enrol(asked: ProvePassword, me: Caller, services: ServicesDep) -> SecondFactorOut:
    """A new secret for my second factor; it is on once a code of it is confirmed."""
    await services.limiter.spend("operator_sign_in", name=me.name)
    async with services.archive.read() as db:
        account = await operators.credentials(db, me.name)
    if not await passwords.matches(asked.password, account and account[2], operators=True) or account is None:
        raise Refusal(ErrorCode.WRONG_PASSWORD, "the password is wrong", "password")
    async with services.archive.begin() as db:
        secret, uri = await second_factor.begin(db, _account(me), me.name)
    return SecondFactorOut(secret=secret, uri=uri)


@router.post(
    "/second-factor/confirm",
    status_code=204,
    response_class=Response,
    responses=for_operators(ErrorCode.WRONG_PASSWORD),
)
async def confirm_second_factor(asked: ConfirmSecondFactor, me: Caller, services: ServicesDep) -> None:
    """Switch my second factor on: every sign-in needs a code from now on. Tokens that are there stay as they are."""
    await services.limiter.spend("operator_sign_in", name=me.name)
    async with services.archive.begin() as db:
        if not await second_factor.confirm(db, _account(me), asked.one_time_password, services.now()):
            raise Refusal(ErrorCode.WRONG_PASSWORD, "the one-time password is wrong or was used", _FACTOR)


@router.delete(
    "/accounts/{account}/second-factor",
    status_code=204,
    response_class=Response,
    responses=for_operators(ErrorCode.NOT_FOUND),
)
async def take_second_factor_away(
    account: IdPath, services: ServicesDep, me: Annotated[Operator, needs("accounts")], reason: ReasonQuery
) -> None:
    """For an operator who lost the authenticator: their next sign-in goes without it."""
    async with services.archive.begin() as db:
        _refuse_wider(me, await operators.role_of(db, account))
        await second_factor.take_away(db, account)


@router.get("/accounts/{account}/tokens", responses=for_operators(ErrorCode.NOT_FOUND))
async def tokens_of(account: IdPath, services: ServicesDep, me: Annotated[Operator, needs("accounts")]) -> TokensOut:
    """Another operator's tokens, without their secrets."""
    async with services.archive.read() as db:
        await operators.role_of(db, account)
        return TokensOut.model_validate({"items": await operators.tokens(db, account)})


@router.delete(
    "/accounts/{account}/tokens/{token}",
    status_code=204,
    response_class=Response,
    responses=for_operators(ErrorCode.NOT_FOUND),
)
async def revoke_token_of(
    account: IdPath, token: IdPath, services: ServicesDep, me: Annotated[Operator, needs("accounts")],
    reason: ReasonQuery,
) -> None:  # fmt: skip
    """End a token of another operator."""
    async with services.archive.begin() as db:
        await operators.revoke_token(db, account, token, services.now())


@router.get("/audit", responses=for_operators())
async def audit_log(
    services: ServicesDep,
    me: Annotated[Operator, needs("audit")],
    actor: Annotated[str | None, Query(max_length=64, pattern=r"^[^\x00-\x1f]*$")] = None,
    action: Annotated[str | None, Query(pattern=r"^[a-z_]{1,64}$")] = None,
    subject: Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_./-]{1,200}$")] = None,
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    orders: Annotated[bool, Query(description="Only calls with a reason, without looks.")] = False,
    limit: Limit = 50,
) -> AuditLogOut:
    """The audit log of operators' calls, newest first."""
    async with services.archive.read() as db:
        found = await operators.audit(db, actor, action, subject, before, limit, reasoned=orders)
    return AuditLogOut.model_validate({"items": found})


def _account(me: Operator) -> str:
    if me.account_id is None:
        raise Refusal(ErrorCode.FORBIDDEN, "the deployment's own token has no account")
    return me.account_id


def _refuse_wider(me: Operator, role: AdminRole) -> None:
    """Raises Refusal forbidden when an account of this role may do more than the caller's token.

    `inspect` aside: no sign-in has it unasked, and to have asked for it is in the log.
    """
    missing = ROLE_SCOPES[role] - EXPLICIT - me.scopes
    if missing:
        raise Refusal(ErrorCode.FORBIDDEN, f"your own token lacks {', '.join(sorted(missing))}")
