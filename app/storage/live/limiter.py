"""Budgets of a user, of an address and of all callers for requests that cost the server much or try secrets.

Counted in the live store, so on all nodes and across restarts. While the store is away each node counts by itself: play
goes on, and no flood gets through. SECURITY.md has the table.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Final

from app.refusal import ErrorCode, Refusal
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, StoreUnavailable
from app.storage.live.wire.scripts import SPEND

_PATIENCE_S: Final = 0.5
_LOCAL: Final = 10_000
"""Counters a node keeps while the store is away; the oldest are forgotten first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `burst` at once, and one more every `every_s` seconds in the long run."""

    burst: int
    every_s: float


@dataclass(frozen=True, slots=True)
class Quota:
    """What is left of a budget for a caller: `left` of `burst`, and all of it again after `again_s` seconds."""

    burst: int
    window_s: int
    left: int
    again_s: int


spent: ContextVar[dict[str, Quota] | None] = ContextVar("spent", default=None)
"""Budgets that this request spent from, by name, if somebody wants to know: REST tells them to the caller."""

BUDGETS: Final[Mapping[str, Mapping[str, Rate]]] = {
    "code": {"user": Rate(20, 30), "address": Rate(200, 3), "all": Rate(1000, 0.2)},
    "guest": {"address": Rate(600, 0.2), "all": Rate(3000, 0.05)},
    "sign_in": {"name": Rate(10, 6), "address": Rate(100, 1), "all": Rate(300, 0.2)},
    "password": {"user": Rate(5, 60), "address": Rate(100, 1), "all": Rate(300, 0.2)},
    "operator_sign_in": {"name": Rate(10, 6), "address": Rate(30, 10), "all": Rate(100, 1)},
    "bearer": {"address": Rate(40, 30)},
    "personal_token": {"user": Rate(120, 0.5)},
    "token_made": {"user": Rate(20, 180)},
    "invitation": {"user": Rate(20, 10)},
    "room": {"user": Rate(10, 30), "address": Rate(200, 20)},
    "seat": {"user": Rate(30, 2), "address": Rate(600, 0.2)},
    "report": {"user": Rate(10, 360), "address": Rate(60, 60)},
    "score": {"address": Rate(60, 0.5)},
}
"""Budget → scope → rate. `user` is a user id, `name` the name that is tried from one address, `address` an address or
the /64 of an IPv6 address, `all` everybody together."""


def address_group(host: str) -> str:
    """The key under which an address is counted: itself, or the /64 of an IPv6 address, which one subscriber has. A
    text that is no address stands for itself."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped) if address.ipv4_mapped else str(ip_network((address, 64), strict=False))


class Limiter:
    """Spends budgets. Without a link it only counts in this process (tests). `address_factor` multiplies what one
    address may do; `now_s` is the clock of the local count."""

    def __init__(
        self, link: Link | None = None, address_factor: float = 1.0, now_s: Callable[[], float] = time.monotonic,
        budgets: Mapping[str, Mapping[str, Rate]] = BUDGETS,
    ) -> None:  # fmt: skip
        self._link = link
        self._factor = address_factor
        self._now_s = now_s
        self._budgets = budgets
        self._local: OrderedDict[str, float] = OrderedDict()

    async def spend(self, budget: str, **who: str) -> None:
        """Take one from each scope of the budget that `who` names (`user=…`, `name=…`, `address=…`), and from `all`.

        Raises Refusal rate_limited with `left_ms`, the time until there is one again. Never raises StoreUnavailable.
        """
        left_ms = max(await self._take(budget, who, 1))
        if left_ms > 0:
            raise Refusal(ErrorCode.RATE_LIMITED, left_ms=left_ms)

    async def give_back(self, budget: str, **who: str) -> None:
        """Put a spent budget back: it was no guess, or the password was right."""
        await self._take(budget, who, -1)

    async def _take(self, budget: str, who: Mapping[str, str], amount: int) -> list[int]:
        wanted = {**who, "all": ""}
        rates = {scope: self._rate(scope, rate) for scope, rate in self._budgets[budget].items() if scope in wanted}
        answers = await asyncio.gather(
            *[
                self._take_one(keys.limit(budget, scope, _shown(scope, wanted)), rate, amount)
                for scope, rate in rates.items()
            ]
        )
        self._note(
            budget, [(rates[scope], answer) for scope, answer in zip(rates, answers, strict=True) if scope != "all"]
        )
        return answers

    def _note(self, budget: str, own: Sequence[tuple[Rate, int]]) -> None:
        """Say what is left in the scope that has least; what all callers together have left is nobody's business."""
        noted = spent.get()
        if noted is None or not own:
            return
        rate, answer = max(own, key=lambda one: one[1])
        left = max(0, -answer)
        again_s = answer / 1000 if answer > 0 else (rate.burst - left) * rate.every_s
        noted[budget] = Quota(rate.burst, math.ceil(rate.burst * rate.every_s), left, math.ceil(again_s))

    def _rate(self, scope: str, rate: Rate) -> Rate:
        if scope != "address":
            return rate
        return Rate(max(1, round(rate.burst * self._factor)), rate.every_s / self._factor)

    async def _take_one(self, key: str, rate: Rate, amount: int) -> int:
        """Milliseconds until there is enough; taken: 0, or minus how many are left."""
        every_ms = max(1, round(rate.every_s * 1000))
        if self._link is not None and self._link.failing_since is None:
            try:
                return int(await self._link.run(SPEND, [key], [every_ms, rate.burst, amount], patience_s=_PATIENCE_S))
            except StoreUnavailable:
                pass  # counted here, below
        return self._take_here(key, every_ms, rate.burst, amount)

    def _take_here(self, key: str, every_ms: int, burst: int, amount: int) -> int:
        """The arithmetic of spend.lua (GCRA): keep the moment at which the bucket will be full again."""
        now = self._now_s() * 1000
        full_at = max(self._local.pop(key, now), now)
        if full_at - now > burst * every_ms:
            full_at = now  # the clock was set back
        full_at += every_ms * amount
        over = full_at - now - burst * every_ms
        self._local[key] = full_at - every_ms * amount if over > 0 else full_at
        if len(self._local) > _LOCAL:
            self._local.popitem(last=False)
        return math.ceil(over if over > 0 else over / every_ms)


def _shown(scope: str, who: Mapping[str, str]) -> str:
    if scope == "name":
        return f"{address_group(who.get('address', ''))} {who['name'][:64]}"
    return address_group(who["address"]) if scope == "address" else who[scope]
