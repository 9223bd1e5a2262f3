"""The right to each request of a socket: every kind × nobody, guest in the lobby, spectator, other player, host, people
who were sent away.

A kind without a row fails. The rows of REST are in `tests/admin/test_authorization.py`.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from app.api.gateway.translate import read_ask
from app.protocol.v1 import client
from app.tables import asks
from tests.api.gateway.world import World as Gate
from tests.tables.doubles import Client
from tests.tables.world import World, settle

HOST, SEATED, WATCHING = "host", "player", "spectator"
EVERYBODY: Final = (HOST, SEATED, WATCHING)
OWN: Final = "the socket's own"
"""Answered by the connection, before any table."""

ROWS: Final[dict[str, tuple[str, ...] | str]] = {
    "hello": OWN, "ping": OWN, "watch": OWN,
    **dict.fromkeys(("sync", "leave"), EVERYBODY),
    **dict.fromkeys(
        ("act", "ready", "unready", "autoplay", "auto_win", "dissolve", "vote", "pause", "unpause", "seat", "phrase",
         "hints", "why_not"),
        (HOST, SEATED),
    ),
    **dict.fromkeys(("kick", "readmit", "fill"), (HOST,)),
}  # fmt: skip
"""Kind → who may ask it at a table where they sit or watch."""
DATA: Final[dict[str, Any]] = {
    "act": {"round": 1, "decision": "1.0", "action": {"verb": "pass"}}, "autoplay": {"on": True},
    "auto_win": {"on": True}, "vote": {"yes": True}, "seat": {"seat": 3}, "kick": {"seat": 1},
    "readmit": {"user": "gone"}, "phrase": {"code": "hello"},
}  # fmt: skip
GUARDS: Final = ("not_seated", "not_host")
ASKED: Final = sorted(kind for kind, row in ROWS.items() if row != OWN)


def test_every_kind_of_request_has_a_row() -> None:
    """A new kind without a row fails."""
    assert ROWS.keys() == client.ROOM_KINDS.keys() | client.LOBBY_KINDS.keys()
    assert set(client.LOBBY_KINDS) == {kind for kind, row in ROWS.items() if row == OWN}, "in a lobby nobody plays"


def request(kind: str) -> asks.Ask:
    """The request as its frame says it."""
    frame = {"id": "1", "kind": kind, "data": DATA.get(kind, {})}
    return read_ask(client.read_message(msgspec.json.encode(frame)))


@pytest.mark.parametrize("kind", ASKED)
async def test_a_request_comes_past_the_guards_that_it_should(kind: str) -> None:
    """The others are refused by what they are, and the table writes nothing."""
    for who in EVERYBODY:
        world = World()
        table = await world.table(settings={"spectators": "all", "fill_with_bots": True})
        host, player = await world.seated(table, 2)
        watcher = Client("w").attach(table, role="spectator")
        await settle()
        asker = {HOST: host, SEATED: player, WATCHING: watcher}[who]
        length = table.log.length
        asker.ask(table, request(kind), ref="1")
        await settle()
        [(answer, code)] = asker.answers("1")
        assert (answer == "error" and code in GUARDS) is (who not in ROWS[kind]), (kind, who, code)
        assert who in ROWS[kind] or table.log.length == length


@pytest.mark.parametrize("kind", ASKED)
async def test_a_socket_without_a_place_at_the_table_is_not_heard(kind: str) -> None:
    """A stranger's, a kicked player's, and one that a newer socket has replaced: no answer, and nothing happens."""
    world = World()
    table = await world.table(settings={"spectators": "all"})
    host, player, gone = await world.seated(table, 3)
    host.ask(table, asks.Kick(2))
    newer = Client("b").attach(table)
    await settle()
    assert gone.bye is not None and player.bye is not None and newer.bye is None
    length = table.log.length
    for silent in (Client("x"), gone, player):
        silent.ask(table, request(kind), ref="1")
        await settle()
        assert silent.answers("1") == [] and table.log.length == length


@pytest.mark.parametrize("kind", [*ASKED, "watch"])
async def test_nobody_asks_anything_before_hello(gate: Gate, kind: str) -> None:
    """Anonymous: every kind but `hello` and `ping`, which tells nothing, closes the socket."""
    async with gate.socket() as nobody:
        await nobody.say(kind, DATA.get(kind, {}))
        answer = await nobody.hear()
        assert (answer["kind"], answer["data"]["code"]) == ("error", "no_hello")
        assert (await nobody.code())[0] == 4000
    assert gate.desk.asked == []
