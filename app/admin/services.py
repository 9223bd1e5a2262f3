"""What the operators' routers need from outside, as one typed record; the composition root fills it in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from app.admin.audit_throttle import AuditThrottle, TokenGuesses
from app.service.ports import ClusterService, RoomService
from app.settings import Settings
from app.storage.archive.engine import Archive


@dataclass(frozen=True, slots=True)
class AdminServices:
    """Everything the operators' routers use. `now` is aware UTC time.

    `spend_login(caller)` raises Refusal rate_limited after too many tries. `ladders`: the variants that have one.
    `strangers`: how often this process turned an address away; `guesses`: its wrong tokens.
    """

    settings: Settings
    archive: Archive
    rooms: RoomService
    cluster: ClusterService
    now: Callable[[], datetime]
    spend_login: Callable[[str], None]
    ladders: frozenset[str]
    strangers: AuditThrottle = field(default_factory=AuditThrottle)
    guesses: TokenGuesses = field(default_factory=TokenGuesses)
