"""Operators and what went wrong by itself: stopped tables, and documents that the archive refused for good."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter

from app.admin.audit import AuditedRoute, ServicesDep, needs
from app.admin.bodies import AlertOut, AlertsOut, DoneOut, ReasonQuery, RefusedDocumentOut, RefusedOut, WithReason
from app.refusal import ErrorCode
from app.rest.bodies import IdPath
from app.rest.errors import for_operators
from app.storage.archive.operators.operators import Operator
from app.storage.live.rooms.alerts import Alert

router = APIRouter(route_class=AuditedRoute, tags=["operators"])

_ONE = for_operators(ErrorCode.NOT_FOUND)
Reader = Annotated[Operator, needs("read")]
Runner = Annotated[Operator, needs("operate")]


@router.get("/alerts", responses=for_operators())
async def alerts(me: Reader, services: ServicesDep) -> AlertsOut:
    """Open alerts of the last seven days, newest first, at most 200."""
    return AlertsOut(items=[_seen(alert) for alert in await services.alerts.open()])


@router.post("/alerts/{room}/close", responses=_ONE)
async def close_alert(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> DoneOut:
    """Somebody has seen to it: strike the alert and its dump."""
    await services.alerts.close(room)
    return DoneOut(done=True)


@router.get("/refused", responses=for_operators())
async def refused_documents(me: Reader, services: ServicesDep) -> RefusedOut:
    """Finished rounds, and ends of rooms, that the archive refuses for good: a bug, and all of it is kept."""
    found = await services.alerts.refused()
    return RefusedOut.model_validate({"items": [{"room": room, "names": names} for room, names in found.items()]})


@router.get("/refused/{room}/{name}", responses=_ONE)
async def refused_document(
    room: IdPath, name: IdPath, me: Annotated[Operator, needs("inspect")], services: ServicesDep, reason: ReasonQuery
) -> RefusedDocumentOut:
    """One refused document as it was handed over. Needs the explicit scope `inspect`: it may hold hidden tiles."""
    return RefusedDocumentOut(document=await services.alerts.refused_document(room, name))


@router.post("/refused/{room}/retry", responses=_ONE)
async def retry_refused(room: IdPath, asked: WithReason, me: Runner, services: ServicesDep) -> DoneOut:
    """Hand a table's refused documents to the archive again; it answers in the background."""
    queued = await services.alerts.try_again(room)
    return DoneOut(done=True, note=f"{queued} queued again")


def _seen(alert: Alert) -> AlertOut:
    at = datetime.fromtimestamp(alert.at_ms / 1000, UTC)
    return AlertOut.model_validate({"room": alert.table, "what": alert.what, "text": alert.text, "at": at})
