"""What the routers need from outside, as one typed record; the composition root fills it in and calls `include`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.kernel.variant import Variant
from app.service.ports import RoomService
from app.settings import Settings
from app.storage.archive.engine import Archive


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routers use. `now` is aware UTC time; `calculators` runs scoring off the event loop."""

    settings: Settings
    archive: Archive
    rooms: RoomService
    variants: Mapping[str, Variant[Any]]
    now: Callable[[], datetime]
    calculators: Executor
