"""Fold a record's entries back into tables (回放): the same fold as live, so a replay shows the original play.

Works for any rules version for ever, since `evolve` judges nothing. Which view a reader may have is decided above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.kernel.events import Event
from app.kernel.table import TableState, evolve_table
from app.kernel.text.notation import read_event


@dataclass(frozen=True, slots=True)
class Frame:
    """One entry of a round: its number and time, what happened, and the whole table after it."""

    n: int
    at_ms: int
    events: tuple[Event, ...]
    table: TableState


def frames(record: Mapping[str, Any]) -> Iterator[Frame]:
    """Every entry of a record in order. Raises MalformedInput for an event that cannot be read."""
    table: TableState | None = None
    for entry in record["entries"]:
        events = tuple([read_event(event) for event in entry["events"]])
        for event in events:
            table = evolve_table(table, event)
        assert table is not None
        yield Frame(entry["n"], entry["at_ms"], events, table)
