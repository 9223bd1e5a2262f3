"""`mj soak`: play many rounds by bots of every kind and look after every entry. Rare events are counted.

Exit status 1 on any violation, and when anything in the table of rare events never occurred in a full soak. Every wall
is shuffled from a seed as in any round: rare events come from players who seek them (`players.py`), not from arranged
tiles. Only hands won as dealt have their seeds looked for, one round in 25; the output counts them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.play.commands import Abort
from app.kernel.text.notation import plain_command, plain_event
from app.kernel.variant import Variant
from app.lab.games.game import lab_game
from app.lab.laws.coverage import FULL
from app.lab.laws.invariants import again_law, first_violation
from app.lab.laws.players import chooser, sensible
from app.lab.laws.rounds import Entry, lucky_setup, play, random_setup
from app.records.codec import build, decode, encode
from app.records.verify import verify
from app.variants import VARIANTS

_RECORD_EVERY: Final = 20
"""Interval, in rounds, at which a round is also made a record, read back and verified, and voided in the middle."""

_LUCKY_EVERY: Final = 25
"""Interval, in rounds, at which a seed is searched for that deals a finished hand, in games with a pattern for it."""

_COMMON: Final = (ev.HoldEnded, ev.Answered, ev.TileDrawn, ev.SeatPassed, ev.PhaseBegan)
"""Entries of nothing else are not looked at for rare events."""


def main(argv: list[str]) -> int:
    """Play `--rounds` rounds from `--seed`; print counts. 0: no violation and nothing missing."""
    parser = argparse.ArgumentParser(prog="mj soak", description="play many bot rounds and check every entry")
    parser.add_argument("--variant", required=True, choices=list(VARIANTS))
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--seed", default="1", help="the same seed plays the same rounds")
    parser.add_argument("--players", type=int, help="seats; all table sizes in turn when not given")
    chosen = parser.parse_args(argv)
    game = VARIANTS[chosen.variant]
    sizes = game.meta.players if chosen.players is None else (chosen.players,)
    if chosen.rounds < 1 or any(size not in game.meta.players for size in sizes):
        parser.error(f"--players is one of {', '.join(map(str, game.meta.players))}, --rounds at least 1")
    began = time.perf_counter()
    counts, violations = soak(game, sizes, chosen.rounds, chosen.seed)
    missing = missing_of(game.meta.slug, counts, chosen.rounds)
    _report(game, counts, chosen.rounds, time.perf_counter() - began)
    for line in (*violations, *[f"never occurred: {name}" for name in missing]):
        print(f"mj soak: {line}", file=sys.stderr)
    return 1 if violations or missing else 0


def soak(game: Variant[Any], sizes: tuple[int, ...], rounds: int, seed: str) -> tuple[Counter[str], list[str]]:
    """Counts of what happened (rare events by name; `rounds`, `entries`, `events`, `lucky`), violations in words."""
    counts: Counter[str] = Counter()
    violations: list[str] = []
    for number in range(rounds):
        rng = random.Random(f"{seed}/{game.meta.slug}/{number}")
        players = sizes[number % len(sizes)]
        where = f"round {number} ({players} players, --seed {seed})"
        try:
            setup = lucky_setup(game, players, rng, _seeds(game, number))
            counts["lucky"] += setup is not None
            company = (chooser if setup is None else sensible)(game, players, rng)
            trace = play(game, setup or random_setup(game, players, rng), rng, company)
            found = first_violation(game, trace, players)
            if found is None and number % _RECORD_EVERY == 0:
                found = _looked_at_closely(game, trace, players, rng)
        except InvariantViolation as error:
            found, trace = str(error), []
        if found is not None:
            violations.append(f"{where}: {found}")
        _count(game, trace, counts)
    return counts, violations


def missing_of(slug: str, counts: Counter[str], rounds: int) -> tuple[str, ...]:
    """Listed rare events that never occurred in a full soak; a shorter soak misses nothing."""
    if rounds < FULL:
        return ()
    return tuple([rare.name for rare in lab_game(slug).rare if not counts[rare.name]])


def _seeds(game: Variant[Any], number: int) -> int:
    """Number of seeds that round `number` may try for a hand that is won as dealt."""
    return lab_game(game.meta.slug).lucky_seeds if number % _LUCKY_EVERY == _LUCKY_EVERY - 1 else 0


def _count(game: Variant[Any], trace: list[Entry], counts: Counter[str]) -> None:
    counts["rounds"] += 1
    counts["entries"] += len(trace)
    for entry in trace:
        counts["events"] += len(entry.step.events)
        if all(type(event) in _COMMON for event in entry.step.events):
            continue
        for rare in lab_game(game.meta.slug).rare:
            counts[rare.name] += rare.times(entry)


def _report(game: Variant[Any], counts: Counter[str], rounds: int, seconds: float) -> None:
    head = (
        f"{game.meta.name_zh} {game.meta.slug}: {rounds} rounds, {counts['entries']} entries, {counts['events']} events"
    )
    if lab_game(game.meta.slug).lucky_seeds:
        head = f"{head}, {counts['lucky']} of the rounds from a seed looked for that deals a finished hand"
    print(f"{head}, {seconds:.1f} s")
    for rare in lab_game(game.meta.slug).rare:
        print(f"  {counts[rare.name]:>8}  {rare.name}")


# ── further checks, now and then ──


def _looked_at_closely(game: Variant[Any], trace: list[Entry], players: int, rng: random.Random) -> str | None:
    return again_law(game, trace) or _record_differs(game, trace, players) or _void_differs(game, trace, rng)


def _record_differs(game: Variant[Any], trace: list[Entry], players: int) -> str | None:
    """The round as a record: bytes and back, and everything that `mj verify` checks."""
    entries = [
        {
            "n": number, "at_ms": 0, "ref": None,
            "command": None if entry.command is None else plain_command(entry.command),
            "events": [plain_event(event) for event in entry.step.events],
        }
        for number, entry in enumerate(trace)
    ]  # fmt: skip
    match = {"match": "soak", "round_no": 1, "seats": [{} for _ in range(players)]}
    record = decode(encode(build(match, entries)))
    for check in verify(record, {game.meta.slug: game}):
        if check.difference is not None:
            return f"record, {check.name}: {check.difference}"
    return None


def _void_differs(game: Variant[Any], trace: list[Entry], rng: random.Random) -> str | None:
    """Dissolved in the middle, the round moves no points."""
    entry = rng.choice(trace[:-1])
    step = game.decide(entry.step.state, entry.after, Abort("soak"))
    if isinstance(step, Rejection):
        return f"a round in play cannot be dissolved: {step.code}"
    return None if set(step.state.table.points) == {0} else "points of a dissolved round stay"
