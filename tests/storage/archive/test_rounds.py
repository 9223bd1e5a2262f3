"""A finished round is stored once, whole or not at all, and nothing about it is lost."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import DBAPIError

from app.refusal import Refusal
from app.storage.archive.engine import Archive
from app.storage.archive.people import leaving
from app.storage.archive.play import history, ladder, rooms
from app.storage.archive.play.round_rows import seat_facts
from app.storage.archive.schema import circle_members, circles, ledger_lines, matches, round_seats, rounds, users
from app.tables.log.documents import UnacceptableDocument
from tests.storage.archive.documents import NOON, finished, match_over, store_round

FOUR = ("ann", "bob", "cat", "dan")


async def _count(archive: Archive, table: Any) -> int:
    async with archive.read() as db:
        return int((await db.execute(select(func.count()).select_from(table))).scalar_one())


async def test_a_round_is_stored_with_all_that_belongs_to_it(archive: Archive) -> None:
    assert await store_round(archive, finished(FOUR)) is True
    async with archive.read() as db:
        told = await history.round_detail(db, "match1.1", "ann")
        kept = await history.record(db, "match1.1", "bob")
    assert [seat["net"] for seat in told["seats"]] == [18, -6, -6, -6]
    assert [seat["won"] for seat in told["seats"]] == [True, False, False, False]
    assert told["seats"][0]["patterns"] == ["su", "zhuo_wu"]
    assert [(line["source"], line["target"], line["points"]) for line in told["lines"]] == [
        (1, 0, 6),
        (2, 0, 6),
        (3, 0, 6),
    ]
    assert told["series"] == 1
    assert told["facts"] == {"dealer": 0, "sit": True, "pull": [0, 1, 2, 0]}
    assert [seat["facts"] for seat in told["seats"]] == [{"pull": 0}, {"pull": 1}, {"pull": 2}, {"pull": 0}]
    assert kept["rules"] == {"base": 1}


async def test_storing_again_changes_nothing(archive: Archive) -> None:
    assert await store_round(archive, finished(FOUR)) is True
    assert await store_round(archive, finished(FOUR, [(0, 1, 99)])) is False
    assert await _count(archive, ledger_lines) == 3
    async with archive.read() as db:
        assert await ladder.points_of(db, "tianjin", "total", "ann") == 18


async def test_who_deleted_his_account_in_mid_round_is_stored_by_his_pseudonym(archive: Archive) -> None:
    await store_round(archive, finished(FOUR))
    async with archive.begin() as db:
        await leaving.forget(db, "ann", NOON)
    await store_round(archive, finished(FOUR, round_no=2))
    async with archive.read() as db:
        names = select(round_seats.c.name).where(round_seats.c.user_id == "ann")
        assert set((await db.execute(names)).scalars()) == {"已注销ann"}
        assert await ladder.points_of(db, "tianjin", "total", "ann") is None
        assert await ladder.points_of(db, "tianjin", "total", "bob") == -12


async def test_many_at_the_same_time_store_it_once(archive: Archive) -> None:
    done = await asyncio.gather(*[store_round(archive, finished(FOUR)) for _ in range(5)])
    assert sorted(done) == [False, False, False, False, True]
    async with archive.read() as db:
        assert await ladder.points_of(db, "tianjin", "total", "ann") == 18


async def test_rounds_of_the_same_players_in_different_order_do_not_block_each_other(archive: Archive) -> None:
    seatings = [FOUR, FOUR[::-1], FOUR[2:] + FOUR[:2], FOUR[1:] + FOUR[:1]]
    jobs = [store_round(archive, finished(who, match=f"m{n}", table=f"t{n}")) for n, who in enumerate(seatings)]
    assert await asyncio.gather(*jobs) == [True] * 4
    async with archive.read() as db:
        points = [await ladder.points_of(db, "tianjin", "total", user) for user in FOUR]
    assert points == [18 - 6 - 6 - 6] * 4


SPOILT: dict[str, Any] = {
    "net": lambda doc: doc["nets"].__setitem__(0, 17),
    "void with points": lambda doc: doc.update(outcome="void"),
    "to himself": lambda doc: doc["lines"][0].update({"to": 1}),
    "no points": lambda doc: doc["lines"][0].update(points=0),
    "one player twice": lambda doc: doc["seats"][1].update(user="ann"),
    "no facts": lambda doc: doc.pop("facts"),
    "unknown outcome": lambda doc: doc.update(outcome="draw"),
}


async def test_a_round_that_breaks_a_rule_leaves_nothing_behind(archive: Archive) -> None:
    for spoil in SPOILT.values():
        document = finished(FOUR)
        spoil(document)
        with pytest.raises(UnacceptableDocument, match="match1/1"):
            await store_round(archive, document)
        for table in (rounds, round_seats, ledger_lines, matches):
            assert await _count(archive, table) == 0


async def test_while_postgres_is_away_the_error_is_not_the_documents(archive: Archive) -> None:
    away = Archive.at("postgresql+asyncpg://quezhuo@/none?host=/nowhere")
    with pytest.raises((DBAPIError, OSError)):
        await store_round(away, finished(FOUR))
    await away.close()


async def test_void_rounds_are_kept_and_move_no_ladder(archive: Archive) -> None:
    document = finished(FOUR, [(1, 0, 6), (0, 1, 6)], outcome="void")
    assert await store_round(archive, document) is True
    async with archive.read() as db:
        assert await ladder.points_of(db, "tianjin", "total", "ann") is None


async def test_only_ranked_rounds_of_people_move_the_ladder(archive: Archive) -> None:
    """TJ-15.4: not ranked; a bot sits there; a bot once sat there."""
    with_bot = ("ann", "bob", "cat", None)
    await store_round(archive, finished(FOUR, match="a", table="a", room={"ranked": False}))
    await store_round(archive, finished(with_bot, match="b", table="b"))
    await store_round(archive, finished(FOUR, match="c", table="c", bots_ever=True))
    async with archive.read() as db:
        assert await ladder.points_of(db, "tianjin", "total", "ann") is None


async def test_a_round_on_autoplay_counts_for_the_ladder_like_any_other(archive: Archive) -> None:
    """TJ-15.5 (A9): the seat was on autoplay from the first discard, or its player left; nobody escapes a loss so."""
    document = finished(FOUR)
    document["seats"][1]["autoplay"] = document["seats"][2]["left"] = True
    await store_round(archive, document)
    async with archive.read() as db:
        assert [await ladder.points_of(db, "tianjin", "total", user) for user in FOUR] == [18, -6, -6, -6]


async def test_a_round_is_kept_although_its_room_and_a_player_are_unknown(archive: Archive) -> None:
    document = finished(("ann", "bob", "cat", "stranger"), room={"circle": "gone", "ranked": False})
    assert await store_round(archive, document) is True
    async with archive.read() as db:
        told = await history.round_detail(db, "match1.1", "stranger")
        room = await rooms.room(db, "room1")
    assert told["seats"][3]["name"] == "name of stranger"
    assert room["circle_id"] is None


async def test_the_last_round_ends_the_match_and_closing_the_room_does_not_undo_that(archive: Archive) -> None:
    await store_round(archive, finished(FOUR))
    await store_round(archive, finished(FOUR, round_no=2, over="finished"))
    await rooms.close_room(archive, "room1", "no_rematch", NOON)
    async with archive.read() as db:
        told = await history.match(db, "match1", "dan")
        room = await rooms.room(db, "room1")
    assert told["end_reason"] == "finished"
    assert [row["round_no"] for row in told["rounds"]] == [1, 2]
    assert room["close_reason"] == "no_rematch"


async def test_a_match_may_end_between_rounds(archive: Archive) -> None:
    document = finished(FOUR)
    await store_round(archive, document)
    assert await store_round(archive, match_over(document, "voted")) is True
    async with archive.read() as db:
        told = await history.match(db, "match1", "ann")
    assert (told["end_reason"], len(told["rounds"])) == ("voted", 1)


async def test_a_round_that_failed_is_kept_without_a_record(archive: Archive) -> None:
    document = {**finished(FOUR, [], outcome="failed"), "record": None, "facts": {}}
    assert await store_round(archive, document) is True
    async with archive.read() as db:
        assert (await history.round_detail(db, "match1.1", "ann"))["outcome"] == "failed"
        with pytest.raises(Refusal, match="no such record"):
            await history.record(db, "match1.1", "ann")
        assert await ladder.points_of(db, "tianjin", "total", "ann") is None


async def test_closing_a_room_ends_a_match_that_stood_open(archive: Archive) -> None:
    await store_round(archive, finished(FOUR))
    await rooms.close_room(archive, "room1", "voted", NOON)
    await rooms.close_room(archive, "room1", "later", NOON)
    async with archive.read() as db:
        assert (await history.match(db, "match1", "ann"))["end_reason"] == "voted"


async def test_a_deleted_player_keeps_his_rounds_under_a_pseudonym(archive: Archive) -> None:
    await store_round(archive, finished(FOUR))
    async with archive.begin() as db:
        await leaving.forget(db, "ann", NOON)
    async with archive.read() as db:
        told = await history.round_detail(db, "match1.1", "bob")
        kept = await history.record(db, "match1.1", "bob")
        names = (await db.execute(select(users.c.name, users.c.password_hash).where(users.c.id == "ann"))).one()
        raw = (await db.execute(text("SELECT count(*) FROM ladder WHERE user_id = 'ann'"))).scalar_one()
    assert told["seats"][0]["name"].startswith("已注销")
    assert "name of ann" not in str(kept)
    assert names.name.startswith("已注销")
    assert raw == 0


async def test_facts_with_one_value_per_seat_are_found_at_the_seat() -> None:
    facts = {"dealer": 2, "sit": False, "pull": (0, 1, 0), "chickens": [[1], [], []], "flips": [1, 2]}
    assert seat_facts(facts, 3)[1] == {"pull": 1, "chickens": []}


async def test_a_list_of_the_round_that_is_as_long_as_there_are_seats_stays_the_rounds(archive: Archive) -> None:
    """Two wild kinds at a table of two are facts of the round: what is a seat's own is stated apart."""
    document = finished(FOUR, facts={"dealer": 0, "sit": True, "wilds": ["1m", "2m", "3m", "4m"], "pull": [0, 1, 2, 0]})
    await store_round(archive, {**document, "seat_facts": [{"pull": pull} for pull in (0, 1, 2, 0)]})
    async with archive.read() as db:
        rows = (await db.execute(select(round_seats.c.facts).order_by(round_seats.c.seat))).scalars().all()
    assert list(rows) == [{"pull": 0}, {"pull": 1}, {"pull": 2}, {"pull": 0}]


async def test_dealings_show_dealer_sit_and_pull_per_player_and_circle(archive: Archive) -> None:
    async with archive.begin() as db:
        await db.execute(insert(circles).values(id="c1", name="老友", code="11112222"))
        await db.execute(insert(circle_members).values(circle_id="c1", user_id="ann", role="owner"))
    room = {"circle": "c1", "ranked": False, "host": "ann"}
    await store_round(archive, finished(FOUR, room=room))
    await store_round(
        archive, finished(FOUR, room=room, round_no=2, facts={"dealer": 0, "sit": False, "pull": [0, 2, 0, 0]})
    )
    async with archive.read() as db:
        mine, _ = await history.dealings_of(db, "bob", "tianjin", None, 10)
        theirs, cursor = await history.dealings_of_circle(db, "c1", None, None, 5)
        rest, end = await history.dealings_of_circle(db, "c1", None, cursor, 5)
    assert sorted((row["round_no"], row["round_facts"]["sit"], row["seat_facts"]["pull"]) for row in mine) == [
        (1, True, 1),
        (2, False, 2),
    ]
    assert [row["is_dealer"] for row in mine] == [False, False]
    assert len(theirs) == 5 and len(rest) == 3 and end is None
    assert len({row["key"] for row in theirs + rest}) == 8


async def test_a_later_round_of_known_people_is_stored_whole_or_not_at_all_too(archive: Archive) -> None:
    """Their rows are there by then, so that a round is one statement by itself."""
    await store_round(archive, finished(FOUR))
    for spoil in SPOILT.values():
        document = finished(FOUR, round_no=2)
        spoil(document)
        with pytest.raises(UnacceptableDocument, match="match1/2"):
            await store_round(archive, document)
    no_text = finished(FOUR, round_no=2, facts={"dealer": 0, "note": "\x00"})
    with pytest.raises(UnacceptableDocument):
        await store_round(archive, no_text)
    assert await _count(archive, rounds) == 1
    assert await store_round(archive, finished(FOUR, round_no=2, over="finished")) is True
    assert await store_round(archive, finished(FOUR, round_no=2, over="finished")) is False
    async with archive.read() as db:
        assert await ladder.points_of(db, "tianjin", "total", "ann") == 36
