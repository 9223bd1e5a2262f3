"""`mj bench engine`: how fast rules and bots are on one core, beside a plain-Python loop measured in between.

All times are CPU times of this process, and shared machines differ by half from minute to minute all the same: carry
the ratios, not the microseconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeVar

from app.bots import Effort
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.play.commands import Command
from app.kernel.variant import Setup, Variant
from app.kernel.views import faces
from app.lab.games.game import lab_game
from app.lab.laws.rounds import Entry, bots, play, random_setup
from app.variants import VARIANTS

T = TypeVar("T")

_LOOP: Final = 200_000
_GOOD: Final[Effort] = "normal"


@dataclass(frozen=True, slots=True)
class Measured:
    """One variant at its largest table. Times per round in ms, per entry in µs; `ratio`: an entry in loop turns.

    `round_ms` is a round by four sensible bots without thinking time, engine included; the rest is the engine alone,
    projections for all viewers included. `dearest_ms` is the longest single entry, `check_ms` the dearest win check.
    """

    variant: str
    rounds: int
    round_ms: float
    rounds_per_s: float
    entries_per_s: float
    entry_us: float
    entries_per_round: float
    loop_ns: float
    ratio: float
    dearest_ms: float
    check_ms: float
    check_mean_ms: float


def main(argv: list[str]) -> int:
    """Measure every variant, or the one named; `--json` for programs."""
    parser = argparse.ArgumentParser(prog="mj bench engine", description="rounds and entries per second on one core")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--variant", choices=list(VARIANTS))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(argv)
    games = [game for slug, game in VARIANTS.items() if chosen.variant in (None, slug)]
    found = [measure(game, max(1, chosen.rounds), chosen.seed) for game in games]
    if chosen.json:
        print(json.dumps([asdict(one) for one in found], ensure_ascii=False))
    else:
        _print(found)
    return 0


def measure(game: Variant[Any], rounds: int, seed: str) -> Measured:
    """Play rounds by bots, then drive the same commands through the engine alone. Default room options."""
    gc.collect()
    players = max(game.meta.players)
    rng = random.Random(f"bench/{seed}/{game.meta.slug}")
    setups = [random_setup(game, players, rng, options={}) for _ in range(rounds)]
    with_bots, traces = _timed(lambda: [_bot_round(game, setup, players, rng) for setup in setups])
    scripts = [(setup, [e.command for e in trace[1:]]) for setup, trace in zip(setups, traces, strict=True)]
    loop = _loop_ns()
    alone, longest = _timed(lambda: [_engine_round(game, setup, script) for setup, script in scripts])
    loop = (loop + _loop_ns()) / 2
    entries = sum([len(trace) for trace in traces])
    hand = lab_game(game.meta.slug).dearest_hand
    checks = [0.0] if hand is None else [_check(game, hand(game, rng)) for _ in range(200)]
    return Measured(
        game.meta.slug, rounds, _ms(with_bots / rounds), round(1 / (with_bots / rounds), 1), round(entries / alone),
        round(alone / entries * 1e6, 1), round(entries / rounds, 1), round(loop, 1),
        round(alone / entries * 1e9 / loop, 1), _ms(max(longest)), _ms(max(checks)), _ms(sum(checks) / len(checks)),
    )  # fmt: skip


def _bot_round(game: Variant[Any], setup: Setup, players: int, rng: random.Random) -> list[Entry]:
    return play(game, setup, rng, bots(game, (_GOOD,) * players))


def _engine_round(game: Variant[Any], setup: Setup, script: list[Command | None]) -> float:
    """Start, decide, derive decisions and build the faces; the longest entry in seconds."""
    step = game.start(setup)
    open_ = game.decisions(step.state)
    longest = 0.0
    for command in script:
        began = time.process_time()
        assert command is not None
        found = game.decide(step.state, open_, command)
        if isinstance(found, Rejection):
            raise InvariantViolation(f"{command} is refused when decided again")
        step = found
        open_ = game.decisions(step.state)
        for event in step.events:
            faces(event)
        longest = max(longest, time.process_time() - began)
    return longest


def _loop_ns() -> float:
    """Nanoseconds of one turn of a loop that adds, indexes and compares: what this machine is worth now."""
    table, total = list(range(64)), 0
    began = time.process_time()
    for turn in range(_LOOP):
        total += table[turn & 63]
        if total > 1_000:
            total -= 1_000
    return (time.process_time() - began) / _LOOP * 1e9


def _check(game: Variant[Any], entry: dict[str, object]) -> float:
    """Seconds of a win check on tiles that it has not seen before."""
    return _timed(lambda: game.score("hands", entry))[0]


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def _ms(seconds: float) -> float:
    return round(seconds * 1_000, 3)


def _print(found: list[Measured]) -> None:
    head = (
        "variant    round by bots  rounds/s  entries/s  µs/entry  loop ns  ratio  dearest entry  win check worst/mean"
    )
    print(head)
    for m in found:
        print(
            f"{m.variant:<11}{m.round_ms:>10.2f} ms{m.rounds_per_s:>10}{m.entries_per_s:>11}{m.entry_us:>10}"
            f"{m.loop_ns:>9}{m.ratio:>7}{m.dearest_ms:>12.2f} ms{m.check_ms:>11.3f} / {m.check_mean_ms:.3f} ms"
        )
