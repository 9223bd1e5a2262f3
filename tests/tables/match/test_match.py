"""The match as a decider: sitting, starting, leaving, votes, pauses, dealers and the final order."""

from __future__ import annotations

import typing
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as changed

from app.refusal import ErrorCode
from app.tables import asks
from app.tables.match import events as me
from app.tables.match.decide import Refused, decide_ask, expire, fill, reserve, settle, sit
from app.tables.match.evolve import _EVOLVE, evolve_match
from app.tables.match.pages import dealer_of, next_page
from app.tables.match.state import BOT, MatchState, Rank, new_match, rank
from app.tables.match.timers import starts, timers
from app.tables.ports import Person
from app.tables.settings import TableSettings, TableSpec
from tests.laws.toy import META

TIANJIN = replace(META, auto_ready_s=15, new_series_on_leave=True, first_dealer="random")
GUIZHOU = replace(META, auto_ready_s=None, new_series_on_leave=False, first_dealer="owner_or_first")


def table(players: str = "abcd", circle: str | None = None, host: str | None = "a", **settings: Any) -> MatchState:
    """A match in which these people have sat down in this order."""
    spec = TableSpec("t", "123456", "toy", {}, TableSettings(**settings), 4, host, "A", circle, False)
    match = new_match(spec, "00", "c")
    for name in players:
        match = do(match, sit(match, Person(name, name)))
    return match


def do(match: MatchState, verdict: Any) -> MatchState:
    assert not isinstance(verdict, Refused), verdict
    return settle(match, verdict)[1]


def ask(match: MatchState, seat: int, asked: asks.Ask, meta: Any = TIANJIN) -> MatchState:
    return do(match, decide_ask(match, meta, seat, asked))


def refused(match: MatchState, seat: int, asked: asks.Ask) -> str:
    verdict = decide_ask(match, TIANJIN, seat, asked)
    assert isinstance(verdict, Refused)
    return verdict.code


def ready(match: MatchState, *seats: int) -> MatchState:
    for seat in seats:
        match = ask(match, seat, asks.Ready())
    return match


def playing(match: MatchState) -> MatchState:
    return evolve_match(match, me.MatchDealt(1, 1, 0))


def settled(match: MatchState, nets: tuple[int, ...] = (3, -1, -1, -1), dealer: int = 2, rounds: int = 8) -> MatchState:
    return next_page(match, "won", nets, dealer, (), rounds, "11", "c2")


def between(match: MatchState, **options: Any) -> MatchState:
    return settled(playing(match), **options)


def names(match: MatchState) -> list[str | None]:
    return [seat.person.user if seat.person else ("bot" if seat.bot else None) for seat in match.seats]


# Starting


def test_tj_1_4_a_round_starts_when_all_seats_are_taken_and_ready() -> None:
    assert not starts(ready(table("abc"), 0, 1, 2))
    assert not starts(ready(table(), 0, 1, 2))
    assert starts(ready(table(), 0, 1, 2, 3))


def test_tj_1_5_the_last_of_four_gets_fifteen_seconds_and_is_made_ready() -> None:
    match = ready(table(), 0, 1, 3)
    assert timers(match, TIANJIN)["ready:2"] == 15
    assert starts(do(match, expire(match, TIANJIN, "ready:2")))
    assert "ready:2" not in timers(match, GUIZHOU)


def test_tj_1_6_the_countdown_stops_when_somebody_leaves_or_withdraws() -> None:
    match = ready(table(), 0, 1, 3)
    assert "ready:2" not in timers(ask(match, 1, asks.Unready()), TIANJIN)
    assert "ready:2" not in timers(ask(match, 1, asks.Leave()), TIANJIN)
    assert not [key for key in timers(ready(table("abc"), 0, 1), TIANJIN) if key.startswith("ready")]
    assert expire(ask(match, 1, asks.Unready()), TIANJIN, "ready:2") == ()


def test_tj_1_7_readiness_is_cleared_at_settlement() -> None:
    assert [seat.ready for seat in between(ready(table(), 0, 1, 2, 3)).seats] == [False] * 4


def test_tj_1_8_bots_are_ready_at_once_autoplay_after_the_first_round_the_rest_after_thirty_seconds() -> None:
    match = do(table("ab"), fill(table("ab")))
    assert [seat.ready for seat in match.seats] == [False, False, True, True]
    match = evolve_match(playing(match), me.MatchAutoplay(1, True))
    match = settled(match)
    assert [seat.ready for seat in match.seats] == [False, True, True, True]
    assert timers(match, TIANJIN)["next"] == 30
    assert starts(do(match, expire(match, TIANJIN, "next")))


def test_who_switches_autoplay_on_between_rounds_is_ready_at_once() -> None:
    assert ask(between(table()), 1, asks.Autoplay(True)).seats[1].ready
    assert refused(table(), 1, asks.Autoplay(True)) == "not_now"


def test_a_seat_that_was_left_is_never_made_ready_before_it_is_back_or_replaced() -> None:
    match = settled(ask(playing(table()), 1, asks.Leave()))
    match = do(match, expire(match, TIANJIN, "next"))
    assert [seat.ready for seat in match.seats] == [True, False, True, True] and not starts(match)
    back = ready(do(match, sit(match, Person("b", "b"))), 1)
    assert starts(back) and not back.seats[1].autoplay


def test_entropy_is_bounded_text() -> None:
    assert refused(table(), 0, asks.Ready("x" * 65)) == "malformed"
    assert refused(table(), 0, asks.Ready("a\n")) == "malformed"
    assert ask(table(), 0, asks.Ready("f00d")).seats[0].entropy == "f00d"


# Sitting and leaving


def test_people_sit_where_they_like_and_a_full_table_is_full() -> None:
    match = table("a")
    match = do(match, reserve(match, Person("z", "z"), 2, 5))
    assert names(match) == ["a", None, "z", None]
    assert reserve(match, Person("y", "y"), 2, 5) == Refused(ErrorCode.SEAT_TAKEN)
    assert reserve(match, Person("y", "y"), 9, 5) == Refused(ErrorCode.SEAT_TAKEN)
    assert reserve(table(), Person("y", "y"), None, 5) == Refused(ErrorCode.ROOM_FULL)
    assert reserve(between(table("abc")), Person("y", "y"), None, 5) == Refused(ErrorCode.NOT_NOW)
    assert sit(table(), Person("y", "y")) == Refused(ErrorCode.ROOM_FULL)
    assert sit(playing(table("abc")), Person("y", "y")) == Refused(ErrorCode.ROOM_FULL)


def test_a_leaver_before_the_match_makes_room_and_the_host_passes_on() -> None:
    match = ask(table("abc"), 0, asks.Leave())
    assert names(match) == [None, "b", "c", None] and match.host == "b"
    match = ask(ask(match, 1, asks.Leave()), 2, asks.Leave())
    assert match.closed == "left", "with nobody left the room is over"


def test_tj_2_6_leaving_resets_the_series_also_for_one_who_comes_back() -> None:
    match = ask(playing(table()), 1, asks.Leave())
    assert match.seats[1].left and match.seats[1].autoplay
    back = settled(do(match, sit(match, Person("b", "b"))))
    assert back.reset and dealer_of(back, TIANJIN, 3) == 3
    assert not ask(playing(table()), 1, asks.Leave(), GUIZHOU).reset


def test_the_seat_is_kept_two_minutes_then_a_bot_or_the_end() -> None:
    match = settled(ask(playing(table()), 1, asks.Leave()))
    assert timers(match, TIANJIN)["kept:1"] == 120
    assert "kept:1" not in timers(ask(playing(table()), 1, asks.Leave()), TIANJIN)
    ended = do(match, expire(match, TIANJIN, "kept:1"))
    assert ended.phase == "ended" and ended.over is not None and ended.over.reason == "left"
    assert [row.total for row in ended.over.ranking] == [3, -1, -1, -1] and names(ended)[1] is None


def test_totals_are_never_inherited_and_a_returner_gets_his_own_back() -> None:
    match = settled(ask(playing(table(fill_with_bots=True)), 1, asks.Leave()))
    match = do(match, expire(match, TIANJIN, "kept:1"))
    assert names(match) == ["a", "bot", "c", "d"] and match.totals == (3, 0, -1, -1)
    assert [(p.user, p.total) for p in match.parted] == [("b", -1)]
    match = settled(evolve_match(match, me.MatchDealt(1, 2, 0)), nets=(0, 5, -5, 0))
    back = do(match, sit(match, Person("b", "b")))
    assert back.totals == (3, -1, -6, -1) and [(p.user, p.total) for p in back.parted] == [("", 5)]
    stranger = do(match, sit(match, Person("z", "z")))
    assert stranger.totals == (3, 0, -6, -1) and names(stranger)[1] == "z"
    assert sum(stranger.totals) + sum(p.total for p in stranger.parted) == 0


def test_a_former_holder_may_take_over_from_the_bot_in_the_middle_of_a_round() -> None:
    match = settled(ask(playing(table(fill_with_bots=True)), 1, asks.Leave()))
    match = do(match, expire(match, TIANJIN, "kept:1"))
    running = evolve_match(match, me.MatchDealt(1, 2, 0))
    assert running.bots_ever
    assert names(do(running, sit(running, Person("b", "b"))))[1] == "b"
    assert sit(running, Person("z", "z")) == Refused(ErrorCode.ROOM_FULL)


def test_when_everybody_has_left_the_room_closes() -> None:
    match = playing(table(fill_with_bots=True))
    for seat in range(4):
        match = ask(match, seat, asks.Leave())
    match = settled(match)
    for seat in range(4):
        match = do(match, expire(match, TIANJIN, f"kept:{seat}"))
    assert match.closed == "left" and match.over is not None


# Votes and pauses


def test_only_present_people_are_waited_for_in_a_vote() -> None:
    match = ask(ask(playing(table()), 3, asks.Leave()), 0, asks.Dissolve())
    match = ask(match, 1, asks.Vote(True))
    assert match.closed is None and refused(match, 1, asks.Vote(True)) == "not_now"
    assert ask(match, 2, asks.Vote(True)).closed == "voted"


def test_a_leaver_turns_his_missing_answer_into_a_yes() -> None:
    match = ask(playing(table("abcd")), 0, asks.Dissolve())
    for seat in (1, 2):
        match = ask(match, seat, asks.Vote(True))
    assert ask(match, 3, asks.Leave()).closed == "voted"


def test_silence_is_a_yes_when_the_minute_is_over() -> None:
    match = ask(playing(table()), 0, asks.Dissolve())
    assert timers(match, TIANJIN)["vote:1"] == 60
    assert do(match, expire(match, TIANJIN, "vote:1")).closed == "voted"
    assert not starts(changed(match, phase="between"))


def test_a_pause_needs_all_begins_before_the_next_deal_and_ends_by_anybody_or_after_ten_minutes() -> None:
    match = playing(table())
    for seat in range(3):
        match = ask(match, seat, asks.Pause())
    assert not settled(match).paused
    match = settled(ask(match, 3, asks.Pause()))
    assert match.paused and timers(match, TIANJIN) == {"pause": 600.0}
    assert not starts(ready(match, 0, 1, 2, 3))
    assert starts(ready(ask(match, 2, asks.Unpause()), 0, 1, 2, 3))
    assert not do(match, expire(match, TIANJIN, "pause")).paused
    lapsed = playing(ask(between(table()), 0, asks.Pause()))
    assert lapsed.pause_asked == (False,) * 4


def test_a_pause_asked_by_all_between_rounds_begins_at_once_and_bots_do_not_count() -> None:
    match = between(do(table("ab"), fill(table("ab"))))
    match = ask(ask(match, 0, asks.Pause()), 1, asks.Pause())
    assert match.paused


# Dealers, pages, order


@pytest.mark.parametrize(("circle", "host", "expected"), [(None, "c", 2), ("k", "c", 1), (None, "z", 1)])
def test_gz_2_1_and_2_2_the_owner_deals_in_a_circle_the_first_to_enter(
    circle: str | None, host: str, expected: int
) -> None:
    match = table("", circle=circle, host=host)
    for name, seat in (("b", 1), ("c", 2), ("d", 3), ("a", 0)):
        match = do(match, reserve(match, Person(name, name), seat, 5))
    assert dealer_of(match, GUIZHOU, 3) == expected


def test_the_next_dealer_is_the_rounds_word() -> None:
    assert dealer_of(between(table(), dealer=2), GUIZHOU, 0) == 2
    assert dealer_of(table(), TIANJIN, 3) == 3


def test_tj_2_9_the_match_ends_after_its_rounds_and_void_ones_do_not_count() -> None:
    match = between(table(), rounds=2)
    void = next_page(playing(match), "void", (0, 0, 0, 0), 0, (), 2, "s", "c")
    assert void.phase == "between" and void.played == 1 and void.round_no == 3
    last = next_page(playing(match), "exhausted", (-3, 1, 1, 1), 0, (), 2, "s", "c")
    assert last.phase == "ended" and last.over is not None and last.over.told
    assert [(row.user, row.total, row.rank) for row in last.over.ranking] == [
        ("a", 0, 1), ("b", 0, 1), ("c", 0, 1), ("d", 0, 1),
    ]  # fmt: skip


def test_ts_13_3_equal_totals_share_a_rank() -> None:
    match = changed(table(), totals=(5, -3, 5, -7))
    assert [(row.seat, row.rank) for row in rank(match)] == [(0, 1), (2, 1), (1, 3), (3, 4)]


def test_a_match_of_bots_alone_is_not_played_again_and_again() -> None:
    match = do(table(""), fill(table("")))
    assert starts(match)
    over = next_page(playing(match), "won", (3, -1, -1, -1), 0, (), 1, "s", "c")
    assert over.closed == "finished" and not starts(changed(over, phase="ended", closed=None))


def test_a_rematch_needs_a_new_yes_from_everybody() -> None:
    over = between(ready(table(), 0, 1, 2, 3), rounds=1)
    assert over.phase == "ended" and not starts(over) and timers(over, TIANJIN) == {"rematch": 600.0}
    assert starts(ready(over, 0, 1, 2, 3))
    assert sit(ask(over, 3, asks.Leave()), Person("z", "z")) != Refused(ErrorCode.ROOM_FULL)


# Plain forms


EXAMPLES: dict[str, Any] = {
    "seat": 1, "to": 2, "user": "u", "name": "n", "avatar": "", "reset": True, "entropy": "e", "on": True, "yes": False,
    "passed": True, "at_ms": 5, "match_no": 2, "series": 3, "dealer": 1, "reason": "why", "note": "spam", "turn": False,
    "ranking": (Rank(0, "u", "n", 5, 1),), "kicked": True, "marks": ("a1",),
    "bot_account": True,
}  # fmt: skip


@pytest.mark.parametrize("cls", typing.get_args(me.MatchEvent))
def test_every_match_event_has_a_plain_form_and_a_fold(cls: Any) -> None:
    event = cls(**{name: EXAMPLES[name] for name in cls.__struct_fields__})
    raw = msgspec.json.encode(event)
    assert msgspec.json.decode(raw)["type"].startswith("match_")
    assert msgspec.json.decode(raw, type=me.MatchEvent) == event
    assert cls in _EVOLVE


def test_bots_hold_no_person() -> None:
    assert not BOT.empty and not BOT.present and BOT.ready
