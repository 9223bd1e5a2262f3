"""Short forms of the long commands: `mj leaks`, `mj chaos --kinds rolling`, `mj bench recovery`, `storm` and `slow`."""

import asyncio
import contextlib
import functools
import gc
import json
import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from app.lab.bench import leaks, recovery
from app.lab.bench.footprint import Footprint, family_of
from app.lab.bench.slow import Disturbed, slow_readers
from app.lab.bench.storm import storm as resume_storm
from app.lab.chaos import chaos
from app.lab.chaos.chaos import Exit
from app.lab.chaos.cluster import cluster
from app.lab.chaos.load_run import Reckoning
from app.lab.clients.client import Api, Refused, SeatClient
from app.lab.clients.load_clients import many_tables, quantile_ms
from app.lab.clients.stalled_clients import waiting
from app.settings import Settings
from app.variants import VARIANTS

pytestmark = pytest.mark.timeout(420)

REST = Footprint(100_000, 20, 0, 0, 12, 5, 4, Counter({"nodes": 1}), Counter({"code": 9}))


@pytest.fixture
def on_our_stores(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """`mj leaks` takes the tests' stores instead of starting its own."""

    class Ours:
        def __enter__(self) -> "Ours":
            return self

        def __exit__(self, *_: object) -> None: ...

        @property
        def settings(self) -> Settings:
            return settings

    monkeypatch.setattr(leaks, "stores", Ours)


def test_a_sample_of_bot_matches_leaves_nothing_and_plays_again(
    on_our_stores: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaks.main(["--matches", "7", "--at-once", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["grown"] == [] and told["differ"] == [] and told["played_again"] >= 7 + 8
    assert told["after"]["tasks"] > 5 and told["after"]["postgres"] > 0 and told["after"]["valkey"] > 0


@pytest.mark.parametrize(
    ("name", "more"),
    [("tasks", {"tasks": 22}), ("postgres", {"postgres": 6}), ("node_sockets", {"node_sockets": 13}),
     ("memory_kb", {"memory_kb": 105_001}), ("keys t:log", {"keys": Counter({"nodes": 1, "t:log": 1})}),
     ("keys code, too long", {"late": Counter({"code": 1})})],
)  # fmt: skip
def test_whatever_grows_is_named(name: str, more: dict[str, object]) -> None:
    grown = replace(REST, **more)  # type: ignore[arg-type]
    assert grown.grown(REST, leaks.ALLOWED, whole=True) == [name]


def test_what_stays_within_five_percent_or_runs_out_by_itself_is_no_growth() -> None:
    later = replace(REST, memory_kb=104_999, tasks=21, passing=Counter({"code": 900, "t:lease": 50}))
    assert later.grown(REST, leaks.ALLOWED, whole=True) == []
    assert replace(REST, memory_kb=300_000, postgres=9).grown(REST, leaks.ALLOWED, whole=False) == []


def test_the_memos_of_rules_and_bots_are_bounded_and_small() -> None:
    memos = {
        f"{memo.__module__}.{memo.__name__}": memo.cache_parameters()["maxsize"]
        for memo in gc.get_objects()
        if type(memo) is functools._lru_cache_wrapper  # isinstance would ask dead proxies
        and memo.__module__.startswith(("app.kernel", "app.variants", "app.bots"))
    }
    assert len(memos) > 9 and None not in memos.values()
    assert sum([int(size or 0) for size in memos.values()]) < 100_000  # some 250 bytes each


@pytest.mark.parametrize(
    ("key", "family"),
    [("t:{id-1}:log:12", "t:log"), ("t:{a}:lease", "t:lease"), ("u:{ann}:seat", "u:seat"), ("code:123456", "code"),
     ("tables", "tables"), ("{lobby}:rooms", "{lobby}:rooms"), ("node:n1:0af", "node")],
)  # fmt: skip
def test_keys_have_families(key: str, family: str) -> None:
    assert family_of(key) == family


def test_a_rolling_restart_is_unnoticed(capsys: pytest.CaptureFixture[str]) -> None:
    """No action is lost, no round aborted, no clock run out; players get a time to return; exits are in order."""
    words = ["--kinds", "rolling", "--breaks", "1", "--tables", "3", "--nodes", "2", "--rounds", "1"]
    assert chaos.main([*words, "--think-ms", "100", "--seed", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["exits"]["in_order"] and told["breaks"] == {"rolling": 1} and told["untold"] == 0
    assert told["acked"] > 50 and told["reconnects"] > 0 and told["run_out"].keys() <= {"forced"}
    assert told["byes"].keys() & {"1012", "4002"}


@pytest.mark.parametrize(
    "broken",
    [{"lost": ["x"]}, {"twice": ["x"]}, {"voided": 1}, {"gaps": 1}, {"uneven": ["x"]}, {"unfinished": 1},
     {"failed": ["x"]}, {"untold": 1}, {"run_out": Counter({"turn": 1})}],
)  # fmt: skip
def test_a_deploy_that_somebody_notices_fails(broken: dict[str, object]) -> None:
    assert Reckoning().unnoticed and not Reckoning(**broken).unnoticed  # type: ignore[arg-type]
    assert Reckoning(run_out=Counter({"forced": 3})).unnoticed, "a question with one answer runs out by itself"


async def test_a_player_who_cannot_go_on_is_in_the_reckoning(settings: Settings) -> None:
    async def nothing() -> None:
        """Nothing is broken."""

    async with cluster(settings, 1) as nodes:
        found = await chaos.storm(nodes.url, settings.database_url, 2, 0.0, random.Random(1), nothing, rounds=1)
        assert found.clean and found.matches >= 2, found
        bad = await chaos.storm(nodes.url, settings.database_url, 2, 0.0, random.Random(1), nothing, rounds=99)
    assert not bad.clean and len(bad.failed) == 2 and all(": Refused: invalid" in line for line in bad.failed), bad


async def test_when_interrupted_nothing_more_is_broken(settings: Settings) -> None:
    async with cluster(settings, 1) as nodes:
        breaks = chaos.Breaks(nodes, None, random.Random(1))  # type: ignore[arg-type]
        breaks.enough()
        await breaks.some(["kill"], 3)
    assert not breaks.done


def test_an_exit_is_in_order_within_the_supervisors_patience_only() -> None:
    assert Exit("n1", 0, 3.0).in_order
    assert not Exit("n1", 1, 3.0).in_order and not Exit("n1", 0, 26.0).in_order


async def test_everybody_returns_after_a_kill_and_no_try_fails(settings: Settings) -> None:
    found = await resume_storm(many_tables(settings), 10, 1.0, kill=True)
    told = found.figures()
    assert told["clients"] == 40 == len(found.came) and told["again"] == told["lost"] == 0, found
    assert 0 < told["ticket_p50_ms"] < told["p50_ms"] and 0 < told["resume_p50_ms"] < told["p50_ms"], told


def test_tables_of_a_dead_node_play_again_and_nothing_of_them_is_lost(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The measurement itself, at a few tables; its goals are for a quiet machine (`mj bench recovery`)."""
    monkeypatch.setattr(recovery, "stores", lambda: contextlib.nullcontext(SimpleNamespace(settings=settings)))
    recovery.main(["--tables", "7", "--entries", "20", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert {"tables", "first_s", "all_s", "fold_us", "lost"} <= told.keys()
    assert told["tables"] == 7 and told["lost"] == 0 and told["entries"] >= 7 * 10
    assert 0 < told["first_s"] <= told["half_s"] <= told["all_s"] and told["fold_us"] > 0


async def test_others_act_beside_people_who_do_not_read(settings: Settings) -> None:
    """The measurement itself; that a slow one is cut, and how soon, is in `test_slow_readers.py`."""
    found = await slow_readers(many_tables(settings), len(VARIANTS), 2, 1, 1.0)
    assert found.errors == found.early == 0 and found.acts > 10 and found.calm_p99_ms > 0 < found.slow_p99_ms, found


def test_others_may_feel_a_tenth_or_two_milliseconds_and_no_more() -> None:
    calm = Disturbed(1, 1, 1, 1.0, 30.0, 1.0, 33.0, 1, 1.0, 0, 0)
    assert calm.good and replace(calm, calm_p99_ms=1.0, slow_p99_ms=3.0).good
    assert not replace(calm, slow_p99_ms=33.1).good and not replace(calm, calm_p99_ms=1.0, slow_p99_ms=3.1).good
    assert not replace(calm, cut=0).good and not replace(calm, errors=1).good
    assert not replace(calm, cut_after_s=1.01).good and not replace(calm, early=1).good
    assert quantile_ms([0.001 * n for n in range(1, 101)], 0.99) == pytest.approx(100.0)


def test_what_waits_for_one_who_does_not_read_is_what_both_kernels_hold() -> None:
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    rows = [
        "   0: 0100007F:A649 00000000:0000 0A 00000001:00000002 00:00000000 00000000     0 0 27",
        "   1: 0100007F:A649 0100007F:EDDC 01 00017001:00000004 04:00000027 00000000     0 0 0",
        "   2: 0100007F:EDDC 0100007F:A649 01 00000008:00001000 00:00000000 00000000     0 0 28",
        "   3: 0100007F:A649 0100007F:EDDD 01 00000010:00000000 00:00000000 00000000     0 0 29",
    ]
    assert waiting(head + "\n".join(rows), 0xA649, 0xEDDC) == 0x17001 + 0x1000
    assert waiting("", 1, 2) == 0


async def test_a_client_waits_as_long_as_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def note(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            client._over.set()

    class Api:
        url = ""

    client = SeatClient(Api(), "room")  # type: ignore[arg-type]

    async def one_socket() -> None:
        client.bye = {"code": 1012, "retry_ms": 2345} if not slept else None
        client.close_code = 1012 if not slept else 1006

    client._one_socket = one_socket  # type: ignore[method-assign]
    monkeypatch.setattr(asyncio, "sleep", note)
    await client.run()
    assert slept[0] == 2.345 and 0.05 < slept[1] < 1.0, "the page's own pause, where none was named"
    assert client.untold == 1 and client.reconnects == 2


async def test_a_try_to_return_that_fails_is_no_loss_of_a_socket() -> None:
    client = SeatClient(Api(""), "room")
    tries: list[int] = []

    async def one_socket() -> None:
        tries.append(len(tries))
        client.bye, client.close_code = None, None
        if len(tries) < 3:
            raise Refused(503, "busy", "try again")
        client._over.set()

    client._one_socket = one_socket  # type: ignore[method-assign]
    await client.run()
    assert (client.reconnects, client.untold) == (2, 0)
