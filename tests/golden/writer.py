"""Golden view streams: rounds of every variant as each viewer was sent them, and the views they must fold to.

`python -m tests.golden.writer` writes `<slug>.json` anew; do so only when events or views are meant to change. The
browser's fold (`view.js`) and its replay read these files; `test_golden.py` makes the streams again out of the records.

A file: `{"variant", "rounds": [{"name", "record", "streams": {"0": {"batches", "views"}, …, "spectator": …}}]}`.
`batches`: for each entry that shows the viewer something its plain events; `views`: `{"after", "view"}`, the plain view
after that number of batches.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from app.kernel import events as ev
from app.kernel.seats import SPECTATOR
from app.kernel.table import TableState
from app.kernel.text.notation import plain_event, plain_view
from app.kernel.views import fold, project, view
from app.lab.laws.rounds import Entry, bots
from app.lab.laws.rounds import play as play_round
from app.records.codec import build
from app.records.replay import frames
from app.variants import VARIANTS
from tests.laws.driving import play, random_command, random_setup, wild_command
from tests.records.rounds import log_of, match_of

HERE = Path(__file__).parent
ROUNDS = 3
CANDIDATES = 900
EVERY = 40
"""Interval, in batches, at which a view is kept; one is kept after the last batch too."""


def streams_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """For the first two seats and the spectator: what they were sent, and what it must fold to."""
    shown = list(frames(record))
    return {
        ("spectator" if viewer == SPECTATOR else str(viewer)): _stream(shown, viewer) for viewer in (0, 1, SPECTATOR)
    }


def _stream(shown: list[Any], viewer: int) -> dict[str, Any]:
    batches: list[list[dict[str, Any]]] = []
    views: list[dict[str, Any]] = []
    seen: TableState | None = None
    for number, frame in enumerate(shown):
        faces = [face for event in frame.events if (face := project(event, viewer)) is not None]
        for face in faces:
            seen = fold(seen, face)
        if faces:
            batches.append([plain_event(face) for face in faces])
        if number == len(shown) - 1 or (faces and len(batches) % EVERY == 0):
            assert seen == view(frame.table, viewer)
            views.append({"after": len(batches), "view": plain_view(view(frame.table, viewer))})
    return {"batches": batches, "views": views}


def tokens_of(events: Iterator[ev.Event]) -> set[str]:
    """The parts of the vocabulary in a round: event classes, kinds of meld and where they come from, marks, endings."""
    found: set[str] = set()
    for event in events:
        name = type(event).__name__
        found.add(name)
        for part in ("kind", "source", "mark", "outcome", "origin", "use", "phase", "end", "late_kind", "face_down"):
            value = getattr(event, part, None)
            if value is not None:
                found.add(f"{name}.{part}={value}")
        if isinstance(event, ev.RoundEnded):
            found.add(f"winners={len(event.winners)}")
    return found


def events_of(trace: list[Entry]) -> Iterator[ev.Event]:
    """All events of a round."""
    return (event for entry in trace for event in entry.step.events)


def _candidates(slug: str) -> Iterator[tuple[str, list[Entry]]]:
    game = VARIANTS[slug]
    for number in range(CANDIDATES):
        players = game.meta.players[-1 - number % len(game.meta.players)]
        rng = random.Random(f"golden/{slug}/{number}")
        setup = random_setup(game, players, rng)
        name = f"{slug}, {players} players, {number}"
        if number % 3 == 2:
            yield name, play_round(game, setup, rng, bots(game, ("normal",) * players))
        else:
            yield name, play(game, setup, rng, random_command if number % 3 else wild_command)


def chosen_rounds(slug: str) -> list[tuple[str, list[Entry]]]:
    """The few rounds that together show most of what the game has, short ones first."""
    left = [(name, trace, tokens_of(events_of(trace))) for name, trace in _candidates(slug)]
    shown: set[str] = set()
    found: list[tuple[str, list[Entry]]] = []
    for _ in range(ROUNDS):
        name, trace, tokens = max(left, key=lambda row: (len(row[2] - shown), -len(row[1])))
        shown |= tokens
        found.append((name, trace))
    return found


def write(slug: str) -> None:
    """Write the golden file of a variant."""
    rounds = []
    for name, trace in chosen_rounds(slug):
        start = trace[0].step.events[0]
        assert isinstance(start, ev.RoundStarted)
        record = build(match_of(start.players), log_of(trace))
        rounds.append({"name": name, "record": record, "streams": streams_of(record)})
    text = json.dumps({"variant": slug, "rounds": rounds}, ensure_ascii=False, separators=(",", ":"))
    (HERE / f"{slug}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in VARIANTS:
        write(each)
