"""Rounds to make records of: played by the toy at random, written as the log writes them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from app.kernel.text.notation import plain_command, plain_event
from app.kernel.variant import Variant
from app.records.codec import build
from tests.laws.driving import Entry, play, random_command, random_setup
from tests.laws.toy import TOY


def log_of(trace: list[Entry]) -> list[Mapping[str, Any]]:
    """The plain log entries of a round: numbered from 3, 700 ms apart, with a key that no record keeps."""
    return [
        {
            "n": 3 + place, "at_ms": 1_000_000 + 700 * place, "ref": f"r{place}", "owner": "7:secret",
            "command": None if entry.command is None else plain_command(entry.command),
            "events": [plain_event(event) for event in entry.step.events],
        }
        for place, entry in enumerate(trace)
    ]  # fmt: skip


def match_of(players: int) -> dict[str, Any]:
    """The facts of a match for a record."""
    return {"match": "m-1", "round_no": 2, "seats": [{"name": f"player {seat}"} for seat in range(players)]}


def record_of(seed: int, game: Variant[Any] = TOY, players: int = 3) -> dict[str, Any]:
    """The record of one random round."""
    rng = random.Random(seed)
    return build(match_of(players), log_of(play(game, random_setup(game, players, rng), rng, random_command)))
