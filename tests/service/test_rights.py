"""The right to go on watching, with a real archive (S8)."""

from __future__ import annotations

from typing import Any

import pytest

from app.service.rights import may_stay
from app.storage.archive.engine import Archive
from app.storage.archive.play import rooms
from app.storage.live.rooms.tickets import Ticket
from app.tables.settings import make_spec
from app.variants import VARIANTS
from tests.api.conftest import START, app, archive, built, clock, empty_database, guest, http, live, one_database

__all__ = ["app", "archive", "built", "clock", "empty_database", "guest", "http", "live", "one_database"]


async def _room(archive: Archive, host: str, circle: str | None = None) -> str:
    spec = make_spec(
        VARIANTS["tianjin"], table_id="R", code="123456", rules={}, settings={"spectators": "all"}, host=host,
        circle=circle,
    )  # fmt: skip
    async with archive.begin() as db:
        await rooms.keep_room(db, spec)
    return "room:R"


def _ticket(user: str, scope: str, role: Any = "spectator", session: str = "") -> Ticket:
    return Ticket(user, "x", "", scope, role, False, session)


async def test_a_spectator_stays_until_the_host_blocks_them(guest: Any, archive: Archive) -> None:
    """S8."""
    host, ann = await guest(), await guest()
    scope = await _room(archive, host.id)
    assert await may_stay(archive, _ticket(ann.id, scope), START)
    await host.post("/me/blocks", {"user": ann.id})
    assert not await may_stay(archive, _ticket(ann.id, scope), START)
    assert await may_stay(archive, _ticket(ann.id, scope, "player"), START), "a seat is not taken away by a block"


@pytest.mark.parametrize("end", ["ban", "remove", "leave"])
async def test_a_spectator_of_a_circles_table_stays_while_a_member(guest: Any, archive: Archive, end: str) -> None:
    """S8."""
    owner, ann = await guest(), await guest()
    circle = await owner.post("/circles", {"name": "老友"})
    path = f"/circles/{circle['id']}"
    await ann.post("/circles/join", {"code": circle["code"]})
    await owner.post(f"{path}/applications/{ann.id}/approve")
    scope = await _room(archive, owner.id, circle["id"])
    assert await may_stay(archive, _ticket(ann.id, scope), START)
    if end == "ban":
        await owner.post(f"{path}/bans", {"user": ann.id})
    else:
        await (owner if end == "remove" else ann).call("DELETE", f"{path}/members/{ann.id}")
    assert not await may_stay(archive, _ticket(ann.id, scope), START)


@pytest.mark.parametrize("role", ["player", "spectator"])
async def test_the_sockets_of_a_session_end_with_it(guest: Any, archive: Archive, role: str) -> None:
    """S8, S9: the sockets of the other sessions stay."""
    ann = await guest()
    scope = await _room(archive, ann.id)
    [session] = [row["id"] for row in (await ann.get("/me/sessions"))["items"]]
    other = _ticket(ann.id, scope, role, "another")
    assert await may_stay(archive, _ticket(ann.id, scope, role, session), START)
    await ann.call("POST", "/tokens/revoke", {"refresh_token": ann.tokens["refresh_token"]})
    assert not await may_stay(archive, _ticket(ann.id, scope, role, session), START)
    assert not await may_stay(archive, other, START)
