"""The primary's machine is lost and its replica takes over: what is kept without WAIT, and with it."""

import time

import pytest

from app.storage.live.link import Link, connect
from app.storage.live.tables import LiveTables
from app.tables.ports import StoreLost, Token
from tests.storage.live.servers import Server, servers

TOKEN = Token(1, "n1.aa.x")


def copied(primary: Server, replica: Server) -> bool:
    state = replica.client.info("replication")
    return bool(state["master_link_status"] == "up" and primary.client.info("replication")["connected_slaves"] == 1)


def follow(primary: Server, replica: Server) -> None:
    replica.client.replicaof("127.0.0.1", str(primary.port))
    until = time.monotonic() + 20
    while not copied(primary, replica):
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.timeout(120)
async def test_with_wait_every_acknowledged_entry_survives_the_loss_of_the_primary() -> None:
    with servers(2, "--repl-diskless-sync-delay", "0") as (primary, replica):
        follow(primary, replica)
        link = Link(connect(f"redis://127.0.0.1:{primary.port}/"), replicas=1)
        tables = LiveTables(link)
        await tables.create("T", TOKEN, b"0")
        for place in range(1, 50):
            await tables.append("T", TOKEN, 1, place, b"%d" % place)
        primary.kill()
        replica.client.replicaof("NO", "ONE")
        await link.close()
        after = Link(connect(f"redis://127.0.0.1:{replica.port}/"))
        owned = await LiveTables(after).acquire("T", str(TOKEN), "n2.bb.y")
        assert owned is not None
        assert owned.entries == tuple([b"%d" % place for place in range(50)])
        await after.close()


@pytest.mark.timeout(120)
async def test_without_wait_a_failover_may_lose_the_last_entries_and_the_owner_notices() -> None:
    """Replication is asynchronous: what the replica had not got is gone. The owner is told so, and stops."""
    with servers(2, "--repl-diskless-sync-delay", "0") as (primary, replica):
        follow(primary, replica)
        link = Link(connect(f"redis://127.0.0.1:{primary.port}/"))
        tables = LiveTables(link)
        await tables.create("T", TOKEN, b"0")
        await tables.append("T", TOKEN, 1, 1, b"1")
        while replica.client.llen("t:{T}:log:1") < 2:
            time.sleep(0.01)
        replica.client.replicaof("NO", "ONE")  # cut off, as by a broken network
        await tables.append("T", TOKEN, 1, 2, b"2")  # acknowledged by the primary alone
        primary.kill()
        await link.close()
        after = Link(connect(f"redis://127.0.0.1:{replica.port}/"))
        with pytest.raises(StoreLost):
            await LiveTables(after).append("T", TOKEN, 1, 3, b"3")
        await after.close()
