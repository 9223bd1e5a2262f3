"""Logs of another version of this program: lifted and played on, or put aside with words an operator understands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.tables import asks
from app.tables.log import entries, upcast
from app.tables.registry import Unplayable
from tests.tables.doubles import Client
from tests.tables.test_failures import turn_of
from tests.tables.world import NO_SECRETS, World, settle

Plain = dict[str, Any]


def next_version(monkeypatch: pytest.MonkeyPatch, lifts: dict[int, Callable[[Plain], Plain]]) -> None:
    """From now on this program writes format 2."""
    monkeypatch.setattr(entries, "FORMAT", 2)
    monkeypatch.setattr(entries, "_HEAD", upcast.head(2))
    monkeypatch.setattr(entries, "upcast_entry", lambda raw: upcast.upcast_entry(raw, lifts, 2))


def rewritten(raw: bytes, change: Callable[[Plain], Plain]) -> bytes:
    """The entry as another program would have written it; older ones gave it no checksum."""
    plain = {key: value for key, value in json.loads(raw).items() if key not in ("sealed", "sum")}
    return json.dumps(change(plain), separators=(",", ":"), ensure_ascii=False).encode()


def as_it_was(plain: Plain) -> Plain:
    """Suppose that format 1 called the memory of requests otherwise."""
    return {("answered" if key == "memory" else key): value for key, value in plain.items()}


def to_two(plain: Plain) -> Plain:
    return {("memory" if key == "answered" else key): value for key, value in plain.items()}


async def test_every_entry_says_its_format_first() -> None:
    world = World()
    await world.dealt(await world.table(rules=NO_SECRETS))
    assert all(raw.startswith(upcast.head()) for raw in world.store.tables["t1"].log)


async def test_a_log_of_the_format_before_plays_on_and_may_be_taken_over_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes on in the log it was found in, so old and new entries stand side by side in it."""
    world = World()
    table = await world.table(rules=NO_SECRETS)
    clients = await world.dealt(table)
    turn_of(clients).play(table, -1)
    await settle()
    await world.crash()
    stored = world.store.tables["t1"]
    stored.log = [rewritten(raw, as_it_was) for raw in stored.log]
    next_version(monkeypatch, {1: to_two})
    for _ in range(2):
        again = await world.registry.open("t1")
        assert again is not None
        back = [Client(name).attach(again) for name in "abcd"]
        await settle()
        ref = back[0].ask(again, asks.AutoWin(not again.log.match.seats[0].auto_win))
        await settle()
        assert back[0].answers(ref) == [("ack", None)]
        assert [raw for raw in again.log.entries if not raw.startswith(b'{"format":2,')] == []
        await world.crash()
    assert {json.loads(raw)["format"] for raw in stored.log} == {1, 2}
    assert world.alerts.alerts == []


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "format 1 is no longer read by this node, only 2 to 2"),
        (3, "format 3 is unknown to this"),
        ("x", "is unknown to this node"),
    ],
)
async def test_a_log_of_a_format_that_is_not_read_here_is_put_aside_with_a_clear_word(
    monkeypatch: pytest.MonkeyPatch, number: object, said: str
) -> None:
    world = World()
    await world.dealt(await world.table(rules=NO_SECRETS))
    await world.table("t2")
    await world.crash()
    for name in ("t1", "t2"):
        stored = world.store.tables[name]
        wanted = number if name == "t1" else 2
        stored.log = [rewritten(raw, lambda plain, wanted=wanted: {**plain, "format": wanted}) for raw in stored.log]
    next_version(monkeypatch, {})
    assert await world.registry.adopt(await world.tokens("t1", "t2")) == 1, "the other one plays on"
    with pytest.raises(Unplayable):
        await world.registry.open("t1")
    ((table_id, what, text),) = world.alerts.alerts
    assert (table_id, what) == ("t1", "corrupt") and said in text
    assert ("t1", None) in world.rooms.freed, "its members may sit elsewhere at once"


def test_what_is_no_entry_is_said_to_be_none() -> None:
    for raw in (b"[]", b"1", b'"x"', b"\xff{", b""):
        with pytest.raises(entries.Unreadable, match="entry 3"):
            entries.read_entry(raw, 3)
