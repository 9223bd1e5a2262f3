"""Services that the operators' routers need, as one typed record; the composition root fills it in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from app.admin.audit_throttle import AuditThrottle
from app.service.ports import AlertService, ClusterService, RoomService
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.live.limiter import Limiter


@dataclass(frozen=True, slots=True)
class AdminServices:
    """Everything the operators' routers use. `now` is aware UTC time.

    `ladders`: the variants that have one.
    `strangers`: how often this process turned an address away.
    """

    settings: Settings
    archive: Archive
    rooms: RoomService
    cluster: ClusterService
    now: Callable[[], datetime]
    ladders: frozenset[str]
    limiter: Limiter
    alerts: AlertService
    strangers: AuditThrottle = field(default_factory=AuditThrottle)
