"""Users: guests by device token, accounts with name and password; and the user of a live session.

Only hashes of tokens come here. The API makes and signs tokens and has the rules for names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, and_, bindparam, exists, insert, or_, select, update
from sqlalchemy import true as sql_true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql import ColumnElement

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Archive, Db, Question
from app.storage.archive.schema import devices, sanctions, sessions, users
from app.storage.archive.schema.columns import new_id


@dataclass(frozen=True, slots=True)
class User:
    """A signed-in user. `registered`: has a name and password, not only a device.

    `muted_until`: None while `muted` means until the mute is lifted. `bot`: declared a bot account by its owner.
    """

    id: str
    name: str
    avatar: str
    registered: bool
    created_at: datetime
    muted: bool = False
    muted_until: datetime | None = None
    bot: bool = False


_USER = (
    users.c.id,
    users.c.name,
    users.c.avatar,
    users.c.password_hash.is_not(None).label("registered"),
    users.c.created_at,
    users.c.bot_owner_id.is_not(None).label("bot"),
)


def in_force(now: datetime | BindParameter[Any]) -> ColumnElement[bool]:
    """The condition that a sanction holds at `now`."""
    return and_(sanctions.c.lifted_at.is_(None), or_(sanctions.c.until.is_(None), sanctions.c.until > now))


def asked_of_each_request(*more: ColumnElement[Any], of: Any, condition: ColumnElement[bool]) -> Question:
    """The question who calls, put together once: a row per sanction in force, with the fields of `_USER`, `more`, and
    kind, reason and end of the sanction. `of`: what is joined to sessions.
    """
    now = bindparam("now", type_=sanctions.c.until.type)
    theirs = or_(sanctions.c.user_id == users.c.id, sanctions.c.device_hash == sessions.c.device_hash)
    told = (sanctions.c.kind, sanctions.c.reason, sanctions.c.until)
    sanctioned = select(*told).where(theirs, in_force(now)).lateral("sanctioned")
    return Question(
        select(*_USER, *more, sanctioned.c.kind, sanctioned.c.reason, sanctioned.c.until)
        .select_from(of.outerjoin(sanctioned, sql_true()))
        .where(users.c.deleted_at.is_(None), sessions.c.revoked_at.is_(None), condition)
    )


_SIGNED_IN: Final = asked_of_each_request(
    of=users.join(sessions),
    condition=and_(users.c.id == bindparam("user"), sessions.c.id == bindparam("session")),
)
"""Parameters: `user`, `session`, `now`."""


async def create_guest(db: Db, name: str, name_key: str, avatar: str, device_hash: bytes) -> User:
    """A new guest, found again by their device. Raises Refusal name_taken when an account has that name."""
    if await account_has_name(db, name_key):
        raise Refusal(ErrorCode.NAME_TAKEN, "this name belongs to an account", "name")
    user_id = new_id()
    row = await db.execute(
        insert(users).values(id=user_id, name=name, name_key=name_key, avatar=avatar).returning(*_USER)
    )
    await db.execute(insert(devices).values(token_hash=device_hash, user_id=user_id))
    return User(**row.mappings().one())


async def person_of_device(db: Db, device_hash: bytes) -> User | None:
    """The user of a device; they cannot be deleted before this transaction is over."""
    query = select(*_USER).join(devices).where(devices.c.token_hash == device_hash, users.c.deleted_at.is_(None))
    row = (await db.execute(query.with_for_update(read=True, key_share=True, of=users))).mappings().one_or_none()
    return None if row is None else User(**row)


async def person(db: Db, user_id: str) -> User:
    """Raises Refusal not_found."""
    query = select(*_USER).where(users.c.id == user_id, users.c.deleted_at.is_(None))
    row = (await db.execute(query)).mappings().one_or_none()
    if row is None:
        raise not_found("player")
    return User(**row)


async def held(db: Db, user_id: str) -> bool:
    """Whether the user exists. They cannot be deleted before this transaction is over."""
    query = select(users.c.id).where(users.c.id == user_id, users.c.deleted_at.is_(None))
    return (await db.execute(query.with_for_update(read=True, key_share=True))).first() is not None


async def account_has_name(db: Db, name_key: str, *, besides: str = "") -> bool:
    """Does an account (other than `besides`) have this name's skeleton?"""
    other = exists().where(users.c.name_key == name_key, users.c.password_hash.is_not(None), users.c.id != besides)
    return bool((await db.execute(select(other))).scalar_one())


async def upgrade(db: Db, user_id: str, name: str, name_key: str, password_hash: str) -> User:
    """Make a guest an account. Raises Refusal: conflict for an account, name_taken."""
    change = (
        update(users)
        .where(users.c.id == user_id, users.c.password_hash.is_(None), users.c.deleted_at.is_(None))
        .values(name=name, name_key=name_key, password_hash=password_hash)
        .returning(*_USER)
    )
    try:
        row = (await db.execute(change)).mappings().one_or_none()
    except IntegrityError:
        raise Refusal(ErrorCode.NAME_TAKEN, "this name belongs to an account", "name") from None
    if row is None:
        raise Refusal(ErrorCode.CONFLICT, "this is an account already", reason="account_already")
    return User(**row)


async def account(db: Db, name_key: str, exact_key: str) -> tuple[str, str] | None:
    """Id and password hash of the account of that name; `exact_key`: see `app.service.words.keys`, it goes first."""
    query = select(users.c.id, users.c.password_hash).where(
        users.c.name_key.in_([name_key, exact_key]), users.c.password_hash.is_not(None), users.c.deleted_at.is_(None)
    )
    row = (await db.execute(query.order_by((users.c.name_key == exact_key).desc()).limit(1))).one_or_none()
    return None if row is None else (row.id, row.password_hash)


async def password_hash_of(db: Db, user_id: str) -> str | None:
    """The hash of a user's password; None for a guest."""
    found: str | None = (
        await db.execute(select(users.c.password_hash).where(users.c.id == user_id))
    ).scalar_one_or_none()
    return found


async def set_password_hash(db: Db, user_id: str, password_hash: str) -> None:
    """Store a new hash of an account's password (changed, or hashed anew with today's parameters)."""
    there = (users.c.id == user_id) & users.c.deleted_at.is_(None)
    await db.execute(update(users).where(there).values(password_hash=password_hash))


async def refuse_banned(db: Db, user_id: str, device_hash: bytes | None, now: datetime) -> None:
    """Raises Refusal banned, with the reason, when the user or the device is banned at `now`."""
    subject = sanctions.c.user_id == user_id
    if device_hash is not None:
        subject = or_(subject, sanctions.c.device_hash == device_hash)
    query = select(sanctions.c.reason).where(sanctions.c.kind == "ban", subject, in_force(now)).limit(1)
    reason = (await db.execute(query)).scalar_one_or_none()
    if reason is not None:
        raise Refusal(ErrorCode.BANNED, f"banned: {reason}")


async def signed_in(db: Db, user_id: str, session_id: str, now: datetime) -> User | None:
    """The user of a live session, None when it ended or the user was deleted. Raises Refusal banned."""
    given = {"user": user_id, "session": session_id, "now": now}
    return user_of_rows((await db.execute(_SIGNED_IN.query, given)).all())


async def caller(archive: Archive, user_id: str, session_id: str, now: datetime) -> User | None:
    """`signed_in`, for callers without a transaction."""
    return user_of_rows(await archive.ask(_SIGNED_IN, user=user_id, session=session_id, now=now))


def user_of_rows(rows: Sequence[Any]) -> User | None:
    """The user of an answer to `asked_of_each_request`; None: nobody. Raises Refusal banned."""
    ends = []
    for *_, kind, reason, until in rows:
        if kind == "ban":
            raise Refusal(ErrorCode.BANNED, f"banned: {reason}")
        if kind == "mute":
            ends.append(until)
    if not rows:
        return None
    last = None if None in ends else max(ends, default=None)
    user_id, name, avatar, registered, created_at, bot, *_ = rows[0]
    return User(user_id, name, avatar, registered, created_at, bool(ends), last, bot)
