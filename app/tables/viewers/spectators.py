"""Spectators (旁观): public faces only, with the configured delay. They cannot act at a table.

With a delay, entries and the snapshot for newcomers both come from the past: the gallery folds its own view when an
entry is delivered. After a take-over the delayed past is gone: no tiles are shown until the present is old enough.
Delayed frames are sent in the table's own turn, like all others: an owner that was away confirms its token first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from app.kernel.events import Event
from app.kernel.table import TableState
from app.kernel.text.notation import plain_view
from app.kernel.views import fold
from app.tables.frames import NO_PROMPT, Face, Frame, Plain
from app.tables.ports import Cancel, Clock, Connection, Person

_AT_ONCE: Final = ("saving", "notice", "error")
"""Frames about the server. All others tell of the play: a countdown, that a round is over (S1)."""


class _Late(NamedTuple):
    due: float
    frame: Frame
    events: tuple[Event, ...]
    match: Plain | None
    fresh: bool
    view: TableState | None = None


class Spectators:
    """Connections by user, the newest of each, and their last view. `due()` asks for a call of `deliver`."""

    def __init__(self, clock: Clock, delay_s: float, due: Callable[[], object]) -> None:
        self._clock = clock
        self._delay_s = delay_s
        self._due = due
        self._people: dict[Connection, Person] = {}
        self._late: deque[_Late] = deque()
        self._timer: Cancel | None = None
        self._view: TableState | None = None
        self._match: Plain = {}
        self._seq = (0, 0)

    def __len__(self) -> int:
        return len(self._people)

    @property
    def connections(self) -> tuple[Connection, ...]:
        """Everybody who watches."""
        return tuple(self._people)

    def begin(self, view: TableState | None, match: Plain, seq: tuple[int, int], room: Plain) -> None:
        """Start from the present: at creation and after a recovery. A running round is shown once the delay is over."""
        self.stop()
        self._view, self._match, self._seq = view, match, seq
        if self._delay_s > 0 and view is not None:
            present, self._view = self.snapshot(room), None
            self._late.append(_Late(self._clock.monotonic() + self._delay_s, present, (), match, True, view))
            self._wake()

    def admit(self, connection: Connection, person: Person) -> Connection | None:
        """Admit a spectator. Returns the older connection of the same user, which is to be closed."""
        old = next((c for c, p in self._people.items() if p.user == person.user), None)
        if old is not None:
            del self._people[old]
        self._people[connection] = person
        return old

    def person(self, connection: Connection) -> Person | None:
        """The spectator of this connection."""
        return self._people.get(connection)

    def dismiss(self, connection: Connection) -> bool:
        """Remove a spectator; False when they were not here."""
        return self._people.pop(connection, None) is not None

    def dismiss_user(self, user: str) -> list[Connection]:
        """This person watches no longer. Returns their connections."""
        gone = [connection for connection, person in self._people.items() if person.user == user]
        for connection in gone:
            del self._people[connection]
        return gone

    def entry(self, frame: Frame, events: tuple[Event, ...], match: Plain | None, fresh: bool) -> None:
        """An entry everybody may see, with its public faces and what it changed of the MatchView.

        `fresh`: it begins a page.
        """
        late = _Late(self._clock.monotonic() + self._delay_s, frame, events, match, fresh)
        if self._delay_s <= 0:
            self._deliver(late)
            return
        self._late.append(late)
        self._wake()

    def deliver(self) -> None:
        """Send the entries that are old enough by now."""
        while self._late and self._late[0].due <= self._clock.monotonic():
            self._deliver(self._late.popleft())
        self._wake()

    def say(self, frame: Frame) -> None:
        """A frame without seq: late like the play that it belongs to, unless it speaks of the server."""
        if self._delay_s > 0 and frame.kind not in _AT_ONCE:
            self._late.append(_Late(self._clock.monotonic() + self._delay_s, frame, (), None, False))
            self._wake()
            return
        for connection in tuple(self._people):
            connection.offer(frame)

    def snapshot(self, room: Plain) -> Frame:
        """The `sync` of a newcomer, as late as everything else here."""
        view = None if self._view is None else plain_view(self._view)
        data = {"room": room, "match": self._match, "view": view, "prompt": NO_PROMPT, "me": {"seat": None}}
        return Frame("sync", self._seq, Face(data))

    def stop(self) -> None:
        """No more deliveries."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._late.clear()

    def let_go(self) -> None:
        """Nobody watches any more."""
        self._people.clear()

    def _wake(self) -> None:
        if self._timer is None and self._late:
            self._timer = self._clock.call_later(max(0.0, self._late[0].due - self._clock.monotonic()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._due()

    def _deliver(self, late: _Late) -> None:
        if late.fresh:
            self._view = late.view
        for event in late.events:
            self._view = fold(self._view, event)
        if late.match is not None:
            self._match = late.match
        self._seq = late.frame.seq or self._seq
        for connection in tuple(self._people):
            connection.offer(late.frame)
