"""Many tables in the middle of a round, made quickly: a few are played by bots to there, then copied under new names.

For measurements and tests of recovery. Each table has one person, whose turn it is, and bots. The copies play at the
pace of a room whose host chose nothing: their bots would else answer at once, all of them, as no bots of people do.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any, Final

from app.kernel.text.notation import read_action
from app.kernel.tiles import COPIES
from app.lab.clients.client import plain_choice
from app.storage.live.logs.tables import LiveTables
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.tables import asks
from app.tables.clocks.clock import LoopClock, SystemEntropy
from app.tables.clocks.controllers import autoplay_choice
from app.tables.frames import Frame, Reason
from app.tables.handle import TableHandle
from app.tables.log.chain import Chain, unsealed
from app.tables.messages import Limits, RuntimeDeps
from app.tables.ports import Person, Summary
from app.tables.registry import Registry
from app.tables.settings import TableSettings, make_spec
from app.variants import VARIANTS

OWNER: Final = "gone.000000000000"
"""Owner of the copied tables: a process that is dead."""
_MOULDS: Final = 3
_AT_ONCE: Final = b'"claim_hold_ms":0'
_AT_LEISURE: Final = b'"claim_hold_ms":%d' % TableSettings().claim_hold_ms
_WHOLE_SET: Final = 108


class _Seat:
    """The player of a template table: answers every question until the log is long enough."""

    def __init__(self, table: TableHandle, entries: int) -> None:
        self.table = table
        self.sits = asyncio.Event()
        self.done = asyncio.Event()
        self._entries = entries
        self._number = 0

    def offer(self, frame: Frame) -> bool:
        """Answer prompts; be ready whenever a round may begin."""
        data = frame.face.data
        if frame.kind == "ack":
            self.sits.set()
        match = data.get("match")
        if match and match["phase"] in ("waiting", "between", "ended") and not match["seats"][0]["ready"]:
            self._ask(asks.Ready())
        decision = data.get("decision") if frame.kind == "prompt" else data.get("prompt", {}).get("decision")
        if decision is not None:
            asyncio.get_running_loop().call_soon(self._answer, frame.seq, decision)
        return True

    def farewell(self, reason: Reason, detail: str) -> None:
        """Nothing to do."""

    def _answer(self, seq: tuple[int, int] | None, decision: dict[str, Any]) -> None:
        if seq is None or self.table.gone:
            return
        long = self.table.log.length >= self._entries and self.table.log.round is not None
        if long and decision["clock"] == "turn":  # a claim would soon run out at all copies at once
            self.done.set()
            return
        action = read_action(plain_choice(decision["options"], random.Random(self._number)))
        self._ask(asks.Play(seq[0], decision["id"], action))

    def _ask(self, ask: asks.Ask) -> None:
        self._number += 1
        self.table.request(self, f"m{self._number}", ask)


class _NoRooms:
    async def claim(self, table_id: str, user: str, epoch: int) -> bool:
        return True

    def keep(self, table_id: str, users: tuple[str, ...], epoch: int) -> None: ...

    def free(self, table_id: str, users: tuple[str, ...] | None, epoch: int) -> None: ...

    def closed(self, table_id: str, code: str, reason: str) -> None: ...

    def changed(self, summary: Summary) -> None: ...


class _NoAlerts:
    def alert(self, table_id: str, what: str, text: str, dump: bytes | None) -> None:
        raise RuntimeError(f"{table_id}: {what}: {text}")


async def make_tables(link: Link, count: int, entries: int) -> dict[str, str]:
    """`count` tables, at least `entries` entries in the running round, owned by a dead process: id → its person."""
    moulds = await _moulds(link, entries)
    made = {}
    for number in range(count):
        mould, log, page = moulds[number % len(moulds)]
        table_id, user = f"bench-{number:06d}", f"person-{number:06d}"
        copied = _copies(log, mould, table_id, user, page)
        await link.ask("RPUSH", keys.log(table_id, page), *copied, patience_s=None)
        written = [
            link.ask("SET", keys.lease(table_id), f"7:{OWNER}.c0ffee"), link.ask("SET", keys.page(table_id), page),
            link.ask("SADD", keys.TABLES, table_id),
        ]  # fmt: skip
        await asyncio.gather(*written)
        made[table_id] = user
    return made


def _copies(log: list[bytes], mould: str, table_id: str, user: str, page: int) -> list[bytes]:
    """The mould's log under another name: its checksums are bound to the table, so they are made anew."""
    chain, copied = Chain(table_id, page), []
    for raw in log:
        named = raw.replace(f"host-of-{mould}".encode(), user.encode()).replace(mould.encode(), table_id.encode())
        copied.append(chain.seal(unsealed(named.replace(_AT_ONCE, _AT_LEISURE))))
        chain.accept(copied[-1])
    return copied


async def _moulds(link: Link, entries: int) -> list[tuple[str, list[bytes], int]]:
    house = RuntimeDeps(
        LiveTables(link), LoopClock(), SystemEntropy(), _NoRooms(), _NoAlerts(), autoplay_choice, VARIANTS, Limits(1000)
    )  # fmt: skip
    registry = Registry(house)
    found = []
    for number in range(_MOULDS):
        variant = list(VARIANTS.values())[number % len(VARIANTS)]
        mould = f"mould{number}"
        spec = make_spec(
            variant, table_id=mould, code="000000", rules={}, host=f"host-of-{mould}",
            settings={"claim_hold_ms": 0, "think_s": 60, "claim_s": 15, "fill_with_bots": True},
        )  # fmt: skip
        table = await registry.create(spec)
        small = len(variant.meta.kinds) * COPIES < _WHOLE_SET  # a short wall makes short rounds
        seat = _Seat(table, entries // 2 if small else entries)
        table.attach(seat, Person(f"host-of-{mould}", "某人"), role="player", ref="hello")
        await seat.sits.wait()  # orders go before everything else that waits
        await table.operate(asks.OrderFill())
        async with asyncio.timeout(60):
            await seat.done.wait()
        page = table.log.match.round_no
        await table.operate(asks.OrderHandOver())
        found.append((mould, await link.ask("LRANGE", keys.log(mould, page), 0, -1), page))
        await link.ask("DEL", keys.lease(mould), keys.page(mould), keys.log(mould, page))
        await link.ask("SREM", keys.TABLES, mould)
    return found
