"""Compares the store's settings with those that "acked ⇒ kept" needs (README.md). At the start and every minute,
because a store may be replaced, or set anew, while we run. Changes nothing there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Final, Literal

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.exceptions import ConnectionError, RedisClusterException, ResponseError, TimeoutError

from app.storage.live.wire.answers import pairs
from app.storage.live.wire.link import Link, StoreUnavailable

log = logging.getLogger(__name__)

AGAIN_S: Final = 60.0
Fsync = Literal["no", "everysec", "always"]
_STRENGTH: Final[Mapping[str, int]] = {"no": 0, "everysec": 1, "always": 2}
_ASKED: Final = ("maxmemory-policy", "appendonly", "appendfsync", "no-appendfsync-on-rewrite")
_GOOD: Final = ("noeviction", "yes", "always", "no")
"""Values assumed where a server does not know a setting."""
_PATIENCE_S: Final = 5.0


class EvictingStore(Exception):
    """The live store deletes data when its memory is full: no table may be kept there."""


class Durability:
    """`wanted`: the weakest `appendfsync` that the operator is content with. `problems`: what to put right, for people;
    empty when all is well."""

    def __init__(self, link: Link, wanted: Fsync = "always") -> None:
        self.problems: tuple[str, ...] = ()
        self._link = link
        self._wanted = wanted

    async def check(self) -> None:
        """Ask. Raises EvictingStore, whose text names the setting; StoreUnavailable. Anything else is a warning.

        Many hired stores do not let anybody ask: then that is the problem.
        """
        try:
            servers = await self._ask()
        except ResponseError as refused:
            self._note([f"the live store does not show its settings ({refused}): check them yourself, see README"])
            return
        found = [(where, problem) for where, given in servers.items() for problem in self._of(given)]
        self._note([f"{problem} (at {where})" if where else problem for where, problem in found])
        for where, given in servers.items():
            if (policy := given.get(_ASKED[0], _GOOD[0])) != _GOOD[0]:
                raise EvictingStore(_evicts(policy) + (f" (at {where})" if where else ""))

    async def run(self) -> None:
        """Ask again and again, until cancelled. Tables that run go on: stopping them all would lose no less."""
        while True:
            await asyncio.sleep(AGAIN_S)
            try:
                await self.check()
            except EvictingStore:
                pass  # is among the problems, and was logged
            except StoreUnavailable:
                log.debug("the live store does not answer; its settings were not checked")

    async def _ask(self) -> dict[str, dict[str, str]]:
        """The settings by server; "" is the only one there is."""
        client = self._link.client
        if not isinstance(client, RedisCluster):
            told = await self._link.ask("CONFIG", "GET", *_ASKED, patience_s=_PATIENCE_S)
            return {"": {str(name, "utf-8"): str(value, "utf-8") for name, value in pairs(told)}}
        try:
            answers = {
                node.name: await client.config_get(*_ASKED, target_nodes=node) for node in await _primaries(client)
            }
        except (ConnectionError, TimeoutError, RedisClusterException, OSError) as error:
            raise StoreUnavailable from error
        return {where: {str(name): str(value) for name, value in given.items()} for where, given in answers.items()}

    def _of(self, given: Mapping[str, str]) -> list[str]:
        policy, kept, fsync, lax = (given.get(name, good) for name, good in zip(_ASKED, _GOOD, strict=True))
        problems = [] if policy == _GOOD[0] else [_evicts(policy)]
        if kept != "yes":
            problems.append("appendonly is no at the live store, so its restart loses every table: set it to yes")
        elif _STRENGTH.get(fsync, 0) < _STRENGTH[self._wanted]:
            problems.append(
                f"appendfsync is {fsync} at the live store, so a loss of power may lose the last acknowledged writes:"
                f" set it to {self._wanted}, or accept that with MJ_VALKEY_FSYNC={fsync}"
            )
        elif lax == "yes" and self._wanted != "no":
            problems.append(
                "no-appendfsync-on-rewrite is yes at the live store, so a loss of power while its file is rewritten"
                " may lose all writes since its start: set it to no"
            )
        return problems

    def _note(self, problems: list[str]) -> None:
        for problem in problems:
            if problem not in self.problems:
                log.warning("%s", problem)
        self.problems = tuple(problems)


async def _primaries(client: RedisCluster) -> list[ClusterNode]:
    await client.initialize()
    return client.get_primaries()


def _evicts(policy: str) -> str:
    return (
        f"maxmemory-policy is {policy} at the live store, which deletes data once memory is full:"
        " set maxmemory-policy to noeviction"
    )
