"""The webhooks of a circle, and the queue for them: an event is queued in the transaction of what happened."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Db
from app.storage.archive.paging import Row
from app.storage.archive.schema import webhook_deliveries, webhooks
from app.storage.archive.schema.columns import new_id

HookEvent = Literal["round.ended", "match.ended", "room.opened", "room.closed", "application"]
HOOKS_AT_MOST: Final = 5
"""Webhooks of one circle."""

_SHOWN: Final = (
    webhooks.c.id, webhooks.c.url, webhooks.c.events, webhooks.c.created_at, webhooks.c.failing_since,
    webhooks.c.disabled_at,
)  # fmt: skip


async def add(db: Db, circle_id: str, url: str, events: Iterable[str], secret: str) -> Row:
    """A new webhook, as `listed` shows it. The caller holds the circle's row. Raises Refusal conflict (enough)."""
    count = select(func.count()).where(webhooks.c.circle_id == circle_id)
    if (await db.execute(count)).scalar_one() >= HOOKS_AT_MOST:
        message = f"a circle has at most {HOOKS_AT_MOST} webhooks"
        raise Refusal(ErrorCode.CONFLICT, message, reason="webhooks_full", limit=HOOKS_AT_MOST)
    values = {"id": new_id(), "circle_id": circle_id, "url": url, "events": sorted(set(events)), "secret": secret}
    return dict((await db.execute(insert(webhooks).values(values).returning(*_SHOWN))).mappings().one())


async def listed(db: Db, circle_id: str) -> list[Row]:
    """A circle's webhooks, oldest first: id, url, events, created_at, failing_since, disabled_at."""
    query = select(*_SHOWN).where(webhooks.c.circle_id == circle_id)
    return [dict(row) for row in (await db.execute(query.order_by(webhooks.c.created_at, webhooks.c.id))).mappings()]


async def remove(db: Db, circle_id: str, hook_id: str) -> None:
    """Delete a webhook with its deliveries. Raises Refusal not_found."""
    await require(db, circle_id, hook_id)
    await db.execute(delete(webhooks).where(webhooks.c.id == hook_id))


async def resume(db: Db, circle_id: str, hook_id: str) -> None:
    """Send to a disabled webhook again; what was missed can be replayed. Raises Refusal not_found."""
    await require(db, circle_id, hook_id)
    await db.execute(update(webhooks).where(webhooks.c.id == hook_id).values(failing_since=None, disabled_at=None))


async def require(db: Db, circle_id: str, hook_id: str) -> None:
    """Raises Refusal not_found unless this webhook is this circle's."""
    query = select(webhooks.c.id).where(webhooks.c.id == hook_id, webhooks.c.circle_id == circle_id)
    if (await db.execute(query)).first() is None:
        raise not_found("webhook")


async def queue(
    db: Db, circle_id: str | None, event: HookEvent, data: dict[str, Any], at: datetime, *, once: str = ""
) -> None:
    """Queue an event for the circle's webhooks that want it; nothing for None. `data` names people by id only.

    `once`: what the event is about; it is queued a single time for that, however often this is called.
    """
    if circle_id is None:
        return
    wanting = select(webhooks.c.id).where(
        webhooks.c.circle_id == circle_id, webhooks.c.disabled_at.is_(None), webhooks.c.events.any(event)
    )
    hooks = (await db.execute(wanting)).scalars().all()
    body = {"type": event, "timestamp": at.isoformat(), "data": {"circle": circle_id, **data}}
    if hooks:
        rows = [
            {
                "id": f"{hook}.{event}.{once}" if once else new_id(), "webhook_id": hook, "event": event, "body": body,
                "next_at": at,
            }
            for hook in hooks
        ]  # fmt: skip
        await db.execute(upsert(webhook_deliveries).on_conflict_do_nothing(), rows)
