"""Rounds of every game, made records, read back from their bytes and played again from wall and commands (F9).

`MJ_LAWS_SCALE=40` plays more than ten thousand of them; `mj leaks` does the same with all rounds out of the archive.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.bots import EFFORTS
from app.kernel import events as ev
from app.kernel.text.notation import plain_command
from app.kernel.tiles import Tile
from app.kernel.variant import Setup, Step, Variant
from app.lab.laws.rounds import Entry, bots, play, random_setup
from app.records.codec import build, decode, encode
from app.records.verify import verify
from app.variants import VARIANTS
from tests.laws.driving import SCALE
from tests.records.rounds import log_of, match_of, record_of

TABLES = [(slug, players) for slug, game in VARIANTS.items() for players in game.meta.players]
ROUNDS = 40


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_f9_a_round_out_of_its_bytes_plays_again_to_the_same_events(slug: str, players: int) -> None:
    """By bots of all kinds with random words, and by people who do anything that is offered."""
    game = VARIANTS[slug]
    for number in range(ROUNDS * SCALE):
        record = decode(encode(_record(game, players, number)))
        checks = verify(record, VARIANTS)
        assert [check for check in checks if check.difference is not None or check.skipped is not None] == [], number
        assert {check.name for check in checks} >= {"shuffle", "rules", "fold", "result"}


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_f9_what_is_drawn_hangs_on_the_wall_alone_and_not_on_what_chance_bots_had(slug: str, players: int) -> None:
    """The same deal with other bots: other choices, and from both ends of the wall the same tiles in the same order."""
    game = VARIANTS[slug]
    setup = random_setup(game, players, random.Random(f"{slug}/{players}"))
    drawn: dict[str, list[list[Tile]]] = {}
    commands = set()
    for luck in range(6):
        rng = random.Random(luck)
        efforts = tuple([EFFORTS[(luck + seat) % len(EFFORTS)] for seat in range(players)])
        trace = play(game, setup, rng, bots(game, efforts))
        commands.add(json.dumps([entry.command and plain_command(entry.command) for entry in trace]))
        for end, tiles in _drawn(trace).items():
            drawn.setdefault(end, []).append(tiles)
    assert len(commands) > 1, "they did choose otherwise"
    for end, sequences in drawn.items():
        longest = max(sequences, key=len)
        assert all(tiles == longest[: len(tiles)] for tiles in sequences), end


def _record(game: Variant[Any], players: int, number: int) -> Mapping[str, Any]:
    """A round by bots, or one by people with random actions."""
    if number % 2:
        return record_of(number, game, players)
    rng = random.Random(number)
    company = bots(game, tuple([rng.choice(EFFORTS) for _ in range(players)]))
    return build(match_of(players), log_of(play(game, random_setup(game, players, rng), rng, company)))


def _drawn(trace: list[Entry]) -> dict[str, list[Tile]]:
    """The tiles that came out of the wall after the deal, by the end they came from."""
    found: dict[str, list[Tile]] = {}
    for entry in trace:
        for event in entry.step.events:
            if isinstance(event, ev.TileDrawn) and event.tile is not None:
                found.setdefault(event.end, []).append(event.tile)
    return found


def test_f9_chance_that_is_not_in_the_record_is_found() -> None:
    """One more random draw anywhere in a game, and its rounds do not play again."""
    game, chance = VARIANTS["guizhou"], random.Random(3)

    def shuffled_again(setup: Setup) -> Step[Any]:
        return game.start(replace(setup, wall=tuple(chance.sample(setup.wall, len(setup.wall)))))

    unsteady = {**VARIANTS, "guizhou": replace(game, start=shuffled_again)}
    found = verify(record_of(1, game, 4), unsteady)
    assert [check.name for check in found if check.difference is not None] == ["rules"]
