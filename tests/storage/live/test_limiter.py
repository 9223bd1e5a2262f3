"""Budgets: counted in the store for all nodes, true about the time that is left, and no obstacle while it is away."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from app.refusal import ErrorCode, Refusal
from app.storage.live.limiter import BUDGETS, Limiter, address_group, spent
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, connect

USER = BUDGETS["code"]["user"]
ADDRESS = BUDGETS["code"]["address"]


async def refused(limiter: Limiter, budget: str, **who: str) -> int | None:
    """The time that is left, in ms, when it is refused."""
    try:
        await limiter.spend(budget, **who)
    except Refusal as refusal:
        assert refusal.code is ErrorCode.RATE_LIMITED and refusal.left_ms is not None
        return refusal.left_ms
    return None


async def test_a_user_spends_their_own_budget_on_every_node_and_across_restarts(link: Link, store_url: str) -> None:
    one, other = Limiter(link), Limiter(second := Link(connect(store_url)))
    for number in range(USER.burst):
        assert await refused(one if number % 2 else other, "code", user="eve", address=f"9.9.9.{number}") is None
    left_ms = await refused(Limiter(link), "code", user="eve", address="9.9.9.9")
    assert left_ms is not None and 0 < left_ms <= USER.every_s * 1000
    assert await refused(other, "code", user="ann", address="9.9.9.9") is None
    await second.close()


async def test_an_address_spends_one_budget_whatever_guests_it_has(link: Link) -> None:
    """S4: 40 guests of one address with 20 guesses each were 800 guesses; now they are as many as one address has."""
    limiter = Limiter(link)
    served = [
        await refused(limiter, "code", user=f"guest{guest}", address=f"2001:db8::{guest:x}") is None
        for guest in range(40) for _ in range(USER.burst)
    ]  # fmt: skip
    assert ADDRESS.burst <= sum(served) <= ADDRESS.burst + 20, "what refilled meanwhile"
    assert await refused(limiter, "code", user="fair", address="2001:db8:1::1") is None


async def test_what_is_given_back_was_not_spent_and_a_full_budget_leaves_no_key(link: Link, valkey: Redis) -> None:
    limiter = Limiter(link)
    for _ in range(3 * USER.burst):
        await limiter.spend("code", user="ann", address="9.9.9.9")
        await limiter.give_back("code", user="ann", address="9.9.9.9")
    assert await valkey.keys("limit:*") == []


async def test_a_budget_refills_with_time_and_its_counter_ends_by_itself(link: Link, valkey: Redis) -> None:
    limiter = Limiter(link)
    for _ in range(USER.burst):
        await limiter.spend("code", user="ann")
    key = keys.limit("code", "user", "ann")
    assert 0 < await valkey.pttl(key) <= USER.burst * USER.every_s * 1000
    full_at = int(await valkey.get(key))
    await valkey.set(key, full_at - int(3 * USER.every_s * 1000), keepttl=True)  # as if so much time had passed
    assert [await refused(limiter, "code", user="ann") is None for _ in range(4)] == [True, True, True, False]


async def test_everybody_together_have_a_budget_too(link: Link) -> None:
    limiter = Limiter(link)
    everybody = BUDGETS["operator_sign_in"]["all"]
    served = sum([
        await refused(limiter, "operator_sign_in", name=f"n{n}", address=f"10.{n}.1.1") is None
        for n in range(everybody.burst + 20)
    ])  # fmt: skip
    assert everybody.burst <= served < everybody.burst + 20


async def test_while_the_store_is_away_each_node_counts_by_itself_and_play_goes_on() -> None:
    """Issue 13: if the live store is away the limiter does not stop play, and lets no flood through."""
    now = [0.0]
    away = Link(connect("unix:///nowhere/at/all"))
    limiter = Limiter(away, now_s=lambda: now[0])
    for _ in range(USER.burst):
        assert await refused(limiter, "code", user="ann", address="9.9.9.9") is None
    assert await refused(limiter, "code", user="ann", address="9.9.9.9") == USER.every_s * 1000
    now[0] += USER.every_s
    assert await refused(limiter, "code", user="ann", address="9.9.9.9") is None
    await away.close()


async def test_the_local_count_says_what_the_script_says(link: Link) -> None:
    alone, stored = Limiter(now_s=lambda: 5.0), Limiter(link)
    for amount in [1] * 12 + [-1] * 3 + [1] * 5:
        both = [
            (await limiter._take("report", {"user": "ann"}, amount))[0] for limiter in (alone, stored)
        ]  # fmt: skip
        assert abs(both[0] - both[1]) < 10_000, "the store's clock goes on"


async def test_a_school_may_be_given_more(link: Link) -> None:
    limiter = Limiter(link, address_factor=3.0)
    for guest in range(3 * ADDRESS.burst):
        assert await refused(limiter, "code", user=f"pupil{guest}", address="9.9.9.9") is None


@pytest.mark.parametrize(
    ("host", "group"),
    [
        ("9.9.9.9", "9.9.9.9"),
        ("::ffff:9.9.9.9", "9.9.9.9"),
        ("2001:db8:0:7:aaaa::1", "2001:db8:0:7::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_what_an_address_counts_as(host: str, group: str) -> None:
    assert address_group(host) == group


@pytest.mark.parametrize("stored", [True, False])
async def test_a_clock_that_is_set_back_shuts_nobody_out(link: Link, valkey: Redis, stored: bool) -> None:
    """The moment of a full budget may lie an hour ahead after a step of the clock: it counts for nothing then."""
    now = [100_000.0]
    limiter = Limiter(link if stored else None, now_s=lambda: now[0])
    for _ in range(USER.burst):
        await limiter.spend("code", user="ann")
    if stored:
        key = keys.limit("code", "user", "ann")
        await valkey.set(key, int(await valkey.get(key)) + 3_600_000, px=3_600_000)
    else:
        now[0] -= 3_600.0
    assert await refused(limiter, "code", user="ann") is None


async def test_what_is_left_is_the_same_by_the_store_and_by_the_node_alone(link: Link) -> None:
    """The number that REST tells a caller: of the scope that has least, and never of all callers together."""
    told = []
    for limiter in (Limiter(link), Limiter()):
        spent.set(quotas := {})
        for number in range(3):
            await limiter.spend("report", user="ann", address=f"9.9.9.{number}")
        told.append(quotas["report"])
        await limiter.give_back("report", user="ann", address="9.9.9.9")
        told.append(quotas["report"])
    assert [(quota.left, quota.burst, quota.window_s) for quota in told] == [(7, 10, 3600), (8, 10, 3600)] * 2
    assert told[0].again_s in (1079, 1080)
