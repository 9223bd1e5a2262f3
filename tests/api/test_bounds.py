"""Limits of circles joined and owned, and of operators; and every list states its longest length."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import insert

from app.storage.archive.circles.circles import JOINED_AT_MOST, OWNED_AT_MOST
from app.storage.archive.engine import Archive
from app.storage.archive.schema import circle_members, circles


async def _circles(archive: Archive, owner: str, count: int, member: str | None = None) -> list[str]:
    """A user's circles, each with a member; their ids, which are their codes too."""
    codes = [f"{owner[:4]}{n}" for n in range(count)]
    async with archive.begin() as db:
        await db.execute(insert(circles), [{"id": code, "name": "圈", "code": code} for code in codes])
        rows = [{"circle_id": code, "user_id": owner, "role": "owner"} for code in codes]
        if member is not None:
            rows += [{"circle_id": code, "user_id": member, "role": "member"} for code in codes]
        await db.execute(insert(circle_members), rows)
    return codes


async def test_nobody_is_in_more_than_a_hundred_circles(guest: Any, archive: Archive) -> None:
    anna, ben = await guest(), await guest()
    assert JOINED_AT_MOST == 100
    codes = await _circles(archive, ben.id, JOINED_AT_MOST - 2, anna.id)
    paths, owners = [], [await guest() for _ in range(3)]
    for owner in owners:
        made = await owner.post("/circles", {"name": "新圈子"})
        await anna.post("/circles/join", {"code": made["code"]})
        paths.append(f"/circles/{made['id']}/applications/{anna.id}/approve")
    at_once = await asyncio.gather(*[owner.call("POST", path) for owner, path in zip(owners, paths, strict=True)])
    assert sorted(response.status_code for response in at_once) == [204, 204, 409]
    assert len((await anna.get("/circles"))["items"]) == JOINED_AT_MOST
    one_more = await (await guest()).post("/circles", {"name": "再一个"})
    assert (await anna.refused("POST", "/circles/join", {"code": one_more["code"]}))[:2] == (409, "conflict")
    assert (await anna.refused("POST", "/circles", {"name": "自己的"}))[:2] == (409, "conflict")
    await anna.call("DELETE", f"/circles/{codes[0]}/members/{anna.id}")
    await anna.post("/circles/join", {"code": one_more["code"]})


async def test_nobody_owns_more_than_twenty_circles_not_even_by_inheritance(guest: Any, archive: Archive) -> None:
    anna, ben = await guest(), await guest()
    codes = await _circles(archive, anna.id, OWNED_AT_MOST, ben.id)
    assert (await anna.refused("POST", "/circles", {"name": "再一个"}))[:2] == (409, "conflict")
    made = await ben.post("/circles", {"name": "小本的"})
    await anna.post("/circles/join", {"code": made["code"]})
    await ben.post(f"/circles/{made['id']}/applications/{anna.id}/approve")
    heir = {"user": anna.id}
    assert (await ben.refused("POST", f"/circles/{made['id']}/transfer", heir))[:2] == (409, "conflict")
    await anna.post(f"/circles/{codes[0]}/transfer", {"user": ben.id})
    assert (await ben.post(f"/circles/{made['id']}/transfer", heir))["role"] == "manager"
