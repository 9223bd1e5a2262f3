"""Heartbeats, where a table should run, and taking over from the dead, on a real store."""

import asyncio
from collections import Counter

import msgspec
import pytest
from redis.asyncio import Redis

from app.storage.live.logs.tables import LiveTables
from app.storage.live.nodes import nodes, placement
from app.storage.live.nodes.nodes import (
    Heartbeat,
    Node,
    Nodes,
    Seen,
    incarnation,
    owner_of,
    rendezvous_node,
)
from app.storage.live.nodes.placement import Placement, Takeover
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link
from app.tables.ports import Token
from tests.integration.waiting import PATIENCE_S

LIFE_S = 60.0
N1, N2, N3 = (Node(name, "000a", f"/n/{name}", 0, 10) for name in ("n1", "n2", "n3"))


@pytest.fixture(autouse=True)
def no_beat_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys live, and nodes count as lively, for longer than any test takes: who is to be dead is made so by `die`."""
    monkeypatch.setattr(nodes, "TTL_S", LIFE_S)
    monkeypatch.setattr(nodes, "MISSED_S", LIFE_S)
    monkeypatch.setattr(placement, "_QUIET_S", LIFE_S / 2)


class Clock:
    """Monotonic seconds that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def beat(link: Link, *nodes: Node) -> None:
    """Let these be alive."""
    for node in nodes:
        await heart(link, node).beat()


def heart(link: Link, node: Node, lapses: list[str] | None = None, clock: Clock | None = None) -> Heartbeat:
    async def on_lapse() -> None:
        (lapses if lapses is not None else []).append(node.name)

    return Heartbeat(link, lambda: node, on_lapse, clock or Clock())


async def die(valkey: Redis, node: Node) -> None:
    """The heartbeat of a node runs out."""
    await valkey.delete(keys.node(node.name, node.incarnation))


async def owned_by(link: Link, node: Node, *tables: str) -> None:
    for table in tables:
        await LiveTables(link).create(table, Token(1, f"{node.owner}.{table}"), b"match")


async def test_who_beats_is_seen_and_who_stops_is_listed_as_silent(link: Link, valkey: Redis) -> None:
    await beat(link, N1, N2)
    seen = await Nodes(link).look()
    assert seen.alive == {N1.owner: N1, N2.owner: N2} and seen.silent == set()
    assert all(0 <= quiet < LIFE_S for quiet in seen.quiet_s.values())
    assert 0 < await valkey.pttl(keys.node("n1", "000a")) <= LIFE_S * 1000
    await die(valkey, N2)
    assert (await Nodes(link).look()).silent == {N2.owner}


async def test_a_node_that_stops_in_order_is_not_waited_for(link: Link) -> None:
    await beat(link, N1, N2)
    await heart(link, N1).stop()
    seen = await Nodes(link).look()
    assert (set(seen.alive), seen.silent) == ({N2.owner}, set())


async def test_a_later_process_of_a_name_replaces_the_earlier_at_once(link: Link) -> None:
    later = msgspec.structs.replace(N1, incarnation="000b")
    await beat(link, N1, later)
    seen = await Nodes(link).look()
    assert (set(seen.alive), seen.silent) == ({later.owner}, set())


async def test_the_order_of_birth_is_the_stores_whatever_clocks_and_names_say(link: Link, valkey: Redis) -> None:
    """C14: a process that starts after the clock was set back is still the later one; so it is after a flush."""
    earlier, later = (msgspec.structs.replace(N1, incarnation=name) for name in ("zz", "aa"))
    old, new = heart(link, earlier), heart(link, later)
    await old.beat()
    await new.beat()
    await old.beat()
    assert set((await Nodes(link).look()).alive) == {later.owner}
    await valkey.zrem(keys.BIRTHS, "n1:zz")  # struck by the reaper while it slept; then it wakes
    await old.beat()
    assert set((await Nodes(link).look()).alive) == {later.owner}
    await valkey.flushall()
    await new.beat()
    await heart(link, newest := msgspec.structs.replace(N1, incarnation="00")).beat()
    await old.beat()
    assert set((await Nodes(link).look()).alive) == {newest.owner}


async def test_an_earlier_process_that_lives_on_beside_a_later_one_of_its_name_is_sure_of_nothing(link: Link) -> None:
    """Its tables are taken at once, however well it beats."""
    clock = Clock()
    lapses: list[str] = []
    old = heart(link, N1, lapses, clock)
    new = heart(link, msgspec.structs.replace(N1, incarnation="000b"), lapses, clock)
    other = heart(link, N2, lapses, clock)
    for own in (old, other, new):
        await own.beat()
        assert own.lease_is_valid
    for own in (old, other, new):
        await own.beat()
    assert [own.lease_is_valid for own in (old, other, new)] == [False, True, True] and lapses == ["n1"]


def test_no_two_lives_have_one_name() -> None:
    assert len({incarnation() for _ in range(200)}) == 200


async def test_a_key_that_would_live_too_long_is_of_before_the_clock_was_set_back(link: Link, valkey: Redis) -> None:
    """Else the tables of a node that died just before the step would wait for an hour."""
    await beat(link, N1, N2)
    await valkey.pexpire(keys.node("n1", "000a"), 3_600_000 + 1500)
    seen = await Nodes(link).look()
    assert (set(seen.alive), seen.silent) == ({N2.owner}, {N1.owner})
    await beat(link, N1)
    assert set((await Nodes(link).look()).alive) == {N1.owner, N2.owner}


async def test_after_a_pause_the_tokens_are_confirmed_before_the_node_is_sure_again(link: Link, valkey: Redis) -> None:
    lapses: list[str] = []
    clock = Clock()
    own = heart(link, N1, lapses, clock)
    assert not own.lease_is_valid
    await own.beat()
    assert own.lease_is_valid and lapses == []
    clock.now += LIFE_S + 0.1
    assert not own.lease_is_valid
    await own.beat()
    assert own.lease_is_valid and lapses == ["n1"]
    clock.now += 0.5
    await die(valkey, N1)  # the store's clock stepped, or it lost the key: another node may have looked just then
    await own.beat()
    assert lapses == ["n1", "n1"]
    clock.now += 0.5
    await own.beat()
    assert lapses == ["n1", "n1"]


async def test_whoever_may_have_lost_a_table_to_one_who_was_asked_for_it_confirms_first(
    link: Link, valkey: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held up for less than its key lives, but for so long that a ticket went to another node: that one has it now."""
    monkeypatch.undo()
    lapses: list[str] = []
    clock = Clock()
    own = heart(link, N1, lapses, clock)
    await beat(link, N2)
    await own.beat()
    await owned_by(link, N1, "T")
    quiet_s = 1.5
    clock.now += quiet_s
    await valkey.pexpire(keys.node("n1", "000a"), round((nodes.TTL_S - quiet_s + nodes.BEAT_S) * 1000))
    await beat(link, N2)
    assert await Placement(link, lambda: N2).place("T") == (N2, False)
    assert not own.lease_is_valid
    await own.beat()
    assert lapses == ["n1"]


def test_nobody_is_sure_of_a_table_for_longer_than_it_is_left_to_him(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert nodes.MISSED_S <= placement._QUIET_S + nodes.BEAT_S < nodes.TTL_S


def test_a_token_says_whose_it_is() -> None:
    assert owner_of("3:n1.000a.c0ffee") == "n1.000a"
    assert owner_of("3:free") is None


def test_tables_spread_over_the_nodes_and_stay_where_they_are_when_one_goes() -> None:
    tables = [f"T{number}" for number in range(600)]
    homes = {table: rendezvous_node(table, [N1, N2, N3]) for table in tables}
    shares = Counter(node.name for node in homes.values() if node is not None)
    assert all(150 < share < 250 for share in shares.values())
    for table, home in homes.items():
        if home != N3:
            assert rendezvous_node(table, [N1, N2]) == home


def test_full_and_leaving_nodes_get_no_tables() -> None:
    full, leaving = msgspec.structs.replace(N1, room=0), msgspec.structs.replace(N2, draining=True)
    assert rendezvous_node("T", [full, leaving, N3]) == N3
    assert rendezvous_node("T", [full, leaving]) is None


async def test_a_ticket_names_the_owner_or_a_living_node(link: Link, valkey: Redis) -> None:
    await beat(link, N1, N2)
    await owned_by(link, N1, "T")
    here = Placement(link, lambda: N2)
    assert await here.place("nowhere") is None
    assert await here.place("T") == (N1, True)
    assert await Placement(link, lambda: N1).place("T") == (N1, True)
    await die(valkey, N1)
    assert await here.place("T") == (N2, False)
    await LiveTables(link).release("T", Token(1, f"{N1.owner}.T"))
    place = await here.place("T")
    assert place is not None and not place.owned


async def test_somebody_who_asks_need_not_wait_for_the_ttl(link: Link, valkey: Redis) -> None:
    """The owner missed two beats: a ticket goes to another node though its key has not run out."""
    await beat(link, N1, N2)
    await owned_by(link, N1, "T")
    await valkey.pexpire(keys.node("n1", "000a"), 700)
    assert await Placement(link, lambda: N2).place("T") == (N2, False)


async def test_all_who_ask_at_the_same_moment_share_one_look(link: Link, valkey: Redis) -> None:
    await beat(link, N1, N2)
    await owned_by(link, N1, *[f"T{number}" for number in range(40)])
    await die(valkey, N1)
    here, looks = Placement(link, lambda: N2), []

    class Counting(Nodes):
        async def look(self) -> Seen:
            looks.append(1)
            return await super().look()

    here._nodes = Counting(link)
    places = await asyncio.gather(*[here.place(f"T{number}") for number in range(40)])
    assert places == [(N2, False)] * 40 and len(looks) <= 4, "one now, one after the beat, for whoever asked together"
    await beat(link, N1)
    assert await here.place("T1") == (N1, True), "nothing of it is remembered"


class Adopter:
    """A node that watches, and what it took over."""

    def __init__(self, link: Link, me: Node) -> None:
        self.taken: list[str] = []
        self.running: set[str] = set()
        self.broken: set[str] = set()
        self.watch = Takeover(link, lambda: me, self._adopt, lambda table_id: table_id in self.running)

    async def _adopt(self, tables: dict[str, str]) -> None:
        if self.broken & tables.keys():
            raise ZeroDivisionError
        self.taken += tables


async def test_a_dead_nodes_tables_are_taken_over_at_the_second_look_each_by_one(link: Link, valkey: Redis) -> None:
    tables = [f"T{number}" for number in range(30)]
    await beat(link, N1, N2, N3)
    await owned_by(link, N1, *tables)
    watchers = [Adopter(link, N2), Adopter(link, N3)]
    for _ in range(3):
        for watcher in watchers:
            assert await watcher.watch.look() == []
    await die(valkey, N1)
    for watcher in watchers:
        assert await watcher.watch.look() == []
        await watcher.watch.look()
    assert sorted(watchers[0].taken + watchers[1].taken) == sorted(tables)
    assert watchers[0].taken and watchers[1].taken


async def test_keys_that_were_missing_once_kill_nobody(link: Link, valkey: Redis) -> None:
    """After a clock step or a stall of the store all keys are gone until the next beat."""
    await beat(link, N1, N2)
    await owned_by(link, N1, "T")
    watcher = Adopter(link, N2)
    await watcher.watch.look()
    await die(valkey, N1)
    await watcher.watch.look()
    await beat(link, N1)
    for _ in range(3):
        await watcher.watch.look()
    assert watcher.taken == []


async def test_a_new_process_of_a_name_takes_what_the_old_one_had_at_its_first_look(link: Link) -> None:
    await owned_by(link, N1, "T", "U")
    await beat(link, N1)
    later = msgspec.structs.replace(N1, incarnation="000b")
    await beat(link, later)
    assert sorted(await Adopter(link, later).watch.look()) == ["T", "U"]


async def test_a_process_is_not_ready_before_it_has_what_was_left_behind_if_that_takes_but_a_moment(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [f"T{number}" for number in range(3 * placement._LOOKED_AT)]
    monkeypatch.setattr(placement, "_ALONE_S", 60.0)
    await owned_by(link, N1, *tables)
    await beat(link, N1)
    later = Adopter(link, msgspec.structs.replace(N1, incarnation="000b"))
    await beat(link, msgspec.structs.replace(N1, incarnation="000b"))
    looking = asyncio.create_task(later.watch.run())
    await later.watch.begun()
    assert sorted(later.taken) == sorted(tables)
    looking.cancel()
    monkeypatch.setattr(placement, "_ALONE_S", 0.01)
    async with asyncio.timeout(PATIENCE_S):
        await Adopter(link, N2).watch.begun()  # its look is never over


async def test_tables_given_up_by_a_leaving_node_are_picked_up(link: Link) -> None:
    await beat(link, N1, N2)
    await owned_by(link, N1, "T")
    watcher = Adopter(link, N2)
    await watcher.watch.look()
    await LiveTables(link).release("T", Token(1, f"{N1.owner}.T"))
    await heart(link, N1).stop()
    assert await watcher.watch.look() == ["T"]


async def test_a_table_of_ones_own_that_one_does_not_run_is_nobodys(link: Link) -> None:
    """Its maker was cancelled, its task died, a drain could not hand it over: for all others its owner lives."""
    await beat(link, N1, N2)
    await owned_by(link, N1, "T", "U", "V")
    own, other = Adopter(link, N1), Adopter(link, N2)
    own.running |= {"T", "V"}
    assert await own.watch.look() == ["U"] and await other.watch.look() == []
    leaving = Adopter(link, msgspec.structs.replace(N1, draining=True))
    leaving.running |= {"T", "U"}
    await beat(link, msgspec.structs.replace(N1, draining=True))
    assert await leaving.watch.look() == ["V"], "to be given up"


async def test_one_table_that_cannot_be_taken_keeps_nobody_from_the_others(link: Link) -> None:
    tables = [f"T{number}" for number in range(30)]
    await beat(link, N2)
    await owned_by(link, N1, *tables)
    watcher = Adopter(link, N2)
    watcher.broken = {"T7"}
    await watcher.watch.look()
    assert len(watcher.taken) >= len(tables) - placement._AT_ONCE and len(set(watcher.taken)) == len(watcher.taken)


async def test_closed_tables_are_nobodys_business(link: Link) -> None:
    await beat(link, N2)
    await owned_by(link, N1, "T")
    await LiveTables(link).close("T", Token(1, f"{N1.owner}.T"), None, b"ended")
    assert await Adopter(link, N2).watch.look() == []


@pytest.mark.parametrize("owners", [1, 3])
async def test_whoever_watches_two_never_both_own(link: Link, valkey: Redis, owners: int) -> None:
    """All try to take the same table at the same moment: the swap lets one."""
    await owned_by(link, N1, "T")
    tables = LiveTables(link)
    seen = await tables.look("T")
    assert seen is not None
    won = await asyncio.gather(*[tables.acquire("T", seen, f"n{number}.x.y") for number in range(owners)])
    assert sum(owned is not None for owned in won) == 1
