"""Messages in a table's mailbox, and the dependencies that tables of a node share. Plain records; no behaviour."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.kernel.variant import Variant
from app.tables.asks import Ask, Order
from app.tables.clocks.stalls import StallWatch
from app.tables.outcomes import OrderOutcome
from app.tables.ports import Alerts, Chooser, Clock, Connection, Entropy, LiveStore, Person, Role, Rooms


class Attach(NamedTuple):
    """A new socket of an authenticated person. `last`: the newest seq it has seen; `member`: of the room's circle."""

    connection: Connection
    person: Person
    role: Role
    member: bool
    last: tuple[int, int] | None
    ref: str | None


class Detach(NamedTuple):
    """A socket is gone."""

    connection: Connection


class Written(NamedTuple):
    """A socket's queue is empty again."""

    connection: Connection


class Request(NamedTuple):
    """A person's ask. `connection` is its generation: asks of a replaced one are dropped."""

    connection: Connection
    ref: str
    ask: Ask


class RanOut(NamedTuple):
    """A clock ran out: its name, its start, and when it was to."""

    name: str
    generation: int
    planned: float


class Late(NamedTuple):
    """Delayed frames of spectators are old enough now."""


class Operate(NamedTuple):
    """An operator's order and where its outcome goes."""

    order: Order
    done: asyncio.Future[OrderOutcome]


Message = Attach | Detach | Written | Request | RanOut | Late | Operate


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one node. `spectator_delay_s`: delay of spectators.

    `fold_every`: one entry in this number is folded from its bytes before it is stored, and compared with the decided
    state.
    """

    max_tables: int = 400
    spectator_delay_s: float = 0.0
    fold_every: int = 16


def _nothing(*_: object) -> None: ...


@dataclass(frozen=True, slots=True)
class RuntimeDeps:
    """Everything the tables of one node share. `flush`: write out the frames offered to connections in this step.

    `turn(table_id, user)` hears of each decision that was opened for a person; it returns at once.
    """

    store: LiveStore
    clock: Clock
    entropy: Entropy
    rooms: Rooms
    alerts: Alerts
    chooser: Chooser
    variants: Mapping[str, Variant[Any]]
    limits: Limits
    flush: Callable[[], None] = _nothing
    turn: Callable[[str, str], None] = _nothing
    stalls: StallWatch = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stalls", StallWatch(self.clock))
