"""Sessions with rotating refresh tokens, and the devices that sign in by themselves.

Only the one unused, unexpired refresh token of a living session is worth anything; the tokens of a session that ended
are deleted with it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import and_, delete, exists, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.refusal import not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import circle_members, devices, refresh_tokens, round_seats, sessions, users
from app.storage.archive.schema.columns import new_id

LISTED: int = 100
"""The most sessions that are listed, the newest."""


class Rotated(NamedTuple):
    """A refresh token that was shown. `alive` false: it was used before, so it was copied, and its session ended."""

    user: str
    session: str
    alive: bool


async def open_session(db: Db, user_id: str, device_hash: bytes | None, token_hash: bytes, expires_at: datetime) -> str:
    """Start a session with its first refresh token. Returns the session's id."""
    session_id = new_id()
    await db.execute(insert(sessions).values(id=session_id, user_id=user_id, device_hash=device_hash))
    await db.execute(insert(refresh_tokens).values(token_hash=token_hash, session_id=session_id, expires_at=expires_at))
    return session_id


async def rotate(db: Db, token_hash: bytes, new_hash: bytes, now: datetime, lifetime: timedelta) -> Rotated | None:
    """Use a refresh token up and put `new_hash` in its place. None: unknown, expired, or of a session that ended.

    A token that is used twice was copied: its whole session ends here, so commit also then.
    """
    query = (
        select(refresh_tokens, sessions.c.user_id, sessions.c.revoked_at)
        .join(sessions)
        .where(refresh_tokens.c.token_hash == token_hash)
        .with_for_update(of=refresh_tokens)
    )
    token = (await db.execute(query)).one_or_none()
    if token is None or token.revoked_at is not None or token.expires_at <= now:
        return None
    if token.used_at is not None:
        await _end(db, token.session_id, now=now)
        return Rotated(token.user_id, token.session_id, alive=False)
    await db.execute(update(refresh_tokens).where(refresh_tokens.c.token_hash == token_hash).values(used_at=now))
    outlived = (refresh_tokens.c.session_id == token.session_id) & (refresh_tokens.c.expires_at <= now)
    await db.execute(delete(refresh_tokens).where(outlived))
    await db.execute(
        insert(refresh_tokens).values(token_hash=new_hash, session_id=token.session_id, expires_at=now + lifetime)
    )
    return Rotated(token.user_id, token.session_id, alive=True)


async def living_session(db: Db, token_hash: bytes, now: datetime) -> tuple[str, str] | None:
    """(user, session) of the unused, unexpired refresh token of a living session; None for any other token."""
    query = (
        select(sessions.c.user_id, sessions.c.id)
        .join(refresh_tokens)
        .where(
            refresh_tokens.c.token_hash == token_hash, refresh_tokens.c.used_at.is_(None),
            refresh_tokens.c.expires_at > now, sessions.c.revoked_at.is_(None),
        )
    )  # fmt: skip
    row = (await db.execute(query)).one_or_none()
    return None if row is None else (row.user_id, row.id)


async def living_sessions(db: Db, user_id: str, now: datetime) -> list[Row]:
    """A user's living sessions, newest first: id, created_at, last_used_at, by_device (signs in by itself)."""
    fresh = and_(
        refresh_tokens.c.session_id == sessions.c.id, refresh_tokens.c.used_at.is_(None),
        refresh_tokens.c.expires_at > now,
    )  # fmt: skip
    by_device = exists().where(devices.c.token_hash == sessions.c.device_hash, devices.c.user_id == user_id)
    query = (
        select(
            sessions.c.id, sessions.c.created_at, refresh_tokens.c.issued_at.label("last_used_at"),
            by_device.label("by_device"),
        )
        .join(refresh_tokens, fresh)
        .where(sessions.c.user_id == user_id, sessions.c.revoked_at.is_(None))
        .order_by(sessions.c.created_at.desc(), sessions.c.id)
        .limit(LISTED)
    )  # fmt: skip
    return [dict(row) for row in (await db.execute(query)).mappings()]


async def end_session(db: Db, user_id: str, session_id: str, now: datetime) -> None:
    """End one session of this user, and forget its device if the user has a password. Raises Refusal not_found."""
    mine = and_(sessions.c.id == session_id, sessions.c.user_id == user_id)
    found = (await db.execute(select(sessions.c.device_hash).where(mine))).one_or_none()
    if found is None:
        raise not_found("session")
    await _end(db, session_id, now=now)
    if found.device_hash is not None:
        await _forget_devices(db, user_id, devices.c.token_hash == found.device_hash)


async def revoke(db: Db, session_id: str, now: datetime) -> None:
    """End one session; its device may sign in again."""
    await _end(db, session_id, now=now)


async def end_others(db: Db, user_id: str, keep: str | None, now: datetime) -> None:
    """End all sessions of a user but `keep`, and forget the devices of an account but that of `keep`.

    A guest's devices stay: they are the only way back to the guest.
    """
    kept = (await db.execute(select(sessions.c.device_hash).where(sessions.c.id == (keep or "")))).scalar_one_or_none()
    theirs = select(sessions.c.id).where(sessions.c.user_id == user_id, sessions.c.id != (keep or ""))
    ended = (await db.execute(theirs)).scalars().all()
    await _end(db, *ended, now=now)
    await _forget_devices(db, user_id, devices.c.token_hash != (kept or b""))


async def remember_device(db: Db, user_id: str, device_hash: bytes) -> None:
    """From now on the device signs in as this user; unless it is the only way back to a guest with anything to lose."""
    query = select(devices.c.user_id).where(devices.c.token_hash == device_hash).with_for_update()
    owner = (await db.execute(query)).scalar_one_or_none()
    if owner is not None and owner != user_id and await _would_be_lost(db, owner):
        return
    change = upsert(devices).values(token_hash=device_hash, user_id=user_id)
    await db.execute(
        change.on_conflict_do_update(index_elements=[devices.c.token_hash], set_={"user_id": change.excluded.user_id})
    )


async def _would_be_lost(db: Db, user_id: str) -> bool:
    """True for a guest who has played or belongs to a circle."""
    guest = exists().where(users.c.id == user_id, users.c.password_hash.is_(None))
    played = exists().where(round_seats.c.user_id == user_id)
    belongs = exists().where(circle_members.c.user_id == user_id)
    return bool((await db.execute(select(and_(guest, or_(played, belongs))))).scalar_one())


async def _end(db: Db, *session_ids: str, now: datetime) -> None:
    living = and_(sessions.c.id.in_(session_ids), sessions.c.revoked_at.is_(None))
    await db.execute(update(sessions).where(living).values(revoked_at=now))
    await db.execute(delete(refresh_tokens).where(refresh_tokens.c.session_id.in_(session_ids)))


async def _forget_devices(db: Db, user_id: str, which: object) -> None:
    """Only an account's: by name and password there is another way back."""
    registered = exists().where(users.c.id == user_id, users.c.password_hash.is_not(None))
    await db.execute(delete(devices).where(devices.c.user_id == user_id, which, registered))  # type: ignore[arg-type]
