"""The one way to the live store: commands of one event-loop turn leave in one pipeline, and are repeated until the
store has answered definitely. No key and no script is named here.

A connection error or a timeout after sending means *unknown*, not failed: the same bytes go out again, until there is
an answer or the caller gave up. Hence everything sent here must be harmless when it is applied twice; the scripts are.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast
from urllib.parse import parse_qs, unquote, urlsplit

from hiredis import pack_command
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    InvalidResponse,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,
    TryAgainError,
)

from app.storage.live.wire import shards
from app.storage.live.wire.line import Line, is_plain, open_line
from app.storage.live.wire.scripts import Script

log = logging.getLogger(__name__)

REPLY_S: Final = 2.0
"""Time for an answer before it counts as lost."""
_MOMENT_S: Final = 0.05
"""The limit is moved on no more often than that."""
WAIT_S: Final = 1.0
"""Time for replicas to confirm a pipeline before it counts as not done."""
LANES: Final = 4
"""Pipelines that may be under way at a time; what comes meanwhile waits and goes out together."""
_PAUSES_S: Final = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
_SENTINEL_PORT: Final = 26379
_LOST: Final = (ConnectionError, TimeoutError, InvalidResponse, RedisClusterException, ClusterError, OSError)
"""Errors that leave us without an answer: applied or not, nobody knows."""
_PASSING: Final = (OutOfMemoryError, ReadOnlyError, AskError, TryAgainError, ClusterDownError)
_PASSING_WORDS: Final = ("BUSY", "MISCONF", "NOREPLICAS", "UNBLOCKED")
"""Refusals that mean "not applied, try again". Any other refusal is our own fault and is raised."""

Word = str | bytes | int
Client = Redis | RedisCluster


class StoreUnavailable(Exception):
    """The live store gave no definite answer within the caller's patience."""


@dataclass(slots=True, eq=False)
class _Call:
    words: Sequence[Word]
    script: Script | None
    answer: asyncio.Future[Any]


def connect(url: str) -> Client:
    """A client for `url`, with no retries of its own: redis://, rediss://, unix://; `?cluster=true` for a cluster;
    redis+sentinel://host:port,host:port/service asks these sentinels which server is the primary just now.

    The link limits the wait for a server's answer: a client's timer for every answer is dear, and its default is 5 s.
    """
    options: dict[str, Any] = {
        "retry": Retry(NoBackoff(), 0), "socket_connect_timeout": REPLY_S, "socket_timeout": None,
        "max_connections": LANES + 4,
    }  # fmt: skip
    if "+sentinel://" in url:
        return _by_sentinel(url, options)
    if "cluster=true" in url:
        options["socket_timeout"] = REPLY_S
        return RedisCluster.from_url(url.replace("cluster=true", "").rstrip("?&"), **options)
    return Redis.from_pool(BlockingConnectionPool.from_url(url, timeout=None, **options))


def _by_sentinel(url: str, options: dict[str, Any]) -> Redis:
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    where = [urlsplit(f"//{host}") for host in hosts.split(",")]
    given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    sentinels = Sentinel(  # type: ignore[no-untyped-call]
        [(host.hostname, host.port or _SENTINEL_PORT) for host in where],
        sentinel_kwargs={**options, "password": given.get("sentinel_password"), "socket_timeout": REPLY_S},
        username=unquote(user) or None, password=unquote(password) or None, db=int(given.get("db", 0)),
        ssl=parts.scheme.startswith("rediss"), **options,
    )  # fmt: skip
    primary: Redis = sentinels.master_for(parts.path.strip("/"))
    return primary


@dataclass(eq=False)
class Link:
    """Sends commands to the store. `replicas`: how many replicas must have a write before it counts as done (WAIT)."""

    client: Client
    replicas: int = 0
    failing_since: float | None = None
    _waiting: deque[_Call] = field(default_factory=deque)
    _lanes: dict[asyncio.Task[None], list[_Call]] = field(default_factory=dict)
    _lines: deque[Any] = field(default_factory=deque)
    _own_lines: deque[Line] = field(default_factory=deque)
    _again: set[_Call] = field(default_factory=set)
    _timer: asyncio.Handle | None = None
    _due: float = math.inf
    _failures: int = 0
    _clustered: bool = False
    _plain: bool = False

    def __post_init__(self) -> None:
        self._clustered = isinstance(self.client, RedisCluster)  # too dear to ask for each pipeline
        self._plain = not self._clustered and is_plain(cast(Redis, self.client))

    def run(
        self, script: Script, keys: Sequence[str], args: Sequence[Word], patience_s: float | None = None
    ) -> asyncio.Future[Any]:
        """Run a script. The future gives its answer; StoreUnavailable once `patience_s` is over (None: it never is)."""
        return self._send(("EVALSHA", script.sha, len(keys), *keys, *args), script, patience_s)

    def ask(self, *words: Word, patience_s: float | None = 5.0) -> asyncio.Future[Any]:
        """One plain command. The future gives the answer (bytes); StoreUnavailable after `patience_s`."""
        return self._send(words, None, patience_s)

    async def close(self) -> None:
        """Stop sending; open calls raise StoreUnavailable."""
        if self._timer is not None:
            self._timer.cancel()
        lanes = dict(self._lanes)
        for lane in lanes:
            lane.cancel()
        await asyncio.gather(*lanes, return_exceptions=True)
        for call in (*self._waiting, *[call for batch in lanes.values() for call in batch]):
            _give_up(call)
        self._waiting.clear()
        self._again.clear()
        self._cut_own_lines()
        await self.client.aclose()

    def _send(self, words: Sequence[Word], script: Script | None, patience_s: float | None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        call = _Call(words, script, loop.create_future())
        if patience_s is not None:
            patience = loop.call_later(patience_s, _give_up, call)
            call.answer.add_done_callback(lambda _: patience.cancel())
        self._waiting.append(call)
        if self._timer is None:
            self._timer = loop.call_soon(self._flush)
        return call.answer

    def _flush(self) -> None:
        self._timer, self._due = None, math.inf
        if len(self._lanes) >= LANES:
            return  # the next free lane takes everything along
        batch = [call for call in self._waiting if not call.answer.done()]
        self._waiting.clear()
        self._again = {call for call in self._again if not call.answer.done()}
        if batch:
            lane = asyncio.ensure_future(self._exchange(batch))
            self._lanes[lane] = batch
            lane.add_done_callback(self._lane_is_free)

    def _lane_is_free(self, lane: asyncio.Task[None]) -> None:
        del self._lanes[lane]
        if self._waiting and self._timer is None:
            self._timer = asyncio.get_running_loop().call_soon(self._flush)

    async def _exchange(self, batch: list[_Call]) -> None:
        """One pipeline, there and back. Never raises: every call is answered, or waits to be sent again."""
        try:
            refused = await self._pipeline(batch)
        except _LOST as error:
            self._try_later(batch, f"{type(error).__name__}: {error}")
        except Exception as error:  # our own bug: raised in the calling task, so that none waits for ever
            for call in batch:
                if not call.answer.done():
                    call.answer.set_exception(error)
        else:
            if refused is not None:
                self._try_later(*refused)
            else:
                self._answers_again()

    async def _pipeline(self, batch: list[_Call]) -> tuple[list[_Call], str] | None:
        """Send, settle the definite answers; return the calls that must go out again, and the reason."""
        commands, wait_ms = [call.words for call in batch], int(WAIT_S * 1000)
        if self._clustered:
            answers = await shards.converse(cast(RedisCluster, self.client), commands, self.replicas, wait_ms)
        else:
            if self.replicas:
                commands.append(("WAIT", self.replicas, wait_ms))
            client = cast(Redis, self.client)
            answers = await self._converse(client, commands)
            if any(isinstance(answer, ReadOnlyError) for answer in answers):
                self._cut_own_lines()  # a primary no more: look again where the address leads
                await client.connection_pool.disconnect()
            if self.replicas and (short := _too_few(answers.pop(), self.replicas)):
                return batch, short
        again, why = [], ""
        missing: dict[Script, list[_Call]] = {}
        for call, answer in zip(batch, answers, strict=True):
            if not isinstance(answer, Exception):
                if not call.answer.done():
                    call.answer.set_result(answer)
            elif isinstance(answer, NoScriptError) and call.script is not None:
                missing.setdefault(call.script, []).append(call)
            elif isinstance(answer, _LOST) or _passes(answer):
                again.append(call)
                why = str(answer)
            elif not call.answer.done():
                call.answer.set_exception(answer)
        for script, calls in missing.items():  # "never heard of it" means "not applied": teach it and send again
            await self._teach(script)
            self._waiting.extend(calls)
        return (again, why) if again else None

    async def _converse(self, client: Redis, commands: list[Sequence[Word]]) -> list[Any]:
        """Say all of it, hear all answers, refusals among them. The connections stay ours, one for each lane: to take
        one from redis-py's pool, its timers, and its packing of commands cost more than the rest."""
        said = b"".join([pack_command(tuple(words)) for words in commands])  # type: ignore[arg-type]  # of any length
        if self._plain:
            return await self._converse_plainly(client, said, len(commands))
        now = asyncio.get_running_loop().time
        async with asyncio.timeout(REPLY_S) as patience:
            line = self._lines.popleft() if self._lines else await client.connection_pool.get_connection()  # type: ignore[no-untyped-call]
            answers: list[Any] = []
            try:
                await line.send_packed_command(said, check_health=False)
                heard = now()
                for words in commands:
                    try:
                        answers.append(await client.parse_response(line, str(words[0])))
                    except ResponseError as refused:
                        answers.append(refused)
                    if now() - heard > _MOMENT_S and not patience.expired():  # held up ourselves: the next wait is cut
                        heard = now()
                        patience.reschedule(heard + REPLY_S)
            except BaseException:  # what comes now answers nothing of ours; the others have most likely gone as well
                for cut in (line, *self._lines):
                    await cut.disconnect(nowait=True)
                await client.connection_pool.release(line)
                raise
            self._lines.append(line)
            return answers

    async def _converse_plainly(self, client: Redis, said: bytes, count: int) -> list[Any]:
        """The same over a line of our own, where the address allows it."""
        async with asyncio.timeout(REPLY_S):
            while self._own_lines and self._own_lines[0].gone:
                self._own_lines.popleft()
            line = self._own_lines.popleft() if self._own_lines else await open_line(client)
            try:
                answers = await line.converse(said, count)
            except BaseException:  # as above
                line.cut()
                self._cut_own_lines()
                raise
            self._own_lines.append(line)
            return answers

    def _cut_own_lines(self) -> None:
        while self._own_lines:
            self._own_lines.pop().cut()

    async def _teach(self, script: Script) -> None:
        async with asyncio.timeout(REPLY_S):
            await self.client.script_load(script.text)
        log.info("loaded the script %s into the live store", script.name)

    def _try_later(self, batch: list[_Call], why: str) -> None:
        loop = asyncio.get_running_loop()
        if self.failing_since is None:
            self.failing_since = loop.time()
            log.warning("the live store does not answer as it should, retrying: %s", why)
        self._waiting.extendleft(reversed(batch))
        self._again.update(batch)
        due = loop.time() + _PAUSES_S[min(self._failures, len(_PAUSES_S) - 1)]
        self._failures += 1
        if self._timer is not None:
            self._timer.cancel()
            due = min(due, self._due)  # lanes that fail one after the other do not put it off again and again
        self._due = due
        self._timer = loop.call_at(due, self._flush)

    def _answers_again(self) -> None:
        """A pipeline went through. The trouble is over once nothing that failed is left (full memory refuses some)."""
        if self.failing_since is None:
            return
        self._again = {call for call in self._again if not call.answer.done()}
        if not self._again:
            log.warning("the live store answers again")
            self._failures, self.failing_since = 0, None


def _passes(answer: object) -> bool:
    """Is this a refusal that will pass by itself?"""
    if isinstance(answer, _PASSING):
        return True
    return isinstance(answer, ResponseError) and str(answer).startswith(_PASSING_WORDS)


def _too_few(answer: object, wanted: int) -> str:
    """What WAIT's answer means when it is not good enough; empty: enough replicas have it."""
    if isinstance(answer, int) and answer >= wanted:
        return ""
    return f"{answer} of {wanted} replicas have it" if isinstance(answer, int) else str(answer)


def _give_up(call: _Call) -> None:
    if not call.answer.done():
        call.answer.set_exception(StoreUnavailable())
        call.answer.exception()  # mark as seen: a caller of several commands may have left at the first failure
