"""Random bots at two, three and four seats: the laws hold after every entry, and the rare things do happen.

`BOT_ROUNDS` in the environment sets the number of rounds (default 60).
"""

import os
import random
from collections import Counter

from app.kernel import events as ev
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.seats import SPECTATOR
from app.kernel.table import TableState
from app.kernel.tiles import KINDS
from app.kernel.variant import Step
from app.kernel.views import fold, project, view
from app.variants.tangshan import VARIANT
from app.variants.tangshan.state import TangshanState
from tests.variants.tangshan.deal import check_sound, setup_for

ROUNDS = int(os.environ.get("BOT_ROUNDS", "60"))
LIMIT = 2000
"""More steps than any round can have."""


def choose(rng: random.Random, open_: tuple[Decision, ...], eager: float) -> Command:
    """Any open decision, any option of it; eager bots prefer any option that is neither a discard nor a pass."""
    decision = rng.choice(open_)
    if decision.seat is None or rng.random() < 0.1:
        return TimeOut(decision.id)
    deeds = [option for option in decision.options if option.verb not in ("discard", "pass")]
    return Act(decision.seat, decision.id, rng.choice(deeds if deeds and rng.random() < eager else decision.options))


def first_step(rng: random.Random) -> Step[TangshanState]:
    """A shuffled round of random size and options."""
    players = rng.choice((2, 3, 4))
    wall = [kind for kind in KINDS for _ in range(4)]
    rng.shuffle(wall)
    rules: dict[str, object] = {"scoring": rng.choice(("high", "low")), "rob_xi": rng.random() < 0.6}
    return VARIANT.start(setup_for(players, rng.randrange(players), rules=rules, wall=tuple(wall)))


class Watched:
    """A round under all laws that one round can show."""

    def __init__(self, step: Step[TangshanState]) -> None:
        self.state = step.state
        players = step.state.rules.players
        self.views: dict[int, TableState | None] = dict.fromkeys((*range(players), SPECTATOR))
        folded = None
        for event in step.events:
            folded = VARIANT.evolve(folded, event)
        assert folded == step.state
        self.see(step)

    def see(self, step: Step[TangshanState]) -> None:
        """Fold = live for the table and for every viewer's view; the table is sound; entries end as they must."""
        for viewer in self.views:
            for event in step.events:
                face = project(event, viewer)
                if face is not None:
                    self.views[viewer] = fold(self.views[viewer], face)
            assert self.views[viewer] == view(step.state.table, viewer)
        check_sound(step.state)
        for place, event in enumerate(step.events):
            if isinstance(event, ev.TileDiscarded | ev.TileLaid):
                assert all(isinstance(later, ev.Marked) for later in step.events[place + 1 :])

    def play(self, command: Command, open_: tuple[Decision, ...]) -> Step[TangshanState]:
        """One command; deciding again gives the same, folding its events gives its state."""
        step = VARIANT.decide(self.state, open_, command)
        assert isinstance(step, Step)
        assert VARIANT.decide(self.state, open_, command) == step
        folded = self.state
        for event in step.events:
            folded = VARIANT.evolve(folded, event)
        assert folded == step.state
        self.see(step)
        self.state = step.state
        return step


def seen_in(step: Step[TangshanState]) -> list[str]:
    """The facts of an entry for the count of rare events."""
    names: list[str] = []
    for event in step.events:
        match event:
            case ev.MeldMade(kind=kind) | ev.MeldExtended(kind=kind):
                names.append(kind)
            case ev.TileRobbed(use=use):
                names.append(f"robbed for {use}")
            case ev.Marked(value=value):
                names.append("lock ended" if value is None else "locked")
            case ev.Won(reading=reading):
                names.append(reading.patterns[0][0])
            case ev.RoundEnded(outcome=outcome):
                names.append(outcome)
    return names


def test_random_rounds_keep_every_law_and_always_end() -> None:
    """TS-2.4, TS-2.5, TS-11.1: fold, re-decide, views, conservation, hand sizes, zero sum, liveness."""
    seen: Counter[str] = Counter()
    for seed in range(ROUNDS):
        rng = random.Random(seed)
        eager = rng.choice((0.2, 0.5, 0.9))
        step = first_step(rng)
        watched = Watched(step)
        for _ in range(LIMIT):
            open_ = VARIANT.decisions(watched.state)
            if not open_:
                break
            seen.update(seen_in(watched.play(choose(rng, open_, eager), open_)))
        assert watched.state.table.ending.ended is not None
        assert VARIANT.facts(watched.state).round["outcome"] in ("won", "exhausted")
    for kind in ("pong", "chow", "pair_claim", "cover", "kong_exposed", "kong_concealed", "ones", "winds", "exhausted"):
        assert seen[kind], f"{kind} never happened in {ROUNDS} rounds"


def test_silent_players_always_reach_an_end() -> None:
    """With every clock running out the round is exhausted, nothing is laid and nothing moves (TS-15.3)."""
    for seed in range(5):
        step = first_step(random.Random(seed))
        state = step.state
        while open_ := VARIANT.decisions(state):
            following = VARIANT.decide(state, open_, TimeOut(open_[0].id))
            assert isinstance(following, Step)
            state = following.state
        assert state.table.ending.ended is not None and state.table.ending.ended.outcome == "exhausted"
        assert state.table.lines == () and all(seat.melds == () for seat in state.table.seats)


def test_autoplayed_seats_always_reach_an_end() -> None:
    """TS-15.3, TS-13.4: autoplay answers like silence, but takes a win it is offered."""
    for seed in range(5):
        state = first_step(random.Random(seed)).state
        while open_ := VARIANT.decisions(state):
            asked = open_[0]
            command: Command = TimeOut(asked.id)
            if asked.seat is not None and asked.on_autoplay is not None:
                command = Act(asked.seat, asked.id, asked.on_autoplay)
            following = VARIANT.decide(state, open_, command)
            assert isinstance(following, Step)
            state = following.state
        assert state.table.phase == "over"
