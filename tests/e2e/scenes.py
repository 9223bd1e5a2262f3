"""Moments of real rounds worth looking at: found by playing in this process, each as one seat is sent it.

A scene is what `sync` carries: the view, the open question, the match. No browser here; `stage.py` puts scenes on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from app.kernel.play.decisions import Decision
from app.kernel.table import TableState
from app.kernel.text.notation import plain_action, plain_view
from app.kernel.views import view
from app.lab.laws.rounds import Entry, bots, play, random_setup
from app.tables.viewers.replies import plain_hints
from app.variants import VARIANTS
from tests.laws.driving import random_command, wild_command

ROUNDS = 60
MOMENTS = ("opening", "turn", "claim", "rob", "late", "ready", "won", "exhausted")
_RULES: dict[str, dict[str, object]] = {
    "tianjin": {"base": 2},
    "guizhou": {"wugu": True, "up_down_chicken": True},
    "tangshan": {"rob_xi": True},
}
_NAMES = ("小满", "张三疯", "Winnie Longname", "老王")


@dataclass(frozen=True)
class Scene:
    """One moment at one seat."""

    slug: str
    moment: str
    seat: int
    view: dict[str, Any]
    decision: dict[str, Any] | None
    hints: list[dict[str, Any]]
    rules: dict[str, Any]
    match: dict[str, Any] = field(default_factory=dict)
    """Fields of the match that differ from the usual."""

    def with_match(self, **changes: Any) -> Scene:
        """The same moment, in a match that stands otherwise."""
        return replace(self, match={**self.match, **changes})

    def seats(self, **mine: Any) -> list[dict[str, Any]]:
        """Four (or fewer) people, the viewer's entry changed by `mine`."""
        usual = {"bot": False, "ready": False, "autoplay": False, "left": False, "online": True, "avatar": ""}
        found = [{"user": f"u{at}", "name": _NAMES[at], **usual} for at in range(self.view["players"])]
        found[self.seat] |= mine
        return found

    def match_view(self) -> dict[str, Any]:
        """The match as the server would show it."""
        over = self.view["phase"] == "over"
        players = self.view["players"]
        points = self.view["points"] if over else [0] * players
        usual = {
            "phase": "between" if over else "playing", "round_no": 3 + over, "played": 2 + over, "rounds": 8,
            "variant": self.slug, "rules": self.rules, "settings": {"fill_with_bots": True}, "host": 0,
            "seats": self.seats(), "totals": [p + t for p, t in zip(points, (128, -36, 12, -104), strict=False)],
            "series": 0, "commitment": None, "vote": None, "pause": None, "ended": None, "share": {}, "match_no": 1,
            "dealer": self.view["dealer"], "rounds_so_far": [], "last_lines": [], "frozen": False,
        }  # fmt: skip
        return {**usual, **self.match}


def _score(moment: str, table: TableState, seen: TableState, decision: Decision | None) -> float:
    """The score of an unfinished moment for a wanted scene; 0: not at all."""
    laid = sum(len(s.melds) for s in table.seats)
    thrown = sum(len(s.row) for s in table.seats)
    if moment == "ready":
        return 0.0 if decision or thrown < 12 else thrown + 8 * laid
    if decision is None:
        return 0.0
    rare = [o for o in decision.options if o.verb not in ("discard", "pass") or o.choice]
    verbs = {o.verb for o in rare}
    rich = 4.0 * len(verbs) + len(rare) if rare else 0.0
    match moment:
        case "opening":
            return rich if decision.clock in ("answer", "opening") or any(o.verb == "discard" for o in rare) else 0.0
        case "turn":
            return rich + 3 * sum(o.verb in ("kong", "extend") for o in rare) if decision.clock == "turn" else 0.0
        case "claim":
            return rich if decision.clock == "claim" and seen.laid is None else 0.0
        case "rob":
            return rich if decision.clock == "claim" and seen.laid is not None else 0.0
        case _:
            return 2.0 * thrown + 3.0 * laid if decision.clock == "turn" else 0.0


def _rounds(slug: str) -> Iterator[list[Entry]]:
    game = VARIANTS[slug]
    chances = (bots(game, ("normal",) * 4), lambda r, _s, o: random_command(r, o), lambda r, _s, o: wild_command(r, o))
    for number in range(ROUNDS):
        rng = random.Random(f"scene/{slug}/{number}")
        yield play(game, random_setup(game, 4, rng, _RULES[slug]), rng, chances[number % 3])


def _make(slug: str, moment: str, seat: int, table: TableState, decision: Decision | None) -> Scene:
    game, seen = VARIANTS[slug], view(table, seat)
    asked = None
    if decision is not None:
        total = 15_000 if decision.clock == "claim" else 30_000
        asked = {
            "id": decision.id, "clock": decision.clock, "options": [plain_action(o) for o in decision.options],
            "left_ms": total - 4_000, "total_ms": total,
        }  # fmt: skip
    hints = [] if seen.ending.ended else plain_hints(game.advise(seen, seat))
    return Scene(slug, moment, seat, plain_view(seen), asked, hints, dict(seen.facts.rules))


@cache
def scenes(slug: str) -> dict[str, Scene]:
    """The best of each moment of this game; one that never came is missing."""
    best: dict[str, tuple[float, Scene]] = {}

    def take(score: float, moment: str, seat: int, table: TableState, decision: Decision | None) -> None:
        if score > best.get(moment, (0.0,))[0]:
            best[moment] = (score, _make(slug, moment, seat, table, decision))

    for trace in _rounds(slug):
        for entry in trace[:-1]:
            table = entry.step.state.table
            asked = {d.seat: d for d in entry.after if d.seat is not None}
            for seat, decision in asked.items():
                for moment in ("opening", "turn", "claim", "rob", "late"):
                    take(_score(moment, table, view(table, seat), decision), moment, seat, table, decision)
            for seat in set(range(4)) - set(asked):
                score = _score("ready", table, table, None)
                if score > best.get("ready", (0.0,))[0] and VARIANTS[slug].advise(view(table, seat), seat):
                    take(score, "ready", seat, table, None)
        table = trace[-1].step.state.table
        wins = table.ending.wins
        moment = "won" if wins else "exhausted"
        richness = len(table.lines) + sum(5 * len(win.reading.patterns) + 4 * len(win.reading.groups) for win in wins)
        take(1.0 + richness, moment, wins[0].seat if wins else 0, table, None)
    return {moment: best[moment][1] for moment in MOMENTS if moment in best}
