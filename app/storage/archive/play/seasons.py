"""Seasons of the ladder and periods of the boards, all by the calendar of Asia/Shanghai (TJ-15.4). Pure."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Final, Literal

SHANGHAI: Final = timezone(timedelta(hours=8), "Asia/Shanghai")
"""China has had one zone without summer time since 1991: no zone database is needed."""

TOTAL: Final = "total"
"""The board of the running total, which no season resets."""

Period = Literal["day", "week", "month", "quarter", "all"]


def season_of(at: datetime) -> str:
    """The calendar quarter of an aware moment, such as `2026Q4`."""
    there = at.astimezone(SHANGHAI)
    return f"{there.year}Q{(there.month + 2) // 3}"


def start_of(period: Period, now: datetime) -> datetime | None:
    """When the period that holds `now` began; weeks begin on Monday. None: `all`."""
    if period == "all":
        return None
    midnight = now.astimezone(SHANGHAI).replace(hour=0, minute=0, second=0, microsecond=0)
    match period:
        case "day":
            return midnight
        case "week":
            return midnight - timedelta(days=midnight.weekday())
        case "month":
            return midnight.replace(day=1)
        case "quarter":
            return midnight.replace(month=midnight.month - (midnight.month - 1) % 3, day=1)
