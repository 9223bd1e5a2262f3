"""Malformed, unknown, oversized, deep, non-UTF-8 or binary frames: a coded error to that socket alone, nothing lost."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.api.gateway.rate_limit import BURST, FAULTS, PER_S, TokenBucket
from app.api.gateway.translate import read_ask
from app.kernel.actions import action
from app.protocol.v1.client import BadFrame, read_message
from app.tables import asks
from tests.api.gateway.frames import PING, client_frame
from tests.api.gateway.world import Client, World


@pytest.fixture
async def client(gate: World) -> AsyncIterator[Client]:
    """Somebody at table T."""
    async with gate.seated() as client:
        yield client


def no_time_passes(gate: World) -> None:
    """Independent of the machine's speed: the budget of the only connection does not refill."""
    (connection,) = gate.gateway._connections
    now = connection._now()
    connection._now = lambda: now


async def healthy(gate: World, client: Client) -> bool:
    """Is the socket still served, and did the table hear nothing of what was wrong?"""
    before = len(gate.desk.asked)
    await client.say("sync", ref="after")
    answer = await client.hear()
    return answer == {"v": 1, "kind": "ack", "data": {"ref": "after"}} and len(gate.desk.asked) == before + 1


@pytest.mark.parametrize(
    ("raw", "code", "ref"),
    [
        ("{", "malformed", None),
        ("[" * 10000, "malformed", None),
        ('{"id": "x", "kind": "sync", "data": ' + "[" * 10000 + "]" * 10000 + "}", "malformed", None),
        ('{"id": "x", "kind": "no_such", "data": {}}', "unknown_kind", "x"),
        ('{"id": "x", "kind": "watch", "data": {"lobby": true}}', "unknown_kind", "x"),
        ('{"id": "x", "kind": "act", "data": {}}', "malformed", "x"),
        ('{"id": "x", "kind": "act", "data": {"round":1,"decision":"1.0","action":{"verb":"steal"}}}',
         "malformed", "x"),
        ('{"id": "x", "kind": "act", "data": {"round":1,"decision":"1.0","action":{"verb":"pong","tiles":"0m"}}}',
         "malformed", "x"),
        ('{"id": "x", "kind": "sync", "__proto__": {}}', "malformed", "x"),
        (b"\x00\x01\x02", "not_text", None),
        (json.dumps({"id": "x", "kind": "sync", "data": "y" * 66_000}), "too_large", None),
    ],
)  # fmt: skip
async def test_a_bad_frame_costs_one_error(gate: World, client: Client, raw: Any, code: str, ref: str | None) -> None:
    await client.socket.send(raw)
    answer = await client.hear()
    assert (answer["kind"], answer["data"]["code"], answer["data"]["ref"]) == ("error", code, ref)
    assert answer["data"]["message"]
    assert await healthy(gate, client)


async def test_text_that_is_no_utf8_is_refused(gate: World, client: Client) -> None:
    await client.socket.send(b"\xff\xfe", text=True)
    assert (await client.hear())["data"]["code"] == "not_text"
    assert await healthy(gate, client)


async def test_a_frame_beyond_all_bounds_closes_that_socket_alone(gate: World, client: Client) -> None:
    async with gate.seated("bob") as bob:
        await client.socket.send("x" * 1_000_000)
        assert (await client.code())[0] == 1009
        assert await healthy(gate, bob)


async def test_fragments_make_one_request(gate: World, client: Client) -> None:
    await client.socket.send(iter(['{"id": "x", ', '"kind": "sy', 'nc"}']))
    assert (await client.hear())["data"] == {"ref": "x"}


async def test_an_honest_burst_is_served_and_a_flood_is_not(gate: World, client: Client) -> None:
    no_time_passes(gate)
    for number in range(int(BURST) - 1):
        await client.say("sync", ref=f"r{number}")
    answers = [await client.hear() for _ in range(int(BURST) - 1)]
    assert all(answer["kind"] == "ack" for answer in answers)
    for number in range(10):
        await client.say("sync", ref=f"f{number}")
    codes = [(await client.hear())["data"] for _ in range(10)]
    limited = [data for data in codes if data.get("code") == "rate_limited"]
    assert limited and all(data["ref"].startswith("f") for data in limited)


async def test_who_does_not_stop_is_cut_off(gate: World, client: Client) -> None:
    no_time_passes(gate)
    for _ in range(FAULTS + 2):
        await client.socket.send("{")
    assert (await client.code())[0] == 4009


async def test_a_flood_of_pings_closes_that_socket_as_abuse_and_nobody_elses(gate: World, client: Client) -> None:
    """D2: control frames are counted like all others."""
    async with gate.seated("bob") as bob:
        ping = client_frame(PING)
        client.socket.transport.write(ping * 100_000)
        assert await client.code() == (4009, {"code": 4009, "reason": "flood"})
        assert await healthy(gate, bob)


async def test_a_table_that_takes_no_request_is_answered_for(gate: World, client: Client) -> None:
    gate.desk.refuse = "busy"
    await client.say("leave", ref="x")
    assert (await client.hear())["data"]["code"] == "busy"


async def test_every_request_gets_one_answer_with_its_ref(gate: World, client: Client) -> None:
    kinds = {
        "ready": {"entropy": "e"}, "unready": {}, "autoplay": {"on": True}, "auto_win": {"on": False}, "dissolve": {},
        "vote": {"yes": False}, "pause": {}, "unpause": {}, "leave": {}, "seat": {"seat": 1}, "kick": {"seat": 2},
        "fill": {}, "phrase": {"code": "hi"}, "sync": {}, "hints": {}, "why_not": {},
        "act": {"round": 2, "decision": "9.0", "action": {"verb": "pull", "choice": 1}},
    }  # fmt: skip
    for kind, data in kinds.items():
        await client.say(kind, data, kind)
        assert (await client.hear())["data"]["ref"] == kind
    heard = dict(gate.desk.asked)
    assert heard["act"] == asks.Play(2, "9.0", action("pull", choice=1))
    assert heard["vote"] == asks.Vote(False)
    assert heard["kick"] == asks.Kick(2)
    assert set(heard) == set(kinds)


def test_time_refills_the_allowance_and_forgives() -> None:
    allowance = TokenBucket(0.0)
    assert sum(allowance.take(0.0) for _ in range(500)) == BURST
    assert sum(allowance.take(1.0) for _ in range(500)) == PER_S
    assert not any(allowance.fault() for _ in range(FAULTS))
    assert allowance.fault()
    allowance.take(1000.0)
    assert not allowance.fault()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(["act", "hello", "ready", "seat", "vote", "phrase", "x"]), JSON)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_comes_in_is_an_ask_or_a_bad_frame(kind: str, data: Any) -> None:
    try:
        read_ask(read_message(json.dumps({"id": "x", "kind": kind, "data": data})))
    except BadFrame as bad:
        assert bad.code in ("malformed", "unknown_kind")
    except KeyError:
        assert kind == "hello"  # the connection's own; it never gets here


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_a_message_or_a_bad_frame(raw: bytes) -> None:
    try:
        read_message(raw)
    except BadFrame as bad:
        assert bad.code == "malformed"
