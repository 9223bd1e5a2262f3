"""Long-lived tokens of players, each with scopes: made, listed, revoked; and the user behind one.

Only hashes of tokens come here. A token has a session of its own, which opens sockets and ends with the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Archive, Db
from app.storage.archive.paging import Row
from app.storage.archive.people.accounts import User, asked_of_each_request, user_of_rows
from app.storage.archive.people.sessions import revoke
from app.storage.archive.schema import personal_tokens, sessions, users
from app.storage.archive.schema.columns import new_id

TokenScope = Literal["play", "read", "circle"]
"""`play`: sit, watch and play at tables; `read`: read what its player may read; `circle`: look after circles."""

TOKENS_AT_MOST: Final = 10
"""Living tokens of one player."""
_USED_EVERY: Final = timedelta(minutes=1)
"""A token's last use is written down at most so often."""


@dataclass(frozen=True, slots=True)
class TokenBearer:
    """The user that a token names, its session and its scopes."""

    user: User
    session_id: str
    token_id: str
    scopes: frozenset[str]


_BEARER: Final = asked_of_each_request(
    sessions.c.id.label("session_id"), personal_tokens.c.id.label("token_id"), personal_tokens.c.scopes,
    personal_tokens.c.last_used_at,
    of=users.join(sessions).join(personal_tokens),
    condition=and_(
        personal_tokens.c.token_hash == bindparam("token_hash"),
        personal_tokens.c.expires_at > bindparam("now", type_=personal_tokens.c.expires_at.type),
    ),
)  # fmt: skip
"""Parameters: `token_hash`, `now`."""


async def bearer(archive: Archive, token_hash: bytes, now: datetime) -> TokenBearer | None:
    """The caller with this token; its use is noted. None: unknown, revoked, or out of date. Raises Refusal banned."""
    rows = await archive.ask(_BEARER, token_hash=token_hash, now=now)
    user = user_of_rows(rows)
    if user is None:
        return None
    first: Any = rows[0]
    if first["last_used_at"] is None or now - first["last_used_at"] >= _USED_EVERY:
        await _note_use(archive, first["token_id"], now)
    return TokenBearer(user, first["session_id"], first["token_id"], frozenset(first["scopes"]))


async def _note_use(archive: Archive, token_id: str, now: datetime) -> None:
    async with archive.begin() as db:
        await db.execute(update(personal_tokens).where(personal_tokens.c.id == token_id).values(last_used_at=now))


async def create(
    db: Db, user_id: str, made_in: str, label: str, token_hash: bytes, scopes: Iterable[str],
    *, now: datetime, expires_at: datetime,
) -> Row:  # fmt: skip
    """A token with these scopes, and its session. Raises Refusal conflict (`tokens_full`).

    `made_in`: the session that asks; a ban of its device is a ban of the token.
    """
    await db.execute(select(users.c.id).where(users.c.id == user_id).with_for_update(key_share=True))
    await _forget_ended(db, user_id, now)
    if len(await listed(db, user_id, now)) >= TOKENS_AT_MOST:
        message = f"at most {TOKENS_AT_MOST} tokens; revoke one first"
        raise Refusal(ErrorCode.CONFLICT, message, reason="tokens_full", limit=TOKENS_AT_MOST)
    session_id = new_id()
    device = select(sessions.c.device_hash).where(sessions.c.id == made_in).scalar_subquery()
    await db.execute(insert(sessions).values(id=session_id, user_id=user_id, device_hash=device))
    new = insert(personal_tokens).values(
        id=new_id(), session_id=session_id, token_hash=token_hash, label=label, scopes=sorted(set(scopes)),
        expires_at=expires_at,
    )  # fmt: skip
    return dict((await db.execute(new.returning(*_SHOWN))).mappings().one())


_SHOWN: Final = (
    personal_tokens.c.id, personal_tokens.c.label, personal_tokens.c.scopes, personal_tokens.c.created_at,
    personal_tokens.c.expires_at, personal_tokens.c.last_used_at,
)  # fmt: skip


async def listed(db: Db, user_id: str, now: datetime) -> list[Row]:
    """A player's living tokens, newest first: id, label, scopes, created_at, expires_at, last_used_at."""
    living = and_(sessions.c.user_id == user_id, sessions.c.revoked_at.is_(None), personal_tokens.c.expires_at > now)
    query = select(*_SHOWN).join(sessions).where(living)
    found = await db.execute(query.order_by(personal_tokens.c.created_at.desc(), personal_tokens.c.id))
    return [dict(row) for row in found.mappings()]


async def revoke_token(db: Db, user_id: str, token_id: str, now: datetime) -> None:
    """End a token of this player and its session. Raises Refusal not_found."""
    query = (
        select(personal_tokens.c.session_id)
        .join(sessions)
        .where(personal_tokens.c.id == token_id, sessions.c.user_id == user_id)
    )
    session_id = (await db.execute(query)).scalar_one_or_none()
    if session_id is None:
        raise not_found("token")
    await revoke(db, session_id, now)
    await db.execute(delete(personal_tokens).where(personal_tokens.c.id == token_id))


async def _forget_ended(db: Db, user_id: str, now: datetime) -> None:
    """Delete tokens that no longer work, so that their number stays bounded."""
    over = or_(sessions.c.revoked_at.is_not(None), personal_tokens.c.expires_at <= now)
    ended = select(personal_tokens.c.id).join(sessions).where(sessions.c.user_id == user_id, over)
    await db.execute(delete(personal_tokens).where(personal_tokens.c.id.in_(ended)))
