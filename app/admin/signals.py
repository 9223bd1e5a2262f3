"""Operators and signals of collusion in ranked rooms (S15): facts to look at, never a reason by themselves."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.admin.audit import AuditedRoute, ServicesDep, needs
from app.rest.bodies import Limit, ResponseBody
from app.rest.errors import for_operators
from app.storage.archive.operators import signals
from app.storage.archive.operators.operators import Operator

router = APIRouter(route_class=AuditedRoute, tags=["operators"])

Moderator = Annotated[Operator, needs("moderate")]
Days = Annotated[int, Query(ge=1, le=90, description="Only rounds that ended in the last days.")]


class PairedOut(ResponseBody):
    """One of a pair."""

    id: str
    name: str


class TogetherOut(ResponseBody):
    """Two people who share something and played ranked tables together."""

    a: PairedOut
    b: PairedOut
    shares: list[Literal["address", "device", "circle"]]
    rounds: int
    last_at: datetime


class SeatedTogetherOut(ResponseBody):
    """Pairs, most rounds first."""

    items: list[TogetherOut]


class OneWayOut(ResponseBody):
    """Two people between whom points went one way; `a` paid more."""

    a: PairedOut
    b: PairedOut
    rounds: int
    a_to_b: int
    b_to_a: int


class OneSidedOut(ResponseBody):
    """Pairs, the largest difference first."""

    items: list[OneWayOut]


@router.get("/signals/together", responses=for_operators())
async def seated_together(
    me: Moderator, services: ServicesDep, days: Days = 30, limit: Limit = 50
) -> SeatedTogetherOut:
    """Pairs of one address, device or circle at ranked tables, whose rounds did not count; most rounds first."""
    async with services.archive.read() as db:
        found = await signals.seated_together(db, services.now() - timedelta(days=days), limit)
    return SeatedTogetherOut.model_validate({"items": found})


@router.get("/signals/one-sided", responses=for_operators())
async def one_sided(
    me: Moderator,
    services: ServicesDep,
    days: Days = 30,
    rounds: Annotated[
        int, Query(ge=1, le=1000, description="Least number of rounds that the two played together.")
    ] = 20,
    limit: Limit = 50,
) -> OneSidedOut:
    """Pairs in ranked rounds of whose points at least four of five went one way; the largest difference first."""
    async with services.archive.read() as db:
        found = await signals.one_sided(db, services.now() - timedelta(days=days), rounds, limit)
    return OneSidedOut.model_validate({"items": found})
