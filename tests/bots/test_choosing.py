"""Bots play with sense: they win when they can, keep wilds, see no more than their seat, and finish their rounds."""

import random
from collections import Counter
from typing import Any

import pytest

from app.bots import EFFORTS, Effort, choose
from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, action
from app.kernel.play.commands import Act
from app.kernel.play.decisions import Decision, hold
from app.kernel.views import view
from app.variants import VARIANTS
from tests.bots.tables import bot_round
from tests.laws.driving import GAMES, TABLES, random_setup
from tests.laws.seeing import prompt, redealt
from tests.laws.toy import TOY, setup_of

tables = pytest.mark.parametrize(("slug", "players"), TABLES)
ALL: tuple[Effort, ...] = ("normal", "easy", "normal", "easy")


def _rounds(slug: str, players: int, number: int, efforts: tuple[Effort, ...] = ALL) -> list[list[Any]]:
    game = GAMES[slug]
    found = []
    for index in range(number):
        rng = random.Random(f"bots/{slug}/{players}/{index}")
        found.append(bot_round(game, players, rng, efforts))
    return found


@tables
def test_bots_of_every_effort_finish_their_rounds(slug: str, players: int) -> None:
    for effort in EFFORTS:
        for trace in _rounds(slug, players, 2, (effort,) * 4):
            assert isinstance(trace[-1].step.events[-1], ev.RoundEnded)


@tables
def test_a_bot_takes_every_win_it_is_offered(slug: str, players: int) -> None:
    offered = 0
    for trace in _rounds(slug, players, 8):
        for entry in trace[1:]:
            if isinstance(entry.command, Act):
                decision = next(d for d in entry.open if d.id == entry.command.decision_id)
                if WIN in decision.options:
                    offered += 1
                    assert entry.command.action == WIN
    assert offered > 0


@tables
def test_a_bot_chooses_by_what_its_seat_sees_and_by_nothing_else(slug: str, players: int) -> None:
    """All that is hidden from the seat may be otherwise: the same choice."""
    game, rng, asked = GAMES[slug], random.Random(f"blind/{slug}/{players}"), 0
    for trace in _rounds(slug, players, 3):
        for entry in trace[1:]:
            for decision in entry.open:
                seat = decision.seat
                if seat is None or len(decision.options) == 1:
                    continue
                asked += 1
                here = choose(game, view(entry.before.table, seat), seat, decision, 7)
                other = redealt(entry.before, seat, game.meta.kinds, rng)
                (same,) = prompt(game.decisions(other), seat)
                assert choose(game, view(other.table, seat), seat, same, 7) == here
    assert asked > 10


def test_four_bots_win_at_least_half_of_their_tianjin_rounds() -> None:
    """The whole point of 混儿: with seven of them about, most rounds end with a win."""
    outcomes = Counter([t[-1].step.events[-1].outcome for t in _rounds("tianjin", 4, 60, ("normal",) * 4)])
    assert outcomes["won"] >= 30, outcomes


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_sense_beats_chance(slug: str) -> None:
    """Seats 0 and 2 play with sense, the others at random: the winners sit there."""
    players = max(VARIANTS[slug].meta.players)
    wins = Counter[int]()
    for trace in _rounds(slug, players, 25, ("normal", "random", "normal", "random")):
        wins.update(trace[-1].step.events[-1].winners)
    assert wins[0] + wins[2] > 4 * (wins[1] + wins[3]), wins


def test_no_bot_throws_a_wild_while_it_holds_anything_else() -> None:
    for trace in _rounds("tianjin", 4, 20):
        for entry in trace[1:]:
            if isinstance(entry.command, Act) and entry.command.action.verb == "discard":
                marked = entry.before.table.mark("wilds")
                options = next(d for d in entry.open if d.id == entry.command.decision_id).options
                plain = [o for o in options if o.verb == "discard" and o.tiles[0] not in marked]
                assert entry.command.action.tiles[0] not in marked or not plain


def test_the_same_view_and_number_give_the_same_choice() -> None:
    rng = random.Random(1)
    game = VARIANTS["guizhou"]
    state = game.start(random_setup(game, 4, rng)).state
    (decision,) = game.decisions(state)
    assert decision.seat is not None
    own = view(state.table, decision.seat)
    for effort in EFFORTS:
        for word in (0, 1, 2**64 - 1):
            chosen = choose(game, own, decision.seat, decision, word, effort)
            assert chosen in decision.options
            assert chosen is choose(game, own, decision.seat, decision, word, effort)


def test_chance_reaches_every_option_of_a_random_bot() -> None:
    state = TOY.start(setup_of(("1s1s1s2s2s3s3s4s", "5s5s5s6s6s7s7s"), "9s9s9s9s8s8s8s8s")).state
    (decision,) = TOY.decisions(state)
    found = {choose(TOY, view(state.table, 0), 0, decision, word, "random") for word in range(len(decision.options))}
    assert found == set(decision.options)


def test_doublings_asked_for_in_secret_are_sometimes_taken() -> None:
    options = tuple([action("pull", choice=times) for times in (0, 1, 2)])
    decision = Decision("2.1", 1, "answer", options, options[0], options[0])
    state = TOY.start(setup_of(("1s1s1s2s2s3s3s4s", "5s5s5s6s6s7s7s"), "9s9s9s9s8s8s8s8s")).state
    chosen = Counter([choose(TOY, view(state.table, 1), 1, decision, word).choice for word in range(240)])
    assert set(chosen) == {0, 1, 2} and chosen[0] > 150


def test_somebody_elses_view_or_question_is_an_error() -> None:
    state = TOY.start(setup_of(("1s1s1s2s2s3s9s4s", "5s5s5s6s6s7s7s"), "9s9s9s3s8s8s8s8s")).state
    (decision,) = TOY.decisions(state)
    with pytest.raises(TypeError, match="seat 0"):
        choose(TOY, view(state.table, 1), 0, decision, 0)
    with pytest.raises(ValueError, match="seat 1"):
        choose(TOY, view(state.table, 1), 1, decision, 0)
    with pytest.raises(ValueError, match="hold"):
        choose(TOY, view(state.table, 1), 1, hold(5), 0)


def test_a_pong_that_brings_nothing_nearer_is_passed() -> None:
    """4s4s stands in 3s4s5s and 4s5s6s: taking a third 4s would break both runs."""
    state = TOY.start(setup_of(("4s1s1s2s2s9s9s5z", "3s4s4s5s5s6s7z"), "9s9s8s8s8s8s7s7s")).state
    (decision,) = TOY.decisions(state)
    step = TOY.decide(state, (decision,), Act(0, decision.id, action("discard", "4s")))
    asked = TOY.decisions(step.state)[0]  # type: ignore[union-attr]
    assert asked.seat == 1 and action("pong", "4s") in asked.options
    assert choose(TOY, view(step.state.table, 1), 1, asked, 0) == PASS  # type: ignore[union-attr]
