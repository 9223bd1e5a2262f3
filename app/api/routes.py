"""Puts the REST routes on an app. The composition root calls `include`; nothing is wired anywhere else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from fastapi import APIRouter, FastAPI

from app.api import errors
from app.api.circles import apart, belonging, boards, circle, templates
from app.api.limits import BodyLimit, Rate
from app.api.people import accounts, me
from app.api.play import history, ladder, quick, rooms, variants
from app.api.services import Services

ROUTERS: tuple[APIRouter, ...] = (
    accounts.router,
    me.router,
    variants.router,
    rooms.router,
    quick.router,
    history.router,
    ladder.router,
    circle.router,
    belonging.router,
    templates.router,
    apart.router,
    boards.router,
)


class Limits:
    """What one caller may do how often, on this node. `quick`: quick matches of this process are made one by one."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self.guests = Rate(600, 5.0, now_s)
        self.passwords = Rate(10, 1 / 6, now_s)
        self.scores = Rate(60, 2.0, now_s)
        self.quick = asyncio.Lock()


def include(app: FastAPI, services: Services, limits: Limits | None = None) -> None:
    """Give the app its routes under `/v1`, the one form of errors, and the limit on bodies."""
    app.state.services = services
    app.state.limits = limits or Limits()
    for router in ROUTERS:
        app.include_router(router, prefix="/v1")
    errors.install(app)
    app.add_middleware(BodyLimit)
