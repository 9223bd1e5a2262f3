"""Whole rounds by careless players, any house rules, 2–4 seats: what must hold after every entry.

Set MJ_GUIZHOU_ROUNDS to play more than the default.
"""

import json
import os
from collections import Counter
from random import Random

import pytest

from app.kernel.errors import Rejection
from app.kernel.events import Event, MeldExtended, MeldMade, TileDiscarded, TileLaid
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.play.shuffle import deal
from app.kernel.shapes.counts import size, tiles_of
from app.kernel.tiles import COPIES
from app.kernel.variant import Setup, Step
from app.variants.guizhou import VARIANT
from app.variants.guizhou.state import GuizhouState
from tests.variants.guizhou import oracle
from tests.variants.guizhou.positions import random_rules
from tests.variants.guizhou.retelling import retell

ROUNDS = int(os.environ.get("MJ_GUIZHOU_ROUNDS", "120"))


def start(rng: Random, players: int) -> Step[GuizhouState]:
    """A fair deal with random house rules."""
    seed = rng.randbytes(8).hex()
    dealt = deal(seed, [""] * players, VARIANT.meta.kinds, 0, players)
    rules = VARIANT.parse_rules({**random_rules(rng), "players": players})
    at_ms = rng.randrange(2 * 10**12)
    return VARIANT.start(
        Setup(rules, players, rng.randrange(players), dealt.wall, (), at_ms, "-", seed, ("",) * players)
    )


def careless(rng: Random, open_: tuple[Decision, ...]) -> Command:
    """Any open decision: a clock runs out, or an option is taken, melds, wins and declarations somewhat oftener."""
    decision = rng.choice(open_)
    if decision.seat is None or rng.random() < 0.05:
        return TimeOut(decision.id)
    rare = [option for option in decision.options if option.verb not in ("discard", "pass") or option.choice]
    return Act(decision.seat, decision.id, rng.choice(rare if rare and rng.random() < 0.7 else decision.options))


def check(before: GuizhouState, command: Command, step: Step[GuizhouState]) -> None:
    """Fold and re-decide give the same; tiles, hand sizes and the entry's shape are right."""
    folded = before
    for event in step.events:
        folded = VARIANT.evolve(folded, event)
    assert folded == step.state
    assert VARIANT.decide(before, VARIANT.decisions(before), command) == step
    for place, event in enumerate(step.events):
        if isinstance(event, TileDiscarded | TileLaid):
            assert place == len(step.events) - 1
    check_tiles(step.state)


def check_tiles(state: GuizhouState) -> None:
    """Each of the 72 tiles is in exactly one place, and every hand has its size."""
    table = state.table
    places = Counter(state.wall[len(state.wall) - table.left :])
    for seat, own in enumerate(table.seats):
        assert own.hand is not None
        places.update([*tiles_of(own.hand), *own.row, *[tile for meld in own.melds for tile in meld.tiles]])
        assert own.count == size(own.hand)
        tiles = own.count + 3 * len(own.melds)
        assert tiles == 13 or (tiles == 14 and table.turn == seat)
    places.update([flip.tile for flip in table.shown.flips])
    if table.laid is not None:
        places[table.laid.tile] += 1
    assert places == dict.fromkeys(VARIANT.meta.kinds, COPIES)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_law_holds_after_every_entry_and_the_round_ends(players: int) -> None:
    """GZ-1.1, GZ-17.1: fold, re-decide, conservation, an end within few steps, and the points the oracle gives."""
    rng = Random(players)
    outcomes: Counter[str] = Counter()
    for _ in range(ROUNDS // 3):
        step = start(rng, players)
        events: list[Event] = list(step.events)
        for _ in range(600):
            open_ = VARIANT.decisions(step.state)
            if not open_:
                break
            command = careless(rng, open_)
            taken = VARIANT.decide(step.state, open_, command)
            assert not isinstance(taken, Rejection)
            check(step.state, command, taken)
            step = taken
            events += step.events
        ended = step.state.table.ending.ended
        assert ended is not None, "the round does not end"
        outcomes[ended.outcome] += 1
        assert sum(step.state.table.points) == 0
        told = oracle.settle(retell(events))
        assert list(step.state.table.points) == told["net"], events
        assert ended.next_dealer == told["next_dealer"]
        assert [waits is not None for waits in step.state.table.ending.waits] == told["ready"]
        facts = json.loads(json.dumps(VARIANT.facts(step.state).plain()))
        assert facts["dealer"] == step.state.table.facts.dealer
        seats = step.state.table.facts.players
        lists = {name for name, value in facts.items() if isinstance(value, list) and len(value) == seats}
        assert lists <= {"declared_ready", "ready"}, "the archive reads a list of this length as one value per seat"
        kinds = {event.kind for event in events if isinstance(event, MeldMade | MeldExtended)}
        outcomes.update(kinds)
    assert {"won", "exhausted", "pong", "kong_late"} <= set(outcomes)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_silence_plays_a_round_to_its_end_and_never_wins(players: int) -> None:
    """GZ-20.2: every clock runs out."""
    rng = Random(players)
    for _ in range(5):
        state = start(rng, players).state
        while open_ := VARIANT.decisions(state):
            taken = VARIANT.decide(state, open_, TimeOut(open_[0].id))
            assert not isinstance(taken, Rejection)
            state = taken.state
        assert state.table.ending.ended is not None
        assert state.table.ending.ended.outcome == "exhausted"
        assert all(not seat.melds for seat in state.table.seats)
