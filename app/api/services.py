"""Services that the routers need, as one typed record; the composition root fills it in and calls `include`."""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.api.rules_pages import RulesPage, rules_pages
from app.kernel.variant import Variant
from app.service.ports import EventService, RoomService
from app.service.words.book import WordBook
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.live.limiter import Limiter
from app.storage.live.rooms.repeats import Repeats


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routers use. `now` is aware UTC time; `calculators` runs scoring off the event loop.

    `quick`: quick matches of this process are made one by one. `rules`: the rules page of each game by slug.
    """

    settings: Settings
    archive: Archive
    rooms: RoomService
    variants: Mapping[str, Variant[Any]]
    now: Callable[[], datetime]
    calculators: Executor
    words: WordBook
    events: EventService
    limiter: Limiter = field(default_factory=Limiter)
    repeats: Repeats = field(default_factory=Repeats)
    quick: Lock = field(default_factory=Lock)
    rules: Mapping[str, RulesPage] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", rules_pages(self.variants))
