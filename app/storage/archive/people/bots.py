"""Bot accounts: declared once and for good by the player who answers for them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import exists, select, update

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import ladder, users

BOTS_AT_MOST: Final = 5
"""Bot accounts of one owner."""


async def declare(db: Db, owner_id: str, user_id: str) -> None:
    """Make an account a bot account of this owner; it cannot be undone.

    Raises Refusal: not_found, conflict (`bot_already`, `ranked`: it stands on a ladder, `owns_bots`, `bots_full`).
    """
    both = select(users.c.id, users.c.bot_owner_id).where(
        users.c.id.in_((owner_id, user_id)), users.c.deleted_at.is_(None)
    )
    found = {row.id: row.bot_owner_id for row in await db.execute(both.order_by(users.c.id).with_for_update())}
    if found.keys() != {owner_id, user_id}:
        raise not_found("player")
    if found[user_id] is not None:
        raise Refusal(ErrorCode.CONFLICT, "this is a bot account already", reason="bot_already")
    if (await db.execute(select(exists().where(ladder.c.user_id == user_id)))).scalar_one():
        raise Refusal(ErrorCode.CONFLICT, "this account has played ranked rounds", reason="ranked")
    if await bots_of(db, user_id):
        raise Refusal(ErrorCode.CONFLICT, "this account owns bots itself", reason="owns_bots")
    if len(await bots_of(db, owner_id)) >= BOTS_AT_MOST:
        raise Refusal(ErrorCode.CONFLICT, f"at most {BOTS_AT_MOST} bots", reason="bots_full", limit=BOTS_AT_MOST)
    await db.execute(update(users).where(users.c.id == user_id).values(bot_owner_id=owner_id))


async def bots_of(db: Db, owner_id: str) -> list[Row]:
    """The living bot accounts of an owner, oldest first: id, name, avatar."""
    theirs = (users.c.bot_owner_id == owner_id) & users.c.deleted_at.is_(None)
    query = select(users.c.id, users.c.name, users.c.avatar).where(theirs).order_by(users.c.created_at, users.c.id)
    return [dict(row) for row in (await db.execute(query)).mappings()]


async def bot_of_name(db: Db, name_key: str) -> Row:
    """The bot account of this name: id, name, avatar. Raises Refusal not_found, also for a person's account."""
    bots = users.c.bot_owner_id.is_not(None) & users.c.password_hash.is_not(None) & users.c.deleted_at.is_(None)
    query = select(users.c.id, users.c.name, users.c.avatar).where(bots, users.c.name_key == name_key)
    row = (await db.execute(query)).mappings().one_or_none()
    if row is None:
        raise not_found("bot account")
    return dict(row)
