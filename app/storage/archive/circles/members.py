"""Members of circles: applying by code, approval, roles, removal, bans, handing over. Permissions:
`require_permission`. Every function that changes something is called inside the transaction in which `require(…,
change=True)` allowed it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import case, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.circles.circles import refuse_busy, refuse_owning, role_of
from app.storage.archive.circles.rights import Permission, Role, may
from app.storage.archive.engine import Db
from app.storage.archive.paging import Page, Row, after, page
from app.storage.archive.people.accounts import held
from app.storage.archive.schema import circle_applications, circle_bans, circle_members, circles, users

MEMBERS_AT_MOST: Final = 1000
APPLICATIONS_AT_MOST: Final = 200


async def apply(db: Db, code: str, user_id: str, message: str) -> Row:
    """Ask to be let into the circle with this code: its id and name. Again: the newer message.

    Raises Refusal: not_found, conflict (a member already; too many wait; too many circles), banned.
    """
    query = select(circles.c.id, circles.c.name).where(circles.c.code == code, circles.c.deleted_at.is_(None))
    found = (await db.execute(query.with_for_update())).mappings().one_or_none()
    if found is None:
        raise not_found("circle")
    if not await held(db, user_id):
        raise not_found("player")
    if await role_of(db, found["id"], user_id) is not None:
        raise Refusal(ErrorCode.CONFLICT, "you are a member already", reason="member_already")
    banned = await _banned(db, found["id"], user_id)
    if banned is not None:
        told = f": {banned}" if banned else ""
        raise Refusal(ErrorCode.BANNED, f"this circle does not let you in{told}", reason="circle")
    await refuse_busy(db, user_id)
    waiting = select(func.count()).where(circle_applications.c.circle_id == found["id"])
    if (await db.execute(waiting)).scalar_one() >= APPLICATIONS_AT_MOST:
        raise Refusal(
            ErrorCode.CONFLICT, "too many wait for this circle's answer; try later", reason="applications_full"
        )
    new = upsert(circle_applications).values(circle_id=found["id"], user_id=user_id, message=message)
    await db.execute(
        new.on_conflict_do_update(index_elements=["circle_id", "user_id"], set_={"message": new.excluded.message})
    )
    return dict(found)


async def managers(db: Db, circle_id: str) -> list[str]:
    """The users who answer applications to this circle: its owner and managers."""
    query = select(circle_members.c.user_id).where(
        circle_members.c.circle_id == circle_id, circle_members.c.role.in_(("owner", "manager"))
    )
    return list((await db.execute(query)).scalars())


async def applications(db: Db, circle_id: str, cursor: str | None, limit: int) -> Page:
    """Open applications, newest first: id, name, avatar, message, created_at."""
    query = (
        select(
            users.c.id, users.c.name, users.c.avatar, circle_applications.c.message, circle_applications.c.created_at
        )
        .join(users)
        .where(circle_applications.c.circle_id == circle_id)
        .where(*after(cursor, circle_applications.c.created_at, circle_applications.c.user_id))
        .order_by(circle_applications.c.created_at.desc(), circle_applications.c.user_id.desc())
        .limit(limit + 1)
    )
    return page((await db.execute(query)).mappings().all(), limit, "created_at", "id")


async def answer(db: Db, circle_id: str, user_id: str, approve: bool) -> None:
    """Accept or decline an application.

    Raises Refusal: not_found (there is none), conflict (full, or too many circles).
    """
    if not await held(db, user_id):
        raise not_found("application")
    gone = await db.execute(
        delete(circle_applications)
        .where(circle_applications.c.circle_id == circle_id, circle_applications.c.user_id == user_id)
        .returning(circle_applications.c.user_id)
    )
    if gone.first() is None:
        raise not_found("application")
    if not approve:
        return
    await refuse_busy(db, user_id)
    size = select(func.count()).where(circle_members.c.circle_id == circle_id)
    if (await db.execute(size)).scalar_one() >= MEMBERS_AT_MOST:
        message = f"a circle has at most {MEMBERS_AT_MOST} members"
        raise Refusal(ErrorCode.CONFLICT, message, reason="circle_full", limit=MEMBERS_AT_MOST)
    await db.execute(insert(circle_members).values(circle_id=circle_id, user_id=user_id, role="member"))


async def members(db: Db, circle_id: str, cursor: str | None, limit: int) -> Page:
    """The owner, the managers, the members, of each kind the newest first: id, name, avatar, role, joined_at."""
    mine = circle_members.c
    rank = case({"owner": 2, "manager": 1}, value=mine.role, else_=0)
    query = (
        select(users.c.id, users.c.name, users.c.avatar, mine.role, mine.joined_at, rank.label("rank"))
        .join(users)
        .where(mine.circle_id == circle_id)
        .where(*after(cursor, mine.joined_at, mine.user_id, rank))
        .order_by(rank.desc(), mine.joined_at.desc(), mine.user_id.desc())
        .limit(limit + 1)
    )
    return page((await db.execute(query)).mappings().all(), limit, "joined_at", "id", "rank")


async def target(db: Db, circle_id: str, user_id: str, role: Role, deed: Permission) -> Role:
    """The role of a member to whom `role` may do this. Raises Refusal: not_found, forbidden."""
    found = await role_of(db, circle_id, user_id)
    if found is None:
        raise not_found("member")
    if not may(role, deed, found):
        raise Refusal(ErrorCode.FORBIDDEN, "your role in this circle does not allow that to this member")
    return found


async def set_role(db: Db, circle_id: str, user_id: str, role: Role) -> None:
    """Make a member a manager or a plain member."""
    mine = (circle_members.c.circle_id == circle_id) & (circle_members.c.user_id == user_id)
    await db.execute(update(circle_members).where(mine).values(role=role))


async def transfer(db: Db, circle_id: str, owner_id: str, heir_id: str) -> None:
    """Hand the circle over; the old owner stays as a manager. Raises Refusal conflict when the heir owns enough."""
    await refuse_owning(db, heir_id)
    await set_role(db, circle_id, owner_id, "manager")
    await set_role(db, circle_id, heir_id, "owner")


async def remove(db: Db, circle_id: str, user_id: str) -> None:
    """Remove a member, and the pairs that keep them apart from others."""
    await db.execute(
        delete(circle_members).where(circle_members.c.circle_id == circle_id, circle_members.c.user_id == user_id)
    )


async def ban(db: Db, circle_id: str, user_id: str, by: str, reason: str) -> None:
    """Ban a user from the circle: membership and application end. Raises Refusal not_found for no such user."""
    if not await held(db, user_id):
        raise not_found("player")
    await remove(db, circle_id, user_id)
    await db.execute(
        delete(circle_applications).where(
            circle_applications.c.circle_id == circle_id, circle_applications.c.user_id == user_id
        )
    )
    new = upsert(circle_bans).values(circle_id=circle_id, user_id=user_id, reason=reason, banned_by=by)
    await db.execute(
        new.on_conflict_do_update(index_elements=["circle_id", "user_id"], set_={"reason": new.excluded.reason})
    )


async def unban(db: Db, circle_id: str, user_id: str) -> None:
    """Lift a ban, so that the user may apply again; without a ban nothing happens."""
    await db.execute(delete(circle_bans).where(circle_bans.c.circle_id == circle_id, circle_bans.c.user_id == user_id))


async def bans(db: Db, circle_id: str, cursor: str | None, limit: int) -> Page:
    """Banned users, newest first: id, name, avatar, reason, created_at."""
    query = (
        select(users.c.id, users.c.name, users.c.avatar, circle_bans.c.reason, circle_bans.c.created_at)
        .join(users, users.c.id == circle_bans.c.user_id)
        .where(circle_bans.c.circle_id == circle_id)
        .where(*after(cursor, circle_bans.c.created_at, circle_bans.c.user_id))
        .order_by(circle_bans.c.created_at.desc(), circle_bans.c.user_id.desc())
        .limit(limit + 1)
    )
    return page((await db.execute(query)).mappings().all(), limit, "created_at", "id")


async def _banned(db: Db, circle_id: str, user_id: str) -> str | None:
    """The reason of a user's ban from a circle, which may be empty; None: they are not banned."""
    query = select(circle_bans.c.reason).where(circle_bans.c.circle_id == circle_id, circle_bans.c.user_id == user_id)
    found = (await db.execute(query)).first()
    return None if found is None else str(found.reason or "")
