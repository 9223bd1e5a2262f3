"""The place where a table runs, or should: the node that a ticket names, and the dead node's tables that this one takes
over. This module only avoids conflicts; the token in every append makes two owners impossible.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Set
from typing import Final, NamedTuple

from redis.exceptions import ResponseError

from app.storage.live.nodes.nodes import BEAT_S, LOOK_S, Node, Nodes, Seen, owner_of, rendezvous_node
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable

log = logging.getLogger(__name__)

_QUIET_S: Final = 0.8
"""A node that did not beat for this long missed a beat."""
_ON_THE_WAY_S: Final = 0.1
_AT_A_TIME: Final = 3
_AT_ONCE: Final = 16
_GIVE_WAY: Final = 8.0
"""Times what one turn of the event loop took; at most _GIVE_WAY_S."""
_GIVE_WAY_S: Final = 0.05
_ALONE_S: Final = 0.5
_LOOKED_AT: Final = 64
"""Tables, in one pipeline: all of them at once would halt everybody for a while."""
_TABLES_EVERY: Final = 8
"""Looks between two looks at all tables, when no node has gone."""


Adopt = Callable[[dict[str, str]], Awaitable[object]]
"""Takes tables over: by id the token that was seen, which must be there still."""


class Place(NamedTuple):
    """A node to go to. `owned`: it has the table already; otherwise it should take it when asked."""

    node: Node
    owned: bool


class Placement:
    """Answers where a table is; `me()` is this node as it is now."""

    def __init__(self, link: Link, me: Callable[[], Node]) -> None:
        self._link = link
        self._me = me
        self._nodes = Nodes(link)
        self._looking: asyncio.Task[Seen] | None = None

    async def place(self, table_id: str) -> Place | None:
        """The node to ask for a table; None when the table is gone. A dead owner's table is offered to another node
        after a beat.

        Raises StoreUnavailable.
        """
        token = await _token_of(self._link, table_id)
        if token is None or token.endswith(b":closed"):
            return None
        owner = owner_of(str(token, "utf-8"))
        me = self._me()
        if owner == me.owner:
            return Place(me, True)
        alive, quiet_s, silent = await self._look()
        if owner in silent or (owner in alive and quiet_s[owner] > _QUIET_S):
            # A client asks for it, and its owner missed a beat, or all keys ran out because the store's clock stepped.
            await asyncio.sleep(BEAT_S + _ON_THE_WAY_S)
            alive, quiet_s, _ = await self._look()
        if owner in alive and quiet_s[owner] <= _QUIET_S + BEAT_S:
            return Place(alive[owner], True)
        home = rendezvous_node(table_id, [node for name, node in alive.items() if name != owner])
        return Place(home or me, False)

    async def _look(self) -> Seen:
        """One look for all who ask at the same moment."""
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._nodes.look())
            self._looking.add_done_callback(self._looked)
        return await asyncio.shield(self._looking)

    def _looked(self, _: asyncio.Future[Seen]) -> None:
        self._looking = None


class Takeover:
    """Finds tables that nobody runs and hands them to `adopt` on the node that should have them.

    `is_responsible_for(table)`: true when this node runs the table or is about to. If not, a table that it owns is
    orphaned, though the owner runs.
    """

    def __init__(
        self, link: Link, me: Callable[[], Node], adopt: Adopt,
        is_responsible_for: Callable[[str], bool] = lambda table_id: True
    ) -> None:  # fmt: skip
        self._link = link
        self._me = me
        self._adopt = adopt
        self._minds = is_responsible_for
        self._nodes = Nodes(link)
        self._missing: set[str] = set()
        self._alive: set[str] = set()
        self._looks = 0
        self._looked = asyncio.Event()
        self._alone = True

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            try:
                await self.look()
            except StoreUnavailable:
                self._missing = set()  # we saw nothing: no ground to call a node dead
            self._looked.set()
            await asyncio.sleep(LOOK_S)

    async def begun(self) -> None:
        """Before anybody is served: returns when the first look is over and all of it taken, or after `_ALONE_S`.

        Tables of the process before us are taken fastest while this node serves nobody yet.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ALONE_S):
                await self._looked.wait()
        self._alone = False

    async def look(self) -> list[str]:
        """One look at the nodes; at the tables too when a node ended, and now and then. Returns the tables taken.

        A silent node counts as alive until it was silent at two looks. Raises StoreUnavailable.
        """
        alive, _, silent = await self._nodes.look()
        dead, self._missing = silent & self._missing, silent
        went, self._alive = self._alive - alive.keys(), set(alive)
        self._looks += 1
        me = self._me()
        if me.owner not in alive or not (dead or went or self._looks % _TABLES_EVERY == 1):
            return []
        orphans = await self._orphans(alive.keys() | silent - dead)
        mine = {
            name: token for name, token in orphans.items()
            if owner_of(token) == me.owner
            or (not me.draining and (rendezvous_node(name, alive.values()) or me).owner == me.owner)
        }  # fmt: skip
        if mine:
            log.warning("taking over %d tables that nobody runs", len(mine))
            await self._take(mine)
        return list(mine)

    async def _take(self, tables: dict[str, str]) -> None:
        """A few at a time, and slower while others have much to do here: whose table is asked for opens it first."""
        clock = asyncio.get_running_loop().time
        left = deque(tables.items())
        while left:
            some = _AT_ONCE if self._alone else _AT_A_TIME
            try:
                await self._adopt(dict([left.popleft() for _ in range(min(some, len(left)))]))
            except StoreUnavailable:
                raise
            except Exception:  # our own bug: the others do not wait for it
                log.exception("tables that nobody runs could not be taken over")
            before = clock()
            await asyncio.sleep(0)
            if not self._alone:
                await asyncio.sleep(min(_GIVE_WAY * (clock() - before), _GIVE_WAY_S))

    async def _orphans(self, owners: Set[str]) -> dict[str, str]:
        """Tables of nobody among these, or of our own that we do not run, and their tokens."""
        names, held = [str(name, "utf-8") for name in await self._link.ask("SMEMBERS", keys.TABLES)], []
        for at in range(0, len(names), _LOOKED_AT):
            some = names[at : at + _LOOKED_AT]
            tokens = await asyncio.gather(*[_token_of(self._link, name) for name in some])
            held += [(name, str(token or b"", "utf-8")) for name, token in zip(some, tokens, strict=True)]
        me = self._me().owner
        return {
            name: token for name, token in held
            if token and not token.endswith(":closed")
            and ((owner := owner_of(token)) not in owners or (owner == me and not self._minds(name)))
        }  # fmt: skip


async def _token_of(link: Link, table_id: str) -> bytes | None:
    """A table's token; None where there is none, or something else in its place: that one table is out of play."""
    try:
        token: bytes | None = await link.ask("GET", keys.lease(table_id))
    except ResponseError as wrong:
        log.error("the token of table %s cannot be read: %s", table_id, wrong)
        return None
    return token
