"""The lobby's feed: open seats live. One reader per node asks the board for changes and sends them to its followers.
Rooms of a circle go only to those whose ticket or membership lets them see it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, Protocol

from app.api.gateway.connection import Connection
from app.protocol.v1 import client
from app.protocol.v1.client import BadFrame
from app.refusal import ErrorCode
from app.rest.bug_log import log_bug
from app.service.rooms import PUBLIC, listed_under
from app.storage.live.rooms.tickets import Ticket
from app.storage.live.wire.link import StoreUnavailable
from app.tables.ports import Summary

log = logging.getLogger(__name__)

_LOOK_S: Final = 0.5
TRUST_S: Final = 5.0
"""A removed member may still be sent a circle's rooms for this long."""

MayWatch = Callable[[str, str], Awaitable[bool]]
"""May this user see this circle's rooms? (user, circle)"""


class News(Protocol):
    """Reads the board (`storage.live.board`)."""

    async def news(self, since: int) -> tuple[int, bool, dict[str, Summary | None]]: ...


class LobbyFeed:
    """Knows the rooms of all nodes and who follows which list. Members are looked at again after `trust_s`."""

    def __init__(self, board: News, may_watch: MayWatch, trust_s: float = TRUST_S) -> None:
        self._board = board
        self._may_watch = may_watch
        self._trust_s = trust_s
        self._rooms: dict[str, Summary] = {}
        self._number = 0
        self._followers: dict[Connection, str] = {}
        self._looked_at: dict[Connection, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def scope(self, ticket: Ticket) -> AtLobby:
        """The peer of a lobby socket."""
        return AtLobby(self, ticket)

    async def run(self) -> None:
        """Look for news until cancelled; not at all while nobody follows."""
        while True:
            await asyncio.sleep(_LOOK_S)
            if self._followers:
                try:
                    await self.look()
                except StoreUnavailable:
                    log.warning("no news of rooms: the live store does not answer")

    async def look(self) -> None:
        """Ask the board once for changes, and send them."""
        self._number, everything, news = await self._board.news(self._number)
        if everything:
            news = {**dict.fromkeys(self._rooms.keys() - news.keys()), **news}
        told: dict[str, tuple[list[Any], list[str]]] = {}
        for table_id, now in news.items():
            before = self._rooms.pop(table_id, None)
            if now is not None:
                self._rooms[table_id] = now
            _note(told, before, now)
        for connection, scope in list(self._followers.items()):
            may = scope in told and await self._may_still(connection, scope)
            if may and self._followers.get(connection) == scope:  # still here, with the same list
                rooms, gone = told[scope]
                connection.send("lobby", {"all": False, "rooms": rooms, "gone": gone})

    async def circle_changed(self, circle_id: str) -> None:
        """Tell those who look at this circle here to ask again."""
        scope = f"circle:{circle_id}"
        for connection, followed in list(self._followers.items()):
            if followed == scope and await self._may_still(connection, scope):
                connection.send("lobby", {"all": False, "rooms": [], "gone": [], "changed": True})

    def follow(self, connection: Connection, ref: str, user: str, scope: str) -> None:
        """Begin to follow a list (instead of another one), if that is allowed."""
        task = asyncio.ensure_future(self._follow(connection, ref, user, scope))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def leave(self, connection: Connection) -> None:
        """Follow nothing."""
        self._followers.pop(connection, None)
        self._looked_at.pop(connection, None)

    async def _may_still(self, connection: Connection, scope: str) -> bool:
        """Check the follower's membership again. A former member is sent an empty list, and nothing after it."""
        now = asyncio.get_running_loop().time()
        if scope == PUBLIC or now - self._looked_at.get(connection, -self._trust_s) < self._trust_s:
            return True
        try:
            allowed = await self._may_watch(connection.user or "", scope.removeprefix("circle:"))
        except Exception as error:
            log_bug(log, "looking at the members of a circle", error)
            return True
        if self._followers.get(connection) != scope:
            return False
        if allowed:
            self._looked_at[connection] = now
        else:
            self.leave(connection)
            connection.send("lobby", {"all": True, "rooms": [], "gone": []})
        return allowed

    async def _follow(self, connection: Connection, ref: str, user: str, scope: str) -> None:
        try:
            if scope != PUBLIC and not await self._may_watch(user, scope.removeprefix("circle:")):
                connection.refuse(ref, ErrorCode.NOT_ALLOWED)
                return
            if not self._followers:
                await self.look()  # nobody looked meanwhile
        except Exception as error:
            log_bug(log, "showing a lobby", error)
            connection.refuse(ref, ErrorCode.BUSY)
            return
        if connection.closing:
            return
        connection.send("ack", {"ref": ref})
        rooms = [public(summary) for summary in self._rooms.values() if listed_under(summary) == scope]
        connection.send("lobby", {"all": True, "rooms": rooms, "gone": []})
        self._followers[connection] = scope
        self._looked_at[connection] = asyncio.get_running_loop().time()


def public(summary: Summary) -> Mapping[str, Any]:
    """A room's line in a lobby."""
    line = asdict(summary)
    line["id"] = line.pop("table_id")
    del line["frozen"], line["parted"]
    return line


def _note(told: dict[str, tuple[list[Any], list[str]]], before: Summary | None, now: Summary | None) -> None:
    old = listed_under(before) if before is not None else None
    new = listed_under(now) if now is not None else None
    if now is not None and new is not None:
        told.setdefault(new, ([], []))[0].append(public(now))
    if before is not None and old is not None and old != new:
        told.setdefault(old, ([], []))[1].append(before.table_id)


class AtLobby:
    """The scope of a lobby socket."""

    def __init__(self, feed: LobbyFeed, ticket: Ticket) -> None:
        self._feed = feed
        self._ticket = ticket

    def on_request(self, connection: Connection, message: client.Message) -> None:
        """`watch`. Raises BadFrame."""
        data = client.read_data(message, client.LOBBY_KINDS)
        if not isinstance(data, client.Watch):
            raise BadFrame(ErrorCode.NOT_ALLOWED, "one hello per socket", message.id)
        if (data.circle is None) == (not data.lobby):
            raise BadFrame(ErrorCode.MALFORMED, "watch: either a circle, or lobby true", message.id)
        scope = PUBLIC if data.circle is None else f"circle:{data.circle}"
        self._feed.follow(connection, message.id, self._ticket.user, scope)

    def on_drained(self, connection: Connection) -> None:
        """Nothing waits for that here."""

    def on_lost(self, connection: Connection) -> None:
        """The socket is gone."""
        self._feed.leave(connection)
