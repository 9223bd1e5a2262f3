"""The laws of play, over every variant, table size and random room options; see also `test_secrecy.py`.

Fold = live · re-decide · view law · conservation · zero sum · liveness · membership · entry shape · round trip.
"""

import json
import random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.kernel import events as ev
from app.kernel.actions import VERB_ORDER, action
from app.kernel.errors import Rejection
from app.kernel.ledger import net
from app.kernel.play.commands import Abort, Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.seats import EVERYTHING
from app.kernel.table import TableState
from app.kernel.text.notation import plain_command, plain_event, read_command, read_event
from app.lab.laws.invariants import (
    again_law,
    conservation_law,
    first_violation,
    fold_law,
    hand_size_law,
    shape_law,
    view_law,
    zero_law,
)
from tests.laws.driving import (
    GAMES,
    SCALE,
    TABLES,
    Chooser,
    Entry,
    autoplay_only,
    play,
    random_command,
    random_setup,
    rounds,
    timeouts_only,
    wild_command,
)

tables = pytest.mark.parametrize(("slug", "players"), TABLES)
HEALTH = list(HealthCheck)
PHASES = (Phase.generate,) if SCALE == 1 else (Phase.generate, Phase.shrink)
"""A long run also looks for the shortest example of what it finds."""
MIXED: tuple[Chooser, ...] = (random_command, wild_command, autoplay_only)


def _mixed_rounds(slug: str, players: int, number: int, salt: str) -> list[list[Entry]]:
    return [
        trace
        for place, choose in enumerate(MIXED)
        for trace in rounds(slug, players, number if place == 0 else max(1, number // 3), f"{salt}{place}", choose)
    ]


@tables
def test_folding_the_events_gives_the_state_that_was_played(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 6, "fold"):
        assert fold_law(GAMES[slug], trace) is None


@tables
def test_every_command_decided_again_gives_the_same_step(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 4, "again"):
        assert again_law(GAMES[slug], trace) is None


@tables
def test_every_viewer_can_fold_what_he_is_sent_into_what_he_may_see(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 6, "view"):
        assert view_law(trace, players) is None


@tables
def test_each_tile_is_in_exactly_one_place(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 6, "tiles"):
        assert conservation_law(GAMES[slug], trace) is None
        start, end = trace[0].step.events[0], trace[-1].step.events[-1]
        assert isinstance(start, ev.RoundStarted) and isinstance(end, ev.RoundEnded) and end.wall == start.wall


@tables
def test_every_hand_has_its_size(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 6, "size"):
        assert hand_size_law(trace) is None


@tables
@settings(
    max_examples=5 * SCALE, deadline=None, derandomize=True, database=None, phases=PHASES, suppress_health_check=HEALTH
)
@given(seed=st.integers(0, 2**32), words=st.lists(st.integers(0, 255), max_size=150))
def test_the_laws_hold_whatever_is_chosen(slug: str, players: int, seed: int, words: list[int]) -> None:
    """Hypothesis chooses deal, options and every answer; after its last word everybody is on autoplay."""
    game, left = GAMES[slug], iter(words)

    def choose(rng: random.Random, open_: tuple[Decision, ...]) -> Command:
        word = next(left, None)
        return autoplay_only(rng, open_) if word is None else random_command(random.Random(word), open_)

    rng = random.Random(seed)
    trace = play(game, random_setup(game, players, rng), rng, choose)
    assert first_violation(game, trace, players) is None
    assert again_law(game, trace) is None


@tables
def test_points_come_from_somebody_and_name_a_reason_people_know(slug: str, players: int) -> None:
    meta = GAMES[slug].meta
    for trace in _mixed_rounds(slug, players, 8, "points"):
        assert zero_law(trace) is None
        for entry in trace:
            for event in entry.step.events:
                if isinstance(event, ev.PointsMoved):
                    assert event.lines, "a move of no points"
                    for line in event.lines:
                        assert line.points > 0 and line.source != line.target and line.clause
                        assert 0 <= line.source < players and 0 <= line.target < players
                        assert line.reason in meta.reason_names, line.reason
                        for token, _ in line.detail:
                            assert token in meta.pattern_names or token in meta.reason_names or token in meta.kinds
        booked = [line for e in trace for event in e.step.events for line in getattr(event, "lines", ())]
        assert net(booked, players) == trace[-1].step.state.table.points


@tables
@pytest.mark.parametrize("choose", [timeouts_only, autoplay_only, wild_command])
def test_a_round_always_ends_however_it_is_played(slug: str, players: int, choose: Chooser) -> None:
    """`play` fails when the round takes too many entries."""
    for trace in rounds(slug, players, 3, f"ends {choose.__name__}", choose):
        end = trace[-1].step.events[-1]
        assert isinstance(end, ev.RoundEnded) and trace[-1].step.state.table.phase == "over"
        assert end.outcome in ("won", "exhausted") and bool(end.winners) == (end.outcome == "won")
        assert 0 <= end.next_dealer < players


@tables
def test_silence_never_wins_and_autoplay_always_takes_a_win(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 6, "silence"):
        for entry in trace:
            for decision in entry.open:
                if decision.seat is None:
                    assert decision.options == () and decision.on_timeout is None and decision.on_autoplay is None
                    continue
                assert decision.on_timeout in decision.options and decision.on_autoplay in decision.options
                assert decision.on_timeout is not None and decision.on_autoplay is not None
                assert decision.on_timeout.verb not in ("win", "kong", "extend", "pong", "chow", "light", "cover")
                can_win = any(option.verb == "win" for option in decision.options)
                assert (decision.on_autoplay.verb == "win") == can_win
                if not can_win:
                    assert decision.on_autoplay == decision.on_timeout


@tables
def test_options_stand_in_the_fixed_order_and_ids_say_tick_and_seat_only(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 6, "order"):
        for entry in trace[1:]:
            tick = entry.before.table.tick
            assert [d.id for d in entry.open] == [f"{tick}.{'hold' if d.seat is None else d.seat}" for d in entry.open]
            assert len({decision.seat for decision in entry.open}) == len(entry.open)
            for decision in entry.open:
                places = [VERB_ORDER.index(option.verb) for option in decision.options]
                assert places == sorted(places) and len(set(decision.options)) == len(places)


@tables
def test_offered_means_accepted_and_not_offered_means_refused(slug: str, players: int) -> None:
    game, rng = GAMES[slug], random.Random(f"{slug}{players}")
    for trace in _mixed_rounds(slug, players, 3, "offers"):
        for entry in rng.sample(trace[1:], min(12, len(trace) - 1)):
            _membership(game, entry, players, rng)
        over = trace[-1].step.state
        assert game.decide(over, (), Act(0, "1.0", action("pass"))) == Rejection("round_over")
        assert game.decide(over, (), Abort("late")) == Rejection("round_over")


def _membership(game, entry: Entry, players: int, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    state, open_ = entry.before, entry.open
    for decision in open_:
        assert not isinstance(game.decide(state, open_, TimeOut(decision.id)), Rejection)
        for option in decision.options:
            assert not isinstance(game.decide(state, open_, Act(decision.seat, decision.id, option)), Rejection)
        if decision.seat is None:
            continue
        for foreign in (action("discard", "1m"), action("discard", "5s"), action("win"), action("pong", "1s")):
            if foreign not in decision.options:
                refused = game.decide(state, open_, Act(decision.seat, decision.id, foreign))
                assert refused == Rejection("not_offered")
        other = (decision.seat + 1) % players
        refused = game.decide(state, open_, Act(other, decision.id, decision.options[0]))
        assert refused == Rejection("closed"), "who else is asked is nobody's business (S1)"
        stale = f"{state.table.tick - 1}.{decision.seat}"
        assert game.decide(state, open_, Act(decision.seat, stale, decision.options[0])) == Rejection("closed")
        assert game.decide(state, open_, TimeOut(stale)) == Rejection("closed")


@tables
def test_a_discard_or_a_laid_tile_ends_its_entry(slug: str, players: int) -> None:
    """A `Marked` may follow.

    The window after it stands in the next entries, with a hold, whether or not a seat can claim.
    """
    for trace in _mixed_rounds(slug, players, 5, "shape"):
        assert shape_law(trace) is None


@tables
def test_a_void_round_leaves_nothing(slug: str, players: int) -> None:
    game = GAMES[slug]
    for number in range(3 * SCALE):
        rng = random.Random(f"void/{slug}/{players}/{number}")
        trace = play(game, random_setup(game, players, rng), rng, wild_command)
        for entry in rng.sample(trace[1:], min(5, len(trace) - 1)):
            step = game.decide(entry.before, entry.open, Abort("vote"))
            assert not isinstance(step, Rejection)
            end = step.events[-1]
            assert isinstance(end, ev.RoundEnded) and end.outcome == "void" and end.winners == ()
            assert set(step.state.table.points) == {0} and game.decisions(step.state) == ()
            assert end.next_dealer == step.state.table.facts.dealer


@tables
def test_entries_survive_log_and_record(slug: str, players: int) -> None:
    for trace in _mixed_rounds(slug, players, 4, "json"):
        for entry in trace:
            for event in entry.step.events:
                assert read_event(json.loads(json.dumps(plain_event(event)))) == event
            if entry.command is not None:
                assert read_command(json.loads(json.dumps(plain_command(entry.command)))) == entry.command


@tables
def test_rules_round_trip_and_facts_and_hints_are_plain(slug: str, players: int) -> None:
    game = GAMES[slug]
    for trace in rounds(slug, players, 4, "facts"):
        table: TableState = trace[-1].step.state.table
        rules = dict(table.facts.rules)
        assert table.facts.variant == slug and table.facts.rules_version == game.meta.rules_version
        assert dict(game.start(_same_setup(trace, game)).state.table.facts.rules) == rules
        json.dumps(game.facts(trace[-1].step.state).plain())
        middle = trace[len(trace) // 2].step.state.table
        for seat in range(players):
            for hint in game.advise(middle, seat):
                assert all(wait.left >= 0 for wait in hint.waits)


def _same_setup(trace: list[Entry], game):  # type: ignore[no-untyped-def]
    from app.kernel.variant import Setup

    e = trace[0].step.events[0]
    assert isinstance(e, ev.RoundStarted)
    return Setup(
        game.parse_rules(dict(e.rules)), e.players, e.dealer, e.wall or (), e.dice or (), e.dealt_at_ms, e.commitment,
        e.seed or "", e.contributions,
    )  # fmt: skip


def test_everything_sees_everything() -> None:
    from app.kernel.views import project

    for trace in rounds("toy", 3, 1, "all"):
        for entry in trace:
            assert all(project(event, EVERYTHING) is event for event in entry.step.events)
