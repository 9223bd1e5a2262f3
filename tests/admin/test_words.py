"""S14: operators change the blocked and reserved words; all nodes follow within seconds; the log has it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from app.refusal import Refusal
from app.service.words.book import FRESH_S, WordBook
from app.storage.archive.engine import Archive
from tests.api.conftest import StandingClock

WHY = {"reason": "新的广告"}


async def test_s14_a_word_that_an_operator_blocks_is_refused_everywhere(
    staff: Any, guest: Any, clock: StandingClock
) -> None:
    """In names of people, circles and templates, in notices, messages and reasons; a look-alike does not help."""
    moderator, anna, ben = await staff("moderator"), await guest("安娜"), await guest("小本")
    circle = await anna.post("/circles", {"name": "老友"})
    await moderator.call("PUT", "/admin/words", {**WHY, "kind": "blocked", "word": "威信"})
    clock.pass_by(seconds=FRESH_S + 1)
    blocked = (422, "blocked_word")
    place = f"/circles/{circle['id']}"
    for who, method, path, body in (
        (ben, "PATCH", "/me", {"name": "加威·信"}),
        (ben, "POST", "/accounts", {"name": "威信号", "password": "correct horse"}),
        (ben, "POST", "/guests", {"name": "威 信"}),
        (ben, "POST", "/circles", {"name": "威信群"}),
        (anna, "PATCH", place, {"notice": "请加 威*信 abc"}),
        (anna, "PATCH", place, {"name": "威信"}),
        (anna, "POST", f"{place}/templates", {"name": "威信", "variant": "tianjin"}),
        (anna, "POST", f"{place}/bans", {"user": ben.id, "reason": "威-信"}),
        (anna, "POST", f"{place}/rooms/nowhere/dissolve", {"reason": "威信"}),
        (ben, "POST", "/circles/join", {"code": circle["code"], "message": "我的威信"}),
    ):
        assert (await who.refused(method, path, body))[:2] == blocked, path


async def test_s14_operators_reserve_names_and_take_words_out_again(
    staff: Any, guest: Any, clock: StandingClock
) -> None:
    moderator, anna = await staff("moderator"), await guest()
    await moderator.call("PUT", "/admin/words", {**WHY, "kind": "reserved", "word": "麻协"})
    left = await moderator.call("DELETE", "/admin/words?kind=reserved&word=ＲＯＯＴ&reason=x")
    assert [row["word"] for row in left.json()["taken_out"]] == ["root"]
    clock.pass_by(seconds=FRESH_S + 1)
    assert (await anna.refused("PATCH", "/me", {"name": "麻協 1"}))[1] == "blocked_word"
    for name in ("天津麻协", "root"):
        assert (await anna.call("PATCH", "/me", {"name": name})).json()["name"] == name
    await moderator.call("DELETE", "/admin/words?kind=reserved&word=麻协&reason=x")
    await moderator.call("PUT", "/admin/words", {**WHY, "kind": "reserved", "word": "root"})
    found = await moderator.get("/admin/words")
    assert found["taken_out"] == [] and all(row["built_in"] for row in found["items"])
    assert (await moderator.refused("DELETE", "/admin/words?kind=blocked&word=无此词&reason=x"))[1] == "not_found"
    assert (await moderator.refused("PUT", "/admin/words", {**WHY, "kind": "blocked", "word": "*"}))[1] == "invalid"


async def test_s14_another_node_knows_a_change_after_two_seconds_and_the_log_has_it(
    staff: Any, archive: Archive, clock: StandingClock
) -> None:
    other = WordBook(archive, lambda: clock.at.timestamp())
    await other.refuse("新词条", "notice")
    moderator = await staff("moderator")
    await moderator.call("PUT", "/admin/words", {**WHY, "kind": "blocked", "word": "新词条"})
    await other.refuse("新词条", "notice")
    clock.pass_by(seconds=FRESH_S + 0.1)
    with pytest.raises(Refusal):
        await other.refuse("新词条", "notice")
    async with archive.read() as db:
        logged = (await db.execute(text("SELECT reason, detail->>'word' FROM audit_log WHERE status = 200"))).all()
    assert ("新的广告", "新词条") in [tuple(row) for row in logged]
