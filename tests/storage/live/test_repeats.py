"""Answers under an Idempotency-Key: kept for all nodes, for one request, and only if something was done."""

from __future__ import annotations

import pytest

from app.refusal import ErrorCode, Refusal
from app.storage.live.rooms.repeats import KEPT_S, Repeats
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link, connect


async def test_another_node_gives_the_first_answer(link: Link, store_url: str) -> None:
    one, other = Repeats(link), Repeats(second := Link(connect(store_url)))
    assert await one.begin("ann", "k", "a room") is None
    with pytest.raises(Refusal) as under_way:
        await other.begin("ann", "k", "a room")
    await one.finish("ann", "k", "a room", '{"id": "r1"}')
    assert await other.begin("ann", "k", "a room") == '{"id": "r1"}'
    assert under_way.value.code is ErrorCode.CONFLICT and under_way.value.reason == "under_way"
    assert KEPT_S - 5 < await link.ask("TTL", keys.repeat("ann", "k")) <= KEPT_S
    await second.close()


async def test_a_key_is_of_one_user_and_one_request(link: Link) -> None:
    repeats = Repeats(link)
    await repeats.begin("ann", "k", "a room")
    assert await repeats.begin("bob", "k", "a room") is None
    with pytest.raises(Refusal) as other:
        await repeats.begin("ann", "k", "another room")
    assert (other.value.code, other.value.field) == (ErrorCode.INVALID, "Idempotency-Key")


async def test_what_was_refused_leaves_the_key_free(link: Link) -> None:
    repeats = Repeats(link)
    await repeats.begin("ann", "k", "a room")
    await repeats.forget("ann", "k")
    assert await repeats.begin("ann", "k", "another room") is None
