"""Bodies of a circle's webhooks. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from app.rest.bodies import RequestBody, ResponseBody
from app.storage.archive.webhooks.hooks import HookEvent

_EVENTS = [["round.ended", "application"]]


class AddWebhook(RequestBody):
    """The address, and the events that are sent there."""

    url: Annotated[str, StringConstraints(min_length=9, max_length=500)] = Field(
        examples=["https://example.org/quezhuo"]
    )
    events: Annotated[list[HookEvent], Field(min_length=1, max_length=5)] = Field(examples=_EVENTS)


class WebhookOut(ResponseBody):
    """A webhook, without its secret."""

    id: str
    url: str = Field(examples=["https://example.org/quezhuo"])
    events: list[HookEvent] = Field(examples=_EVENTS)
    created_at: datetime
    failing_since: datetime | None = Field(description="Since when no delivery succeeded; null: the last one did.")
    disabled_at: datetime | None = Field(description="Nothing is sent since then, until it is resumed.")


class WebhooksOut(ResponseBody):
    """A circle's webhooks."""

    items: list[WebhookOut]


class WebhookAddedOut(WebhookOut):
    """The new webhook. The only time that the secret is shown."""

    secret: str = Field(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])


class DeliveryOut(ResponseBody):
    """One event for one webhook. `id` is the header `webhook-id`."""

    id: str
    event: str = Field(examples=["round.ended"])
    created_at: datetime
    attempts: int = Field(examples=[1])
    next_at: datetime | None = Field(description="When it is tried next; null: delivered, or given up.")
    delivered_at: datetime | None
    status: int | None = Field(examples=[200], description="HTTP status of the last answer; null: none came.")
    error: str | None = Field(examples=["answered 500"])
    body: dict[str, Any] = Field(
        examples=[
            {"type": "application", "timestamp": "2026-11-30T12:00:00+00:00", "data": {"circle": "c", "user": "u"}}
        ]
    )


class DeliveriesOut(ResponseBody):
    """Deliveries of a webhook, newest first."""

    items: list[DeliveryOut]
