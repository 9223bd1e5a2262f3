"""Data beside the tables in the live store: tickets, seats, the board, calls between nodes; on a real Valkey."""

import asyncio
import dataclasses
from datetime import timedelta

import pytest
from redis.asyncio import Redis

from app.api.people.identity import ACCESS
from app.storage.live.logs.reaper import Reaper
from app.storage.live.logs.tables import LiveTables
from app.storage.live.nodes.node_rpc import NodeRpc
from app.storage.live.rooms.board import Board
from app.storage.live.rooms.codes import Codes
from app.storage.live.rooms.room_sync import _LONGEST_S, _SHOWN_AT_ONCE, RoomSync
from app.storage.live.rooms.seats import SeatClaims
from app.storage.live.rooms.tickets import TICKET_S, Ticket, Tickets
from app.storage.live.wire import keys
from app.storage.live.wire import link as links
from app.storage.live.wire.link import Link, StoreUnavailable
from app.tables.ports import Person, Summary, Token
from tests.integration.waiting import PATIENCE_S, until

ROOM = Summary(
    "T", "123456", "tianjin", "waiting", 1, 0, 8, "ann", (Person("ann", "Ann", "x"), None), (False, False),
    (True, False), False, 0, "C",
)  # fmt: skip


async def opened(link: Link, *tables: str) -> None:
    for table in tables:
        await LiveTables(link).create(table, Token(1, f"n1.aa.{table}"), b"match")


# Tickets


async def test_a_ticket_admits_once(link: Link, valkey: Redis) -> None:
    tickets = Tickets(link)
    secret = await tickets.issue(Ticket("ann", "Ann", "x", "room:T", member=True))
    assert 0 < await valkey.ttl(keys.ticket("ann", secret)) <= TICKET_S
    found = await tickets.redeem(secret)
    assert isinstance(found, Ticket) and (found.user, found.scope, found.member) == ("ann", "room:T", True)
    assert await tickets.redeem(secret) == "bad_ticket"


async def test_an_expired_ticket_is_told_from_a_wrong_one(link: Link, valkey: Redis) -> None:
    now = [1000.0]
    tickets = Tickets(link, lambda: now[0])
    secret = await tickets.issue(Ticket("ann", "Ann", "", "lobby"))
    await valkey.delete(keys.ticket("ann", secret))
    assert await tickets.redeem(secret) == "bad_ticket"
    now[0] += TICKET_S
    assert await tickets.redeem(secret) == "expired_ticket"
    assert await tickets.redeem("nonsense") == "bad_ticket"


@pytest.mark.parametrize("text", ["", ".", "..", "1..x", "1.a}b.x", "1.{}.x", "ffffffff.eve.x", "1.ann.", "1.änn.x\n"])
async def test_made_up_tickets_are_bad(link: Link, text: str) -> None:
    assert await Tickets(link, lambda: 0.0).redeem(text) == "bad_ticket"


async def test_nobody_uses_anothers_ticket_under_his_own_name(link: Link) -> None:
    tickets = Tickets(link)
    given = await tickets.issue(Ticket("ann", "Ann", "", "lobby"))
    assert await tickets.redeem(given.replace(".ann.", ".eve.")) == "bad_ticket"
    assert isinstance(await tickets.redeem(given), Ticket)


async def test_tickets_of_before_a_ban_are_void(link: Link) -> None:
    now = [1000.0]
    tickets = Tickets(link, lambda: now[0])
    before, other = [await tickets.issue(Ticket(user, user, "", "lobby")) for user in ("eve", "ann")]
    await tickets.void("eve")
    assert await tickets.redeem(before) == "bad_ticket"
    assert isinstance(await tickets.redeem(other), Ticket)
    now[0] += 1
    after = await tickets.issue(Ticket("eve", "Eve", "", "lobby"))
    assert isinstance(await tickets.redeem(after), Ticket)


async def test_who_holds_his_seat_needs_nobodys_word_until_something_about_him_changes(
    link: Link, valkey: Redis
) -> None:
    await opened(link, "T", "U")
    tickets, seats = Tickets(link), SeatClaims(link)
    eve = Ticket("eve", "Eve", "", "room:T")
    assert await tickets.issue_seated(eve, "T", vouched=True) is None, "she holds no seat"
    await seats.claim("eve", "T")
    assert await tickets.issue_seated(eve, "U", vouched=True) is None, "her seat is elsewhere"
    before = await tickets.issue_seated(eve, "T", vouched=False)
    assert before is not None
    await tickets.void("eve")
    assert await tickets.redeem(before) == "bad_ticket"
    assert await tickets.issue_seated(eve, "T", vouched=False) is None
    after = await tickets.issue_seated(eve, "T", vouched=True)
    assert after is not None and await tickets.redeem(after) == eve
    lasts = timedelta(seconds=await valkey.ttl(keys.void("eve")))
    assert lasts > ACCESS + timedelta(hours=2), "it outlives every access token, also when a clock steps by an hour"


# Seats


async def test_one_player_has_one_seat_at_one_table(link: Link) -> None:
    await opened(link, "T", "U")
    seats = SeatClaims(link)
    assert await seats.claim("ann", "T") is None
    assert await seats.claim("ann", "T") is None
    assert await seats.claim("ann", "U") == "T"
    assert await seats.table_of("ann") == "T" and await seats.claimed("T") == {"ann"}
    assert await seats.claimed("U") == set()
    await seats.free("ann", "U")
    assert await seats.table_of("ann") == "T"
    await seats.free("ann", "T")
    assert await seats.claim("ann", "U") is None


async def test_of_many_tables_at_the_same_moment_one_gets_him(link: Link) -> None:
    tables = [f"T{number}" for number in range(10)]
    await opened(link, *tables)
    seats = SeatClaims(link)
    got = await asyncio.gather(*[seats.claim("ann", table) for table in tables])
    winner = await seats.table_of("ann")
    assert [table for table, other in zip(tables, got, strict=True) if other is None] == [winner]
    assert {other for other in got if other is not None} == {winner}
    assert [await seats.claimed(table) for table in tables if table != winner] == [set()] * 9


async def test_a_claim_for_a_table_that_is_gone_binds_nobody(link: Link) -> None:
    """The reaper frees the seat after any forgotten release (A10)."""
    await opened(link, "T", "U")
    seats = SeatClaims(link)
    await seats.claim("ann", "T")
    await LiveTables(link).close("T", Token(1, "n1.aa.T"), None, b"ended")
    assert await seats.table_of("ann") is None
    assert await seats.claim("ann", "U") is None


async def test_all_of_a_table_are_freed_and_nobody_elses(link: Link, valkey: Redis) -> None:
    await opened(link, "T", "U")
    seats = SeatClaims(link)
    for user, table in (("ann", "T"), ("bob", "T"), ("cat", "U")):
        await seats.claim(user, table)
    await seats.free_all("T")
    assert [await seats.table_of(user) for user in ("ann", "bob", "cat")] == [None, None, "U"]
    assert not await valkey.exists(keys.members("T"), keys.seat("ann"))


# The board


async def test_the_board_tells_what_is_new_since(link: Link) -> None:
    board = Board(link)
    assert await board.news(0) == (0, True, {})
    await board.show(ROOM)
    number, everything, news = await board.news(0)
    assert (number, everything, news) == (1, True, {"T": ROOM})
    later = dataclasses.replace(ROOM, phase="playing")
    await board.show(later)
    await board.show(dataclasses.replace(ROOM, table_id="U"))
    assert await board.news(number) == (3, False, {"T": later, "U": dataclasses.replace(ROOM, table_id="U")})
    await board.remove("T")
    assert await board.news(3) == (4, False, {"T": None})
    assert await board.news(4) == (4, False, {})
    assert [room.table_id for room in await board.all()] == ["U"]
    assert await board.get(["T", "U"]) == [None, dataclasses.replace(ROOM, table_id="U")]


async def test_who_was_away_too_long_or_saw_a_lost_board_gets_everything(link: Link, valkey: Redis) -> None:
    board = Board(link)
    await board.show(ROOM)
    await board.show(ROOM)
    assert (await board.news(99))[1], "a number from before the store lost its data"
    await valkey.zremrangebyrank(keys.ROOM_CHANGES, 0, -1)
    await board.show(dataclasses.replace(ROOM, table_id="U"))
    assert (await board.news(1))[:2] == (3, True)


# consequences of the end of a room


async def test_the_end_of_a_room_frees_its_people_and_its_code_and_leaves_the_board(link: Link, valkey: Redis) -> None:
    board, codes, seats = Board(link), Codes(link), SeatClaims(link)
    keeper = RoomSync(board, codes, seats)
    await opened(link, "T")
    code = await codes.reserve("T")
    await seats.claim("ann", "T")
    keeper.changed(dataclasses.replace(ROOM, code=code))
    keeper.changed(dataclasses.replace(ROOM, code=code, phase="playing"))
    await keeper.settle()
    assert [room.phase for room in await board.all()] == ["playing"]
    await LiveTables(link).close("T", Token(1, "n1.aa.T"), None, b"ended")
    keeper.free("T", None)
    keeper.closed("T", code, "voted")
    await keeper.settle()
    assert await board.all() == [] and await seats.table_of("ann") is None
    assert await codes.room_of(code) is None
    assert not await valkey.exists(keys.seat("ann"), keys.members("T"))


async def test_whoever_is_about_to_look_from_another_node_sees_the_latest_at_once(link: Link) -> None:
    board = Board(link)
    keeper = RoomSync(board, Codes(link), SeatClaims(link))
    keeper.changed(ROOM)
    keeper.changed(dataclasses.replace(ROOM, played=7))
    assert await board.all() == [], "nobody has got round to it"
    await keeper.shown("T")
    await keeper.shown("of which nothing changed")
    assert [room.played for room in await board.all()] == [7]
    await keeper.settle()
    assert [room.played for room in await board.all()] == [7]


async def test_when_many_come_and_go_the_board_is_told_the_last_of_it(link: Link) -> None:
    board = Board(link)
    keeper = RoomSync(board, Codes(link), SeatClaims(link))
    keeper.changed(ROOM)
    await keeper.settle()
    for number in range(50):
        keeper.changed(dataclasses.replace(ROOM, played=number))
        keeper.changed(dataclasses.replace(ROOM, table_id="U", played=number))
    await keeper.settle()
    number, _, rooms = await board.news(0)
    assert {name: room and room.played for name, room in rooms.items()} == {"T": 49, "U": 49}
    assert number == 3, "what is outdated was not shown"


async def test_however_many_rooms_change_at_once_the_board_is_told_of_all(link: Link) -> None:
    board = Board(link)
    keeper = RoomSync(board, Codes(link), SeatClaims(link))
    rooms = {f"T{number}": dataclasses.replace(ROOM, table_id=f"T{number}") for number in range(3 * _SHOWN_AT_ONCE)}
    for room in rooms.values():
        keeper.changed(room)
    await asyncio.gather(keeper.settle(), keeper.shown("T7"))
    assert {room.table_id: room for room in await board.all()} == rooms
    await board.show()
    assert len(await board.all()) == len(rooms), "nothing to tell changes nothing"


async def test_who_wants_a_rematch_keeps_his_seat_whatever_was_noted_before(link: Link) -> None:
    seats = SeatClaims(link)
    keeper = RoomSync(Board(link), Codes(link), seats)
    await opened(link, "T", "other")
    for user in ("ann", "bob", "eve"):
        await seats.claim(user, "T")
    keeper.free("T", ("ann", "bob", "eve"))
    assert await keeper.claim("T", "ann"), "the match is over, and the player is quicker than the note of it"
    await keeper.settle()
    assert await seats.table_of("ann") == "T" and await seats.claimed("T") == {"ann"}
    await seats.claim("bob", "other")
    assert not await keeper.claim("T", "bob") and await keeper.claim("T", "eve")
    keeper.free("T", ("ann",))
    await keeper.settle()
    assert await seats.table_of("ann") is None, "a later leave counts"


async def test_whoever_waits_until_all_is_done_does_none_of_it_a_second_time_nor_drops_any(link: Link) -> None:
    """`RoomSync` at work while another task lets it settle: each job is done once, in its order."""
    done: list[int] = []

    class Slow(SeatClaims):
        async def free(self, user: str, table: str, epoch: int | None = None) -> None:
            for _ in range(5):
                await asyncio.sleep(0)
            done.append(int(user))
            if done == [0, 1]:
                raise StoreUnavailable

    keeper = RoomSync(Board(link), Codes(link), Slow(link))
    running = asyncio.create_task(keeper.run())
    for number in range(4):
        keeper.free("T", (str(number),))
    await asyncio.sleep(0)
    await asyncio.gather(keeper.settle(), keeper.settle())
    assert done == [0, 1, 1, 2, 3] and not running.done()
    running.cancel()


async def test_no_claim_goes_on_behind_the_back_of_what_is_noted_after_it(link: Link) -> None:
    """One of several fails: the others are waited for, or one of them could undo a leave that comes later."""
    held, under_way = asyncio.Event(), set()

    class Halting(SeatClaims):
        async def claim(self, user: str, table: str, epoch: int = 0, *, listed: bool = False) -> str | None:
            if user == "ann":
                raise StoreUnavailable
            under_way.add(user)
            await held.wait()
            under_way.discard(user)
            return None

    keeper = RoomSync(Board(link), Codes(link), Halting(link))
    keeping = asyncio.create_task(keeper._free("T", None, ("ann", "bob"), 1, 1))
    await until(lambda: under_way)
    for _ in range(10):
        await asyncio.sleep(0)
    assert not keeping.done()
    held.set()
    with pytest.raises(StoreUnavailable):
        await keeping
    assert not under_way


def test_what_follows_from_a_change_waits_no_longer_for_a_store_that_is_back_than_all_else() -> None:
    assert max(links._PAUSES_S) >= _LONGEST_S


class _Stuck(SeatClaims):
    """The store answers nothing about one table."""

    async def claimed(self, table: str) -> set[str]:
        if table == "T":
            await asyncio.Event().wait()
        return await super().claimed(table)


async def test_people_of_a_table_do_not_wait_until_all_those_of_others_are_free(link: Link) -> None:
    seats = SeatClaims(link)
    keeper = RoomSync(Board(link), Codes(link), _Stuck(link))
    others = [f"other{number}" for number in range(40)]
    await opened(link, "T", *others)
    for table in others:
        await seats.claim(f"of {table}", table)
    for table in ("T", *others):
        keeper.free(table, None)
    settling = asyncio.ensure_future(keeper.settle())
    while sum([bool(await seats.claimed(table)) for table in others]) > 8:
        await asyncio.sleep(0.01)
    settling.cancel()
    assert await keeper.claim("other1", "of other1"), "and nobody waits who comes in"


async def test_a_new_owner_frees_whom_the_old_one_forgot_and_keeps_the_rest(link: Link) -> None:
    seats = SeatClaims(link)
    keeper = RoomSync(Board(link), Codes(link), seats)
    await opened(link, "T")
    for user in ("ann", "bob", "eve"):
        await seats.claim(user, "T")
    keeper.keep("T", ("ann",))
    assert await keeper.claim("T", "eve"), "she comes in while that is under way"
    await keeper.settle()
    assert await seats.claimed("T") == {"ann", "eve"} and await seats.table_of("bob") is None


async def test_the_reaper_takes_what_a_death_left_behind_and_nothing_else(link: Link, valkey: Redis) -> None:
    board, codes, seats = Board(link), Codes(link), SeatClaims(link)
    reaper = Reaper(link, LiveTables(link), board, codes, seats)
    await opened(link, "T", "alive")
    code = await codes.reserve("T")
    await seats.claim("ann", "T")
    await board.show(dataclasses.replace(ROOM, code=code))
    await LiveTables(link).close("T", Token(1, "n1.aa.T"), b"a finished round", b"ended")
    assert await LiveTables(link).in_use("T")
    assert [await reaper.sweep() for _ in range(2)] == [0, 0], "a round still waits for the archive"
    await valkey.delete(keys.rounds("T"))
    assert [await LiveTables(link).in_use(table) for table in ("T", "alive", "never")] == [False, True, False]
    assert [await reaper.sweep() for _ in range(3)] == [0, 1, 0]
    assert await valkey.smembers(keys.TABLES) == {b"alive"}
    assert await board.all() == [] and await codes.room_of(code) is None
    assert not await valkey.exists(keys.seat("ann"))


# Errands


async def test_an_errand_is_done_by_whom_it_is_for_and_answered(link: Link) -> None:
    one, two = NodeRpc(link, lambda: "n1.aa"), NodeRpc(link, lambda: "n2.bb")
    done: list[object] = []

    async def note(*args: object) -> dict[str, object]:
        done.append(args)
        return {"ok": True, "args": list(args)}

    async def fail() -> None:
        raise RuntimeError("a bug")

    two.handle("note", note)
    two.handle("fail", fail)
    running = asyncio.create_task(two.run())
    assert await one.send("n2.bb", "note", "T", {"reason": "x"}, patience_s=PATIENCE_S) == {
        "ok": True,
        "args": ["T", {"reason": "x"}],
    }
    assert done == [("T", {"reason": "x"})]
    for owner, what in (("n2.bb", "fail"), ("n3.cc", "note")):
        with pytest.raises(StoreUnavailable):
            await one.send(owner, what, patience_s=0.3)
    running.cancel()
