"""Deliveries to webhooks: which are due, what became of a try, the log, and a replay.

A due delivery is leased to the node that takes it; after a node's death another one takes it when the lease is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, update

from app.refusal import not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import circle_members, webhook_deliveries, webhooks
from app.storage.archive.schema.columns import new_id

PAUSES: Final = tuple([timedelta(seconds=s) for s in (5, 30, 120, 600, 1800, 7200, 21_600, 43_200)])
"""Before the second try, the third, and so on; after the last the delivery is given up."""
GIVEN_UP: Final = timedelta(days=3)
"""A webhook to which nothing could be delivered for so long is disabled."""
LEASE: Final = timedelta(seconds=60)
KEPT: Final = timedelta(days=7)
"""Deliveries stay in the log for so long."""
LISTED: Final = 50


@dataclass(frozen=True, slots=True)
class Due:
    """A delivery to make now."""

    id: str
    hook_id: str
    circle_id: str
    url: str
    secret: str
    body: dict[str, Any]
    attempts: int


async def take_due(db: Db, now: datetime, count: int) -> list[Due]:
    """Up to `count` due deliveries, leased: nobody else is given them for `LEASE`."""
    delivery = webhook_deliveries.c
    query = (
        select(
            delivery.id, webhooks.c.id.label("hook_id"), webhooks.c.circle_id, webhooks.c.url, webhooks.c.secret,
            delivery.body, delivery.attempts,
        )
        .join(webhooks)
        .where(delivery.next_at <= now, webhooks.c.disabled_at.is_(None))
        .order_by(delivery.next_at)
        .limit(count)
        .with_for_update(skip_locked=True, of=webhook_deliveries)
    )  # fmt: skip
    found = [Due(**row) for row in (await db.execute(query)).mappings()]
    if found:
        taken = delivery.id.in_([due.id for due in found])
        lease = {"next_at": now + LEASE, "attempts": delivery.attempts + 1}
        await db.execute(update(webhook_deliveries).where(taken).values(lease))
    return found


async def delivered(db: Db, due: Due, status: int, now: datetime) -> None:
    """The receiver took it."""
    done = {"next_at": None, "delivered_at": now, "status": status, "error": None}
    await db.execute(update(webhook_deliveries).where(webhook_deliveries.c.id == due.id).values(done))
    await db.execute(update(webhooks).where(webhooks.c.id == due.hook_id).values(failing_since=None))


async def failed(db: Db, due: Due, status: int | None, error: str, now: datetime) -> list[str]:
    """A try failed: the next one comes later, or never. `status` 410 disables the webhook at once.

    Returns the owner and managers of the circle when the webhook was disabled by this, else nobody.
    """
    pause = PAUSES[due.attempts] if due.attempts < len(PAUSES) else None
    later = {"next_at": None if pause is None else now + pause, "status": status, "error": error[:200]}
    await db.execute(update(webhook_deliveries).where(webhook_deliveries.c.id == due.id).values(later))
    since = func.coalesce(webhooks.c.failing_since, now)
    noted = update(webhooks).where(webhooks.c.id == due.hook_id, webhooks.c.disabled_at.is_(None))
    first = (await db.execute(noted.values(failing_since=since).returning(webhooks.c.failing_since))).scalar()
    if first is None or (status != 410 and now - first < GIVEN_UP):
        return []
    await db.execute(update(webhooks).where(webhooks.c.id == due.hook_id).values(disabled_at=now))
    managers = select(circle_members.c.user_id).where(
        circle_members.c.circle_id == due.circle_id, circle_members.c.role.in_(("owner", "manager"))
    )
    return list((await db.execute(managers)).scalars())


async def log_of(db: Db, hook_id: str) -> list[Row]:
    """The newest deliveries: id, event, created_at, next_at, attempts, delivered_at, status, error, body."""
    query = select(webhook_deliveries).where(webhook_deliveries.c.webhook_id == hook_id)
    newest = query.order_by(webhook_deliveries.c.created_at.desc(), webhook_deliveries.c.id).limit(LISTED)
    return [dict(row) for row in (await db.execute(newest)).mappings()]


async def replay(db: Db, hook_id: str, delivery_id: str, now: datetime) -> None:
    """Deliver this once more, as a delivery of its own. Raises Refusal not_found."""
    old = select(webhook_deliveries.c.event, webhook_deliveries.c.body).where(
        webhook_deliveries.c.id == delivery_id, webhook_deliveries.c.webhook_id == hook_id
    )
    row = (await db.execute(old)).one_or_none()
    if row is None:
        raise not_found("delivery")
    again = {"id": new_id(), "webhook_id": hook_id, "event": row.event, "body": row.body, "next_at": now}
    await db.execute(insert(webhook_deliveries).values(again))


async def forget_old(db: Db, now: datetime) -> None:
    """Delete deliveries beyond `KEPT`."""
    await db.execute(delete(webhook_deliveries).where(webhook_deliveries.c.created_at < now - KEPT))
