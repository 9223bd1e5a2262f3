"""Whole random rounds through the real machine: what must hold after every entry (P9, TJ-4.13, kernel laws)."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

from app.bots import Effort, choose
from app.kernel import events as ev
from app.kernel.errors import Rejection
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.play.shuffle import deal
from app.kernel.seats import SPECTATOR
from app.kernel.shapes.counts import size, tiles_of
from app.kernel.table import TableState
from app.kernel.tiles import KINDS
from app.kernel.variant import Setup
from app.kernel.views import fold, project, view
from app.variants.tianjin import VARIANT
from app.variants.tianjin.state import TianjinState
from tests.variants.tianjin.deal import undrawn

VIEWERS = (0, 1, 2, 3, SPECTATOR)


def _setup(seed: int, rules: Mapping[str, object]) -> Setup:
    text = f"{seed:08x}"
    chance = deal(text, ("", "", "", ""), KINDS, 4, 4)
    return Setup(
        VARIANT.parse_rules(rules), 4, chance.random_seat, chance.wall, chance.dice, 0, "c", text, ("", "", "", "")
    )


def _random_command(rng: random.Random, state: TianjinState, open_: tuple[Decision, ...]) -> Command:
    decision = rng.choice(open_)
    if decision.seat is None or rng.random() < 0.1:
        return TimeOut(decision.id)
    return Act(decision.seat, decision.id, rng.choice(decision.options))


def _keen_command(rng: random.Random, state: TianjinState, open_: tuple[Decision, ...]) -> Command:
    """A bot's action, now and then a random one."""
    decision = rng.choice(open_)
    if decision.seat is None:
        return TimeOut(decision.id)
    effort: Effort = "random" if rng.random() < 0.03 else "easy"
    own = view(state.table, decision.seat)
    return Act(decision.seat, decision.id, choose(VARIANT, own, decision.seat, decision, rng.getrandbits(32), effort))


def _check(state: TianjinState) -> None:
    table = state.table
    if not table.shown.flips:
        return
    tiles = Counter(undrawn(state.wall))
    tiles[table.shown.flips[0].tile] += 1
    wilds = table.mark("wilds")
    assert isinstance(wilds, tuple)
    for seat in table.seats:
        assert seat.hand is not None and size(seat.hand) == seat.count
        tiles.update((*tiles_of(seat.hand), *seat.row, *(tile for meld in seat.melds for tile in meld.tiles)))
        for meld in seat.melds:
            assert len(set(meld.tiles)) == 1 and meld.tiles[0] != wilds[0]
            assert (meld.kind == "kong_gold") == (meld.tiles[0] == wilds[1])
    assert all(tiles[kind] == 4 for kind in KINDS) and sum(tiles.values()) == 136
    sizes = sorted(seat.count + 3 * len(seat.melds) for seat in table.seats)
    assert sizes in ([13, 13, 13, 13], [13, 13, 13, 14])
    assert sum(table.points) == 0 and len([d for d in VARIANT.decisions(state) if d.clock == "claim"]) <= 1


def _play(setup: Setup, rng: random.Random, keen: bool) -> TianjinState:
    step = VARIANT.start(setup)
    state, log = step.state, list(step.events)
    views: list[TableState | None] = [None] * len(VIEWERS)
    while True:
        for place, viewer in enumerate(VIEWERS):
            for event in step.events:
                face = project(event, viewer)
                if face is not None:
                    views[place] = fold(views[place], face)
            assert views[place] == view(state.table, viewer)
        _check(state)
        open_ = VARIANT.decisions(state)
        if not open_:
            break
        command = (_keen_command if keen else _random_command)(rng, state, open_)
        taken = VARIANT.decide(state, open_, command)
        assert not isinstance(taken, Rejection)
        step = taken
        folded: TianjinState = state
        for event in step.events:
            folded = VARIANT.evolve(folded, event)
        assert folded == step.state
        assert VARIANT.decide(state, open_, command) == step
        state = step.state
        log += step.events
    _check_end(state, log)
    return state


def _check_end(state: TianjinState, log: list[ev.Event]) -> None:
    again: TianjinState | None = None
    for event in log:
        again = VARIANT.evolve(again, event)
    assert again == state
    ended, cap = state.table.ending.ended, state.rules.cap
    assert ended is not None and ended.wall == state.wall.tiles
    assert cap == 0 or all(abs(points) <= cap for points in state.table.points)
    m = state.secret.m
    draws = Counter(event.end for event in log if isinstance(event, ev.TileDrawn))
    if ended.outcome == "exhausted":
        assert state.table.left == 0
        if draws["tail"] <= 2 * m - 1:
            assert draws["head"] == 83 - 2 * m
        else:
            assert draws["head"] + draws["tail"] == 82
    assert VARIANT.facts(state).round["dealer"] == state.table.facts.dealer


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_random_rounds_keep_every_law_and_always_end(start: int) -> None:
    """P9: conservation, one claimant, zero-sum, no meld of the indicator kind, front and tail draws as TJ-4.13 says."""
    for seed in range(start, start + 20):
        rng = random.Random(seed)
        bloom = rng.random() < 0.5
        rules = {"base": rng.choice((1, 5)), "cap": rng.choice((0, 3, 1000)), "kong_bloom_plain": bloom}
        _play(_setup(seed, rules), rng, keen=False)


def test_rounds_of_keen_players_are_mostly_won() -> None:
    """The same laws where hands are finished; TJ-9.1: the winner's drawn tile completes their hand."""
    outcomes: Counter[str] = Counter()
    for seed in range(24):
        state = _play(_setup(seed, {}), random.Random(seed), keen=True)
        assert state.table.ending.ended is not None
        outcomes[state.table.ending.ended.outcome] += 1
    assert outcomes["won"] > 12
