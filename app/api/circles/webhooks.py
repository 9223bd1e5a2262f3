"""Webhooks of a circle: its events, signed and sent to an address of its managers."""

from __future__ import annotations

import base64
import secrets
from urllib.parse import urlsplit

from fastapi import APIRouter, Response

from app.api.circles.circle import by_role
from app.api.circles.hook_bodies import AddWebhook, DeliveriesOut, WebhookAddedOut, WebhooksOut
from app.api.people.identity import CurrentUser, ServicesDep
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import IdPath
from app.storage.archive.circles import circles
from app.storage.archive.webhooks import deliveries, hooks

router = APIRouter(prefix="/circles/{circle}/webhooks", tags=["circles"])


@router.get("", responses=by_role())
async def webhooks(circle: IdPath, me: CurrentUser, services: ServicesDep) -> WebhooksOut:
    """The circle's webhooks, oldest first; at most 5."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "webhooks")
        return WebhooksOut.model_validate({"items": await hooks.listed(db, circle)})


@router.post("", status_code=201, responses=by_role(ErrorCode.CONFLICT, ErrorCode.INVALID))
async def add_webhook(circle: IdPath, asked: AddWebhook, me: CurrentUser, services: ServicesDep) -> WebhookAddedOut:
    """Send events of the circle to this address, signed as Standard Webhooks. The secret is shown once.

    An answer of 200 to 299 within 10 s is a delivery; else it comes again, after 5 s at first and 12 h at last. After
    three days without one, or at 410, the webhook is disabled and the managers hear `webhook_disabled`.
    """
    _refuse_odd(asked.url, services.settings.webhooks_private)
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "webhooks", change=True)
        added = await hooks.add(db, circle, asked.url, asked.events, secret)
    return WebhookAddedOut.model_validate({**added, "secret": secret})


def _refuse_odd(url: str, allow_private: bool) -> None:
    """Raises Refusal invalid for an address that is not plain https. Where it leads is checked at each delivery."""
    try:
        parts = urlsplit(url)
        wrong = not parts.hostname or parts.username is not None or parts.fragment or parts.port == 0
    except ValueError:
        wrong, parts = True, urlsplit("")
    if wrong or not url.isascii() or parts.scheme not in (("https", "http") if allow_private else ("https",)):
        raise Refusal(ErrorCode.INVALID, "an https address without user and fragment is needed", "url", reason="signs")


@router.delete("/{webhook}", status_code=204, response_class=Response, responses=by_role())
async def remove_webhook(circle: IdPath, webhook: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Remove a webhook with its log; what waits for it is not sent."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "webhooks", change=True)
        await hooks.remove(db, circle, webhook)


@router.post("/{webhook}/resume", status_code=204, response_class=Response, responses=by_role())
async def resume_webhook(circle: IdPath, webhook: IdPath, me: CurrentUser, services: ServicesDep) -> None:
    """Send to a disabled webhook again, from now on; what waits for it goes out."""
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "webhooks", change=True)
        await hooks.resume(db, circle, webhook)


@router.get("/{webhook}/deliveries", responses=by_role())
async def webhook_deliveries(circle: IdPath, webhook: IdPath, me: CurrentUser, services: ServicesDep) -> DeliveriesOut:
    """The newest 50 deliveries of the last seven days: what was sent, and what became of it."""
    async with services.archive.read() as db:
        await circles.require_permission(db, circle, me.id, "webhooks")
        await hooks.require(db, circle, webhook)
        return DeliveriesOut.model_validate({"items": await deliveries.log_of(db, webhook)})


@router.post("/{webhook}/deliveries/{delivery}/replay", status_code=202, response_class=Response, responses=by_role())
async def replay_delivery(
    circle: IdPath, webhook: IdPath, delivery: IdPath, me: CurrentUser, services: ServicesDep
) -> None:
    """Deliver the same event once more, under a new id."""
    await services.limiter.spend("invitation", user=me.id)
    async with services.archive.begin() as db:
        await circles.require_permission(db, circle, me.id, "webhooks", change=True)
        await hooks.require(db, circle, webhook)
        await deliveries.replay(db, webhook, delivery, me.now)
