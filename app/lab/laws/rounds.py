"""Rounds played in this process without clock or sockets: fair setups with any room options, and the trace they leave.

What `mj soak`, `mj bench engine`, `mj golden` and the law tests share. No judgement of the play: see
`invariants.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from app.bots import Effort, choose
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.play.shuffle import commitment, deal
from app.kernel.variant import Option, Setup, Step, Variant
from app.kernel.views import view

STEP_LIMIT: Final = 2_000
"""No round may take more entries than this, however it is played."""

Open = tuple[Decision, ...]
Chooser = Callable[[random.Random, Any, Open], Command]
"""From the state and what is open: the next command."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command: the state and decisions it met (None, () for the start), its step, what is open then."""

    before: Any
    open: Open
    command: Command | None
    step: Step[Any]
    after: Open


def random_options(options: tuple[Option, ...], rng: random.Random) -> dict[str, object]:
    """A value for each room option; whole numbers are often the default or the least."""
    raw: dict[str, object] = {}
    for option in options:
        if option.kind == "bool":
            raw[option.name] = rng.random() < 0.5
        elif option.kind == "choice":
            raw[option.name] = rng.choice(option.choices)
        else:
            raw[option.name] = rng.choice((option.default, option.low, rng.randint(option.low, option.high)))
    return raw


def random_setup(
    game: Variant[Any], players: int, rng: random.Random, options: dict[str, object] | None = None
) -> Setup:  # fmt: skip
    """A fair deal with the given room options (None: random ones); the same `rng` state gives the same setup."""
    raw = random_options(game.meta.options, rng) if options is None else dict(options)
    if any(option.name == "players" for option in game.meta.options):
        raw["players"] = players
    seed = rng.randbytes(32).hex()
    contributions = tuple([rng.choice(("", f"word {seat}")) for seat in range(players)])
    dealt = deal(seed, contributions, game.meta.kinds, game.meta.dice, players)
    return Setup(
        game.parse_rules(raw), players, dealt.random_seat, dealt.wall, dealt.dice,
        rng.randrange(10**12), commitment(seed), seed, contributions,
    )  # fmt: skip


def started(game: Variant[Any], setup: Setup) -> Entry:
    """The first entry of a round."""
    step = game.start(setup)
    return Entry(None, (), None, step, game.decisions(step.state))


def taken(game: Variant[Any], entry: Entry, command: Command) -> Entry | None:
    """The entry that follows by a command; None when it is refused."""
    step = game.decide(entry.step.state, entry.after, command)
    if isinstance(step, Rejection):
        return None
    return Entry(entry.step.state, entry.after, command, step, game.decisions(step.state))


def lucky_setup(game: Variant[Any], players: int, rng: random.Random, seeds: int) -> Setup | None:
    """The first of `seeds` fair setups in which the seat that moves first may win at once (天和, 天胡); None: not one.
    A fair deal like any other, its wall shuffled from its own seed; only this seed was searched for.
    """
    for _ in range(seeds):
        setup = random_setup(game, players, rng)
        entry: Entry | None = started(game, setup)
        while entry is not None and entry.after and entry.after[0].clock == "answer":
            entry = taken(game, entry, TimeOut(entry.after[0].id))
        if entry is not None and any(option.verb == "win" for option in entry.after[0].options):
            return setup
    return None


def play(game: Variant[Any], setup: Setup, rng: random.Random, chooser: Chooser) -> list[Entry]:
    """Play one round to its end. Raises InvariantViolation when it does not end or refuses what the chooser took."""
    entry = started(game, setup)
    trace = [entry]
    while entry.after:
        if len(trace) >= STEP_LIMIT:
            raise InvariantViolation(f"the round does not end within {STEP_LIMIT} entries")
        command = chooser(rng, entry.step.state, entry.after)
        found = taken(game, entry, command)
        if found is None:
            raise InvariantViolation(f"entry {len(trace)}: {command} was offered and refused")
        entry = found
        trace.append(entry)
    return trace


def bots(game: Variant[Any], efforts: tuple[Effort, ...]) -> Chooser:
    """Bots of these efforts by seat; among the seats asked a random one answers first; holds run out."""

    def chooser(rng: random.Random, state: Any, open_: Open) -> Command:
        decision = rng.choice(open_) if len(open_) > 1 else open_[0]
        seat = decision.seat
        if seat is None:
            return TimeOut(decision.id)
        chosen = choose(game, view(state.table, seat), seat, decision, rng.getrandbits(32), efforts[seat])
        return Act(seat, decision.id, chosen)

    return chooser
