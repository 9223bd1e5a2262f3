"""The runtime's needs from outside, as typed ports: live store, clock, chance, connections, rooms, operators.

Implemented above (`storage.live`, the gateway) and by doubles in the tests. No implementation may stand here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from app.kernel.actions import Action
from app.kernel.play.decisions import Decision
from app.kernel.table import TableState
from app.kernel.variant import Variant
from app.tables.frames import Frame, Reason

Role = Literal["player", "spectator"]


@dataclass(frozen=True, slots=True)
class Token:
    """Proof of ownership: `epoch` rises with every acquisition, `nonce` is fresh per acquisition, never per process."""

    epoch: int
    nonce: str

    def __str__(self) -> str:
        """The stored form, `epoch:nonce`. A given-up token is stored as `epoch:free`."""
        return f"{self.epoch}:{self.nonce}"

    @classmethod
    def read(cls, text: str) -> Token:
        """The token that is written so."""
        epoch, _, nonce = text.partition(":")
        return cls(int(epoch), nonce)


@dataclass(frozen=True, slots=True)
class Owned:
    """An acquired table: my token and the whole log of the round that is under way, from one atomic call."""

    token: Token
    round_no: int
    entries: tuple[bytes, ...]


class Fenced(Exception):
    """The token in the store is not mine (any more), or gone: stop, send nothing."""


class Conflict(Exception):
    """My token holds but the log does not end where I thought, nor with my own bytes: stop and acquire again."""


class StoreLost(Exception):
    """The log is shorter than the acknowledged one: the store lost data. An operator must know."""


class Taken(Exception):
    """`create` met an existing table of that id."""


class LiveStore(Protocol):
    """The durable log and the ownership of tables.

    Every call repeats *the same bytes with the same expected position* by itself until the answer is definite;
    it returns when the write is durable, and never for "unknown". It takes as long as the store is away.
    """

    def lease_is_valid(self) -> bool:
        """True while this node's heartbeat was renewed within its TTL, so that no other node had reason to take its
        tables.
        """
        ...

    async def confirm(self, table_id: str, token: Token) -> None:
        """Confirm the token. Called before anything unstored is sent while the lease is not valid. Raises Fenced."""
        ...

    async def create(self, table_id: str, token: Token, first_entry: bytes) -> None:
        """A new table: the token (epoch 1) and round 1's log with its first entry. Raises Taken.

        Finding my own token and bytes is my own retry: success.
        """
        ...

    async def look(self, table_id: str) -> str | None:
        """The stored token text; None when there is no such table."""
        ...

    async def acquire(self, table_id: str, seen: str, nonce: str) -> Owned | None:
        """Swap the token if it is still `seen` (or already mine by `nonce`): epoch + 1 with `nonce`, and the log.

        None when another node was quicker or the table is gone: look again.
        """
        ...

    async def append(self, table_id: str, token: Token, round_no: int, position: int, entry: bytes) -> None:
        """Push `entry` as number `position` (= expected length) of the round's log.

        Checks in order: token equal, else Fenced; length == position: push; length == position + 1 and the last
        entry byte-equal: my own retry; shorter: StoreLost; anything else: Conflict.
        """
        ...

    async def turn_page(
        self, table_id: str, token: Token, round_no: int, position: int, finished: bytes | None, first_entry: bytes
    ) -> None:
        """One script: queue `finished` for the archive (when there is one), start round `round_no + 1`'s log under
        a new key with `first_entry` as number 0, and drop the old log. `position`: length of the old log.

        Same errors and same own-retry rule as `append` (the new log already begins with my bytes).
        """
        ...

    async def release(self, table_id: str, token: Token) -> None:
        """Give the table up between two entries: the token becomes `epoch:free`. Never deletes it. Raises Fenced."""
        ...

    async def close(self, table_id: str, token: Token, finished: bytes | None, ending: bytes) -> None:
        """The table is over: queue `finished` (when there is one) and the note of its end, drop all of its keys.

        Idempotent; Fenced.
        """
        ...


class Clock(Protocol):
    """Time. Durations use `monotonic` only; `wall_ms` is written into entries and decides nothing."""

    def monotonic(self) -> float:
        """Seconds since some start; never steps."""
        ...

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Cancel:
        """Call back once after `delay_s`; the result cancels it."""
        ...


class Cancel(Protocol):
    """A pending call that may be taken back."""

    def cancel(self) -> None: ...


class Entropy(Protocol):
    """Chance from the operating system: seeds, nonces, words for bots."""

    def seed(self) -> str:
        """32 fresh random bytes as hex."""
        ...

    def nonce(self) -> str:
        """A fresh token nonce: 16 random bytes as hex."""
        ...

    def word(self) -> int:
        """64 random bits, for a bot's choice."""
        ...


class Connection(Protocol):
    """A socket as a table sees it. Both calls return at once and never raise for a peer's sake."""

    def offer(self, frame: Frame) -> bool:
        """Write or queue one frame (bounded; on overflow the connection cuts itself and then calls `detach`).

        True: it was written to the transport now. False: it waits; call `Table.written(connection)` when drained, so
        that a prompt's clock starts then (2 s later at the latest in any case).
        """
        ...

    def farewell(self, reason: Reason, detail: str) -> None:
        """Say `bye` and close with the code that belongs to `reason`; `detail` is a short code (see README)."""
        ...


@dataclass(frozen=True, slots=True)
class Person:
    """A person who sits or watches. Ids and names come from the account; tables show them and compare `user`.

    `bot_account`: the account is a program's, by its owner's word.
    """

    user: str
    name: str
    avatar: str = ""
    bot_account: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """A table as lobbies, rejoin lists and operators know it without opening it. No hidden tiles.

    `parted`: users whose seat a bot holds now; they may take it back at any time. `reserved`: by seat, since when (ms
    since 1970) it waits for its person to connect; None: it does not wait. `watched_by`: the setting `spectators`.
    """

    table_id: str
    code: str
    variant: str
    phase: str
    round_no: int
    played: int
    rounds: int
    host: str | None
    seats: tuple[Person | None, ...]
    bots: tuple[bool, ...]
    online: tuple[bool, ...]
    frozen: bool
    spectators: int
    circle: str | None = None
    parted: tuple[str, ...] = ()
    reserved: tuple[int | None, ...] = ()
    watched_by: str = "off"


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Facts of a table for metrics. `frozen`: by an operator, or because it broke down (`broken`: the reason)."""

    broken: str | None
    frozen: bool
    playing: bool
    connections: int
    spectators: int
    stalls: int


class Rooms(Protocol):
    """Consequences of a change at a table. Synchronous: an implementation notes it, works elsewhere and retries.

    Only `claim` is waited for: a player who sits down, or wants a rematch, may sit elsewhere by now. `epoch` is that of
    the calling owner's token: a late call does not free a player whom a later owner has let in.
    """

    async def claim(self, table_id: str, user: str, epoch: int) -> bool:
        """Claim the user's one seat for this table (again). False: another table holds it.

        Only the owner of a table claims for it. Earlier notes of `free` and `keep` do not undo it. Waits while the
        store is away.
        """
        ...

    def keep(self, table_id: str, users: tuple[str, ...], epoch: int) -> None:
        """Only these users belong to the table: a new owner calls it, to mend lost claims and frees."""
        ...

    def free(self, table_id: str, users: tuple[str, ...] | None, epoch: int) -> None:
        """These people may take a seat elsewhere from now on. None: everybody who belongs to this table."""
        ...

    def closed(self, table_id: str, code: str, reason: str) -> None:
        """The table is gone from the store: quarantine its code, forget the room."""
        ...

    def changed(self, summary: Summary) -> None:
        """Seats, phase or presence changed: for lobby feeds and rejoin lists."""
        ...


class Alerts(Protocol):
    """Operators."""

    def alert(self, table_id: str, what: str, text: str, dump: bytes | None) -> None:
        """`what`: frozen, store_lost, corrupt. `dump`: the round's log and the traceback as JSON, secrets included."""
        ...


Chooser = Callable[[Variant[Any], TableState, int, Decision, int], Action]
"""A bot: (variant, what its seat sees, seat, its decision, 64 random bits) → one of the decision's options."""
