"""Circles (亲友圈): the circle itself, its templates (玩法) and the pairs it keeps apart. Members: `members`."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, Final

from sqlalchemy import and_, delete, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.circles.rights import Permission, Role, may
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import (
    circle_apart,
    circle_applications,
    circle_bans,
    circle_members,
    circle_templates,
    circles,
    users,
)
from app.storage.archive.schema.columns import new_id

OWNED_AT_MOST: Final = 20
JOINED_AT_MOST: Final = 100
TEMPLATES_AT_MOST: Final = 30
APART_AT_MOST: Final = 200
_CODE_DIGITS: Final = 8
_TRIES: Final = 16


async def role_of(db: Db, circle_id: str, user_id: str) -> Role | None:
    """The user's role; None for strangers."""
    query = select(circle_members.c.role).where(
        circle_members.c.circle_id == circle_id, circle_members.c.user_id == user_id
    )
    role: Role | None = (await db.execute(query)).scalar_one_or_none()
    return role


async def require_permission(db: Db, circle_id: str, user_id: str, deed: Permission, *, change: bool = False) -> Role:
    """The user's role, which allows the deed. `change`: one change of a circle at a time.

    Raises Refusal: not_found for strangers (a circle does not show itself to them), forbidden.
    """
    query = select(circles.c.id).where(circles.c.id == circle_id, circles.c.deleted_at.is_(None))
    found = await db.execute(query.with_for_update() if change else query)
    role = await role_of(db, circle_id, user_id)
    if found.first() is None or role is None:
        raise not_found("circle")
    if not may(role, deed):
        raise Refusal(ErrorCode.FORBIDDEN, "your role in this circle does not allow that")
    return role


async def create(db: Db, owner_id: str, name: str) -> Row:
    """A new circle with its owner. Raises Refusal conflict when the owner owns, or is in, the maximum."""
    await refuse_busy(db, owner_id)
    await refuse_owning(db, owner_id)
    circle_id = new_id()
    for _ in range(_TRIES):
        code = f"{secrets.randbelow(10**_CODE_DIGITS):0{_CODE_DIGITS}d}"
        new = upsert(circles).values(id=circle_id, name=name, code=code).on_conflict_do_nothing(index_elements=["code"])
        if (await db.execute(new.returning(circles.c.id))).first() is not None:
            break
    else:
        raise Refusal(ErrorCode.BUSY, "no free code was found; try again")
    await db.execute(insert(circle_members).values(circle_id=circle_id, user_id=owner_id, role="owner"))
    return await circle(db, circle_id, owner_id)


async def refuse_busy(db: Db, user_id: str) -> None:
    """Raises Refusal conflict for a member of the maximum of circles. A user joins one circle at a time."""
    await db.execute(select(users.c.id).where(users.c.id == user_id).with_for_update(key_share=True))
    joined = select(func.count()).where(circle_members.c.user_id == user_id)
    if (await db.execute(joined)).scalar_one() >= JOINED_AT_MOST:
        message = f"nobody is in more than {JOINED_AT_MOST} circles"
        raise Refusal(ErrorCode.CONFLICT, message, reason="circles_joined", limit=JOINED_AT_MOST)


async def refuse_owning(db: Db, user_id: str) -> None:
    """Raises Refusal conflict for an owner of the maximum of circles."""
    owned = select(func.count()).where(circle_members.c.user_id == user_id, circle_members.c.role == "owner")
    if (await db.execute(owned)).scalar_one() >= OWNED_AT_MOST:
        message = f"nobody owns more than {OWNED_AT_MOST} circles"
        raise Refusal(ErrorCode.CONFLICT, message, reason="circles_owned", limit=OWNED_AT_MOST)


async def circle(db: Db, circle_id: str, user_id: str) -> Row:
    """A circle as a member sees it: id, name, code, notice, created_at, role, members. Raises Refusal not_found."""
    query = _listed(user_id).where(circles.c.id == circle_id)
    found = (await db.execute(query)).mappings().one_or_none()
    if found is None:
        raise not_found("circle")
    return dict(found)


async def circles_of(db: Db, user_id: str) -> list[Row]:
    """The circles a user is in, as `circle`, by name."""
    query = _listed(user_id).order_by(circles.c.name, circles.c.id)
    return [dict(row) for row in (await db.execute(query)).mappings()]


def _listed(user_id: str) -> Any:
    mine = circle_members.alias()
    size = (
        select(func.count())
        .where(circle_members.c.circle_id == circles.c.id)
        .correlate(circles)
        .scalar_subquery()
        .label("members")
    )
    waiting = (
        select(func.count())
        .where(circle_applications.c.circle_id == circles.c.id)
        .correlate(circles)
        .scalar_subquery()
        .label("applications")
    )
    return (
        select(
            circles.c.id, circles.c.name, circles.c.code, circles.c.notice, circles.c.created_at, mine.c.role, size,
            waiting,
        )
        .join(mine, mine.c.circle_id == circles.c.id)
        .where(mine.c.user_id == user_id, circles.c.deleted_at.is_(None))
    )  # fmt: skip


async def edit(db: Db, circle_id: str, *, name: str | None = None, notice: str | None = None) -> None:
    """Change the given fields."""
    changes = {key: value for key, value in (("name", name), ("notice", notice)) if value is not None}
    if changes:
        await db.execute(update(circles).where(circles.c.id == circle_id).values(changes))


async def dissolve(db: Db, circle_id: str, now: datetime) -> None:
    """The circle is over: nobody belongs to it; rounds that were played in it stay with their players."""
    for table in (circle_members, circle_applications, circle_bans, circle_templates):
        await db.execute(delete(table).where(table.c.circle_id == circle_id))
    await db.execute(update(circles).where(circles.c.id == circle_id).values(deleted_at=now))


async def templates(db: Db, circle_id: str) -> list[Row]:
    """A circle's templates by name: id, name, variant, rules, settings, created_at."""
    query = select(circle_templates).where(circle_templates.c.circle_id == circle_id).order_by(circle_templates.c.name)
    return [dict(row) for row in (await db.execute(query)).mappings()]


async def template(db: Db, circle_id: str | None, template_id: str) -> Row:
    """One template of this circle. Raises Refusal not_found."""
    query = select(circle_templates).where(
        circle_templates.c.id == template_id, circle_templates.c.circle_id == circle_id
    )
    found = (await db.execute(query)).mappings().one_or_none()
    if found is None:
        raise not_found("template")
    return dict(found)


async def save_template(
    db: Db, circle_id: str, template_id: str | None, name: str, variant: str, rules: dict[str, Any],
    settings: dict[str, Any],
) -> Row:  # fmt: skip
    """A new template, or another content for an old one. Raises Refusal: name_taken, conflict (enough), not_found."""
    values = {"name": name, "variant": variant, "rules": rules, "settings": settings}
    try:
        async with db.begin_nested():
            if template_id is not None:
                await template(db, circle_id, template_id)
                await db.execute(update(circle_templates).where(circle_templates.c.id == template_id).values(values))
            elif len(await templates(db, circle_id)) >= TEMPLATES_AT_MOST:
                message = f"a circle has at most {TEMPLATES_AT_MOST} templates"
                raise Refusal(ErrorCode.CONFLICT, message, reason="templates_full", limit=TEMPLATES_AT_MOST)
            else:
                template_id = new_id()
                await db.execute(insert(circle_templates).values(id=template_id, circle_id=circle_id, **values))
    except IntegrityError:
        raise Refusal(ErrorCode.NAME_TAKEN, "another template has this name", "name") from None
    return await template(db, circle_id, template_id)


async def drop_template(db: Db, circle_id: str, template_id: str) -> None:
    """Raises Refusal not_found."""
    await template(db, circle_id, template_id)
    await db.execute(delete(circle_templates).where(circle_templates.c.id == template_id))


async def apart_pairs(db: Db, circle_id: str) -> list[Row]:
    """Pairs that never sit at one table here: a and b, each {id, name}."""
    a, b = users.alias("a"), users.alias("b")
    query = (
        select(a.c.id.label("a_id"), a.c.name.label("a_name"), b.c.id.label("b_id"), b.c.name.label("b_name"))
        .select_from(circle_apart)
        .join(a, a.c.id == circle_apart.c.user_a)
        .join(b, b.c.id == circle_apart.c.user_b)
        .where(circle_apart.c.circle_id == circle_id)
        .order_by(circle_apart.c.created_at.desc(), a.c.id, b.c.id)
    )
    return [
        {"a": {"id": row.a_id, "name": row.a_name}, "b": {"id": row.b_id, "name": row.b_name}}
        for row in await db.execute(query)
    ]


async def keep_apart(db: Db, circle_id: str, one: str, other: str) -> None:
    """Add a pair, once or again. Raises Refusal: invalid (one person), not_found (no members), conflict (enough)."""
    if one == other:
        raise Refusal(ErrorCode.INVALID, "a pair is two people", "b", reason="oneself")
    for user_id in (one, other):
        if await role_of(db, circle_id, user_id) is None:
            raise not_found("member")
    if len(await apart_pairs(db, circle_id)) >= APART_AT_MOST:
        message = f"a circle keeps at most {APART_AT_MOST} pairs apart"
        raise Refusal(ErrorCode.CONFLICT, message, reason="pairs_full", limit=APART_AT_MOST)
    low, high = sorted((one, other))
    await db.execute(upsert(circle_apart).values(circle_id=circle_id, user_a=low, user_b=high).on_conflict_do_nothing())


async def let_together(db: Db, circle_id: str, one: str, other: str) -> None:
    """Take a pair back; without one nothing happens."""
    low, high = sorted((one, other))
    await db.execute(
        delete(circle_apart).where(
            circle_apart.c.circle_id == circle_id, circle_apart.c.user_a == low, circle_apart.c.user_b == high
        )
    )


async def kept_apart(db: Db, circle_id: str, user_id: str, seated: list[str]) -> bool:
    """Must the user, by the circle's pairs, not sit with one of those `seated`?"""
    pair = circle_apart.c
    query = select(pair.user_a).where(
        pair.circle_id == circle_id,
        or_(
            and_(pair.user_a == user_id, pair.user_b.in_(seated)), and_(pair.user_b == user_id, pair.user_a.in_(seated))
        ),
    )
    return (await db.execute(query)).first() is not None
