"""Operators: their accounts and API tokens, and the log of everything they did (append-only, by the database too)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import case, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Db
from app.storage.archive.operators.scopes import AdminRole, Scope, granted
from app.storage.archive.paging import Page, Row, after, page
from app.storage.archive.schema import admin_accounts, admin_tokens, audit_log, reports, users
from app.storage.archive.schema.columns import new_id

ACCOUNTS_AT_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class Operator:
    """The calling operator, with the scopes of the token. The deployment's own token has neither account nor id."""

    account_id: str | None
    name: str
    role: AdminRole
    scopes: frozenset[Scope]
    token_id: str = ""
    expires_at: datetime | None = None
    """When the token ends; None: when it is revoked."""


_ACCOUNT = (
    admin_accounts.c.id,
    admin_accounts.c.name,
    admin_accounts.c.role,
    admin_accounts.c.created_at,
    admin_accounts.c.disabled_at,
)


async def create_account(db: Db, name: str, role: AdminRole, password_hash: str) -> Row:
    """A new operator: id, name, role, created_at, disabled_at. Raises Refusal: name_taken, conflict (enough)."""
    if (await db.execute(select(func.count()).select_from(admin_accounts))).scalar_one() >= ACCOUNTS_AT_MOST:
        raise Refusal(
            ErrorCode.CONFLICT, f"there are {ACCOUNTS_AT_MOST} operators; reuse an account that is out of use"
        )
    new = insert(admin_accounts).values(id=new_id(), name=name, role=role, password_hash=password_hash)
    try:
        async with db.begin_nested():
            return dict((await db.execute(new.returning(*_ACCOUNT))).mappings().one())
    except IntegrityError:
        raise Refusal(ErrorCode.NAME_TAKEN, "another operator has this name", "name") from None


async def accounts(db: Db) -> list[Row]:
    """All operators by name, disabled ones too."""
    found = await db.execute(select(*_ACCOUNT).order_by(admin_accounts.c.name))
    return [dict(row) for row in found.mappings()]


async def change_account(
    db: Db, account_id: str, changes: Mapping[str, Any], *, now: datetime, keep_token: str = ""
) -> Row:
    """Change role, password_hash or disabled_at. Raises Refusal: not_found, conflict (the last admin stays one).

    A new password ends all tokens of the account but `keep_token` (the caller's own).
    """
    admins = select(admin_accounts.c.id).where(admin_accounts.c.role == "admin", admin_accounts.c.disabled_at.is_(None))
    left = {row.id for row in await db.execute(admins.with_for_update())} - {account_id}
    demotes = changes.get("role", "admin") != "admin" or changes.get("disabled_at") is not None
    query = select(admin_accounts.c.role).where(admin_accounts.c.id == account_id)
    role = (await db.execute(query)).scalar_one_or_none()
    if role is None:
        raise not_found("operator")
    if role == "admin" and demotes and not left:
        raise Refusal(ErrorCode.CONFLICT, "somebody has to stay admin")
    if "password_hash" in changes:
        others = (admin_tokens.c.account_id == account_id) & (admin_tokens.c.id != keep_token)
        await db.execute(update(admin_tokens).where(others, admin_tokens.c.revoked_at.is_(None)).values(revoked_at=now))
    change = update(admin_accounts).where(admin_accounts.c.id == account_id).values(dict(changes))
    return dict((await db.execute(change.returning(*_ACCOUNT))).mappings().one())


async def role_of(db: Db, account_id: str) -> AdminRole:
    """An operator's role. Raises Refusal not_found."""
    query = select(admin_accounts.c.role).where(admin_accounts.c.id == account_id)
    role: AdminRole | None = (await db.execute(query)).scalar_one_or_none()
    if role is None:
        raise not_found("operator")
    return role


async def credentials(db: Db, name: str) -> tuple[str, AdminRole, str] | None:
    """(id, role, password hash) of an operator who is not disabled."""
    query = select(admin_accounts.c.id, admin_accounts.c.role, admin_accounts.c.password_hash).where(
        admin_accounts.c.name == name, admin_accounts.c.disabled_at.is_(None)
    )
    row = (await db.execute(query)).one_or_none()
    return None if row is None else (row.id, row.role, row.password_hash)


async def create_token(
    db: Db, account_id: str, label: str, token_hash: bytes, scopes: Iterable[Scope], expires_at: datetime | None
) -> str:
    """A token with these scopes. Returns its id."""
    token_id = new_id()
    await db.execute(
        insert(admin_tokens).values(
            id=token_id, token_hash=token_hash, account_id=account_id, label=label, scopes=sorted(scopes),
            expires_at=expires_at,
        )
    )  # fmt: skip
    return token_id


async def tokens(db: Db, account_id: str) -> list[Row]:
    """An operator's tokens, newest first: id, label, scopes, created_at, expires_at, revoked_at."""
    columns = admin_tokens.c
    query = (
        select(columns.id, columns.label, columns.scopes, columns.created_at, columns.expires_at, columns.revoked_at)
        .where(columns.account_id == account_id)
        .order_by(columns.created_at.desc(), columns.id)
        .limit(100)
    )
    return [dict(row) for row in (await db.execute(query)).mappings()]


async def revoke_token(db: Db, account_id: str, token_id: str, now: datetime) -> None:
    """End one of an operator's own tokens; again: no change. Raises Refusal not_found."""
    mine = (admin_tokens.c.id == token_id) & (admin_tokens.c.account_id == account_id)
    if (await db.execute(select(admin_tokens.c.id).where(mine))).first() is None:
        raise not_found("token")
    await db.execute(update(admin_tokens).where(mine, admin_tokens.c.revoked_at.is_(None)).values(revoked_at=now))


async def operator_of(db: Db, token_hash: bytes, now: datetime) -> Operator | None:
    """The operator of a token, with the scopes that their role still allows.

    None: unknown, expired, revoked, disabled.
    """
    query = (
        select(
            admin_accounts.c.id, admin_accounts.c.name, admin_accounts.c.role, admin_tokens.c.scopes,
            admin_tokens.c.id.label("token_id"), admin_tokens.c.expires_at,
        )
        .join(admin_tokens)
        .where(
            admin_tokens.c.token_hash == token_hash,
            admin_tokens.c.revoked_at.is_(None),
            admin_accounts.c.disabled_at.is_(None),
            admin_tokens.c.expires_at.is_(None) | (admin_tokens.c.expires_at > now),
        )
    )  # fmt: skip
    row = (await db.execute(query)).one_or_none()
    if row is None:
        return None
    return Operator(row.id, row.name, row.role, granted(row.role, row.scopes), row.token_id, row.expires_at)


async def spent_token(db: Db, token_hash: bytes, now: datetime) -> Row | None:
    """For an invalid token: its id, the name of its operator, and the reason (revoked, expired, disabled)."""
    why = case(
        (admin_tokens.c.revoked_at.is_not(None), "revoked"),
        (admin_tokens.c.expires_at <= now, "expired"),
        else_="disabled",
    ).label("why")
    query = (
        select(admin_tokens.c.id, admin_accounts.c.name, why)
        .join(admin_accounts)
        .where(admin_tokens.c.token_hash == token_hash)
    )
    row = (await db.execute(query)).mappings().one_or_none()
    return None if row is None else dict(row)


async def log_call(
    db: Db, actor: str, action: str, subject: str, reason: str, status: int, detail: Mapping[str, Any]
) -> None:
    """One line of the audit log. `status` 0: it begins now; else the HTTP status it ended with."""
    row = {"actor": actor, "action": action, "subject": subject, "reason": reason, "status": status}
    await db.execute(insert(audit_log).values(**row, detail=dict(detail)))


async def audit(
    db: Db, actor: str | None, action: str | None, subject: str | None, before: int | None, limit: int,
    *, reasoned: bool = False,
) -> list[Row]:  # fmt: skip
    """The log, newest first, from before an id; narrowed to what is given, `reasoned` to entries with a reason."""
    columns = audit_log.c
    query = select(audit_log).order_by(columns.id.desc()).limit(limit)
    for value, column in ((actor, columns.actor), (action, columns.action), (subject, columns.subject)):
        if value is not None:
            query = query.where(column == value)
    if before is not None:
        query = query.where(columns.id < before)
    if reasoned:
        query = query.where(columns.reason != "")
    return [{**row, "hash": row["hash"].hex()} for row in (await db.execute(query)).mappings()]


async def open_reports(db: Db, cursor: str | None, limit: int) -> Page:
    """Reports nobody has handled, newest first, with the names of both."""
    reporter, reported = users.alias(), users.alias()
    query = (
        select(
            reports.c.id, reports.c.reason, reports.c.text, reports.c.round_id, reports.c.created_at,
            reports.c.reporter_id, reporter.c.name.label("reporter"), reports.c.reported_id,
            reported.c.name.label("reported"),
        )
        .join(reporter, reporter.c.id == reports.c.reporter_id)
        .join(reported, reported.c.id == reports.c.reported_id)
        .where(reports.c.handled_at.is_(None), *after(cursor, reports.c.created_at, reports.c.id))
        .order_by(reports.c.created_at.desc(), reports.c.id.desc())
        .limit(limit + 1)
    )  # fmt: skip
    return page((await db.execute(query)).mappings().all(), limit, "created_at", "id")


async def handle_report(db: Db, report_id: str, by: str, now: datetime) -> None:
    """A report is dealt with; again: no change. Raises Refusal not_found."""
    if (await db.execute(select(reports.c.id).where(reports.c.id == report_id))).first() is None:
        raise not_found("report")
    undone = (reports.c.id == report_id) & reports.c.handled_at.is_(None)
    await db.execute(update(reports).where(undone).values(handled_at=now, handled_by=by))
