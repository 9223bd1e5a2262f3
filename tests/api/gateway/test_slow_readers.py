"""Readers that stop reading: noticed, cut, and nobody else waits for them. And the newest socket wins."""

import asyncio
import contextlib
import json

from app.api.gateway.socket import QUEUE_BYTES
from tests.api.gateway.world import World, frame, masked, stalled_socket
from tests.integration.waiting import spending

BIG = frame("x" * 8000)


async def stopped_reader(gate: World) -> None:
    """A client at table T that stopped reading; the last of `gate.desk.attached`."""
    raw = await asyncio.to_thread(stalled_socket, gate.port)
    gate.stopped = raw  # type: ignore[attr-defined]
    hello = json.dumps({"id": "h", "kind": "hello", "data": {"ticket": gate.ticket("slow")}})
    raw.sendall(masked(hello))
    before = len(gate.desk.attached)
    await gate.desk.until(lambda: len(gate.desk.attached) > before)


async def test_a_reader_who_stopped_is_cut_at_his_bound_and_nobody_waits(gate: World) -> None:
    async with gate.seated("ann") as ann:
        await stopped_reader(gate)
        slow, good = gate.desk.attached[1][0], gate.desk.attached[0][0]
        offered = 0
        while slow not in gate.desk.detached:
            slow.offer(BIG)
            offered += 8000
            good.offer(frame("tick"))
            assert (await ann.hear())["data"] == {"text": "tick"}
            assert offered < 20 * QUEUE_BYTES, "the kernel takes too much for a stopped reader to be noticed"
        assert good not in gate.desk.detached
        gate.stopped.close()  # type: ignore[attr-defined]


async def test_a_reader_who_goes_on_gets_everything_in_order(gate: World) -> None:
    async with gate.seated() as client:
        connection = gate.desk.attached[0][0]
        wrote: list[bool] = []
        while len(wrote) < 10 or wrote[-10]:  # until the kernel's buffers are full, which grow by themselves (A17)
            wrote.append(connection.offer(frame(f"{len(wrote)} " + "x" * 4000)))
            assert len(wrote) < 10_000, "the kernel takes everything"
        assert wrote[0] and not any(wrote[wrote.index(False) :])
        heard = [int((await client.hear())["data"]["text"].split()[0]) for _ in wrote]
        assert heard == list(range(len(wrote)))
        await gate.desk.until(lambda: connection in gate.desk.drained)


async def test_a_replaced_socket_is_told_so_and_gone_at_once(gate: World) -> None:
    async with gate.seated() as client:
        connection = gate.desk.attached[0][0]
        connection.farewell("replaced", "")
        assert not connection.offer(frame("too late"))
        assert await client.code() == (4001, {"code": 4001, "reason": "replaced"})
    await gate.desk.until(lambda: connection in gate.desk.detached)


async def test_a_replaced_socket_that_does_not_read_is_cut_within_two_seconds(gate: World) -> None:
    await stopped_reader(gate)
    connection = gate.desk.attached[0][0]
    for _ in range(30):
        connection.offer(BIG)
    connection.farewell("replaced", "")
    async with spending() as spent:
        await gate.desk.until(lambda: connection in gate.desk.detached)
    assert spent.s < 2.0
    assert len(gate.gateway) == 0
    gate.stopped.close()  # type: ignore[attr-defined]


async def test_a_socket_that_vanishes_is_detached(gate: World) -> None:
    async with gate.seated() as client:
        client.socket.transport.abort()
        await gate.desk.until(lambda: len(gate.desk.detached) == 1)
    assert len(gate.gateway) == 0


async def test_a_socket_costs_no_task_for_writing(gate: World) -> None:
    """One task waits per socket (the ASGI call itself); none writes."""
    async with contextlib.AsyncExitStack() as stack:
        before = len(asyncio.all_tasks())
        clients = [await stack.enter_async_context(gate.seated(f"u{number}")) for number in range(40)]
        ours = [task for task in asyncio.all_tasks() if "run_asgi" in repr(task)]
        assert len(ours) == len(clients)
        client_side = 2  # websockets' own keepalive and reader per client socket, in this same process
        assert len(asyncio.all_tasks()) - before <= len(clients) * (1 + client_side)
