"""Puts the REST routes on an app. The composition root calls `include`; nothing is wired anywhere else."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from app.api.circles import belonging, boards, circle, separations, templates, webhooks
from app.api.limits import BodyLimit, RateHeaders
from app.api.people import accounts, bots, events, me, recovery, tokens
from app.api.people.scopes import operation_id
from app.api.play import history, inviting, ladder, quick, rooms, seated, variants
from app.api.services import Services
from app.rest import errors
from app.rest.habits import Habits

ASKED: tuple[str, ...] = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match")
"""Headers that pages of other origins may send."""
EXPOSED: tuple[str, ...] = (
    "Retry-After", "RateLimit", "RateLimit-Policy", "ETag", "Deprecation", "Sunset", "Link", "X-Request-Id",
    "Content-Disposition",
)  # fmt: skip
"""Headers of answers that pages of other origins may read."""

ROUTERS: tuple[APIRouter, ...] = (
    accounts.router,
    me.router,
    tokens.router,
    recovery.router,
    bots.router,
    events.router,
    variants.router,
    rooms.router,
    seated.router,
    inviting.router,
    quick.router,
    history.router,
    ladder.router,
    circle.router,
    belonging.router,
    templates.router,
    separations.router,
    boards.router,
    webhooks.router,
)


TAGS: tuple[dict[str, str], ...] = (
    {"name": "accounts", "description": "Guests, accounts, sessions, tokens, recovery codes."},
    {"name": "me", "description": "My profile, block list, reports; export of my data, deletion."},
    {"name": "variants", "description": "The games (玩法), and the calculator."},
    {"name": "rooms", "description": "Rooms by code, quick match, tickets for the socket, the lobby."},
    {"name": "history", "description": "Matches, rounds with every ledger line, records (牌谱), share codes."},
    {"name": "ladder", "description": "The ladder (等级): levels, seasons, ranks."},
    {"name": "circles", "description": "Circles (亲友圈): members and roles, room templates, boards."},
    {"name": "operators", "description": "Operators only: every call is logged with its caller, time and reason."},
)


def include(app: FastAPI, services: Services) -> None:
    """Give the app its routes under `/v1`, the one form of errors, the limit on bodies, and the habits of the web."""
    app.state.services = services
    app.summary = "Regional Chinese mahjong: accounts, rooms, circles, history, ladder. Play itself is on `/v1/ws`."
    app.openapi_tags = [dict(tag) for tag in TAGS]
    for router in ROUTERS:
        app.include_router(router, prefix="/v1", generate_unique_id_function=operation_id)
    errors.install(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(RateHeaders)
    app.add_middleware(Habits)
