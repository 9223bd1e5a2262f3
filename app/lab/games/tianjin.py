"""天津麻将 in the lab: rare events, the bots that seek them, and the dearest win check."""

from __future__ import annotations

import random
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.tiles import COPIES, format_tiles
from app.kernel.variant import Variant
from app.lab.games.game import LabGame, near
from app.lab.laws.coverage import Rare, mark, meld, of, outcome, patterns, reason
from app.lab.laws.goal_bots import hoarding, keeping, straight
from app.lab.laws.rounds import Chooser
from app.variants.tianjin.patterns import ROWS
from app.variants.tianjin.rules import META

RARE: Final = (
    *patterns(META, dict.fromkeys([*[name for row in ROWS for name in row], "tian_he"])),
    Rare("坐庄", of(ev.AnswersRevealed, lambda event: any(value is True for value in event.values))),
    Rare("拉庄", of(ev.AnswersRevealed, lambda event: any(value in (1, 2) and value is not True
                                                           for value in event.values))),
    Rare("明杠", meld("kong_exposed")),
    Rare("补杠", meld("kong_added")),
    Rare("暗杠", meld("kong_concealed")),
    Rare("金杠", meld("kong_gold")),
    Rare("小相公", mark("dead_hand")),
    Rare("铲", mark("follow")),
    Rare("封顶", reason("cap")),
    Rare("荒庄", outcome("exhausted")),
)  # fmt: skip


def _straight(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Wants the long straight in the suit of the wild tiles (本混龙)."""
    return keeping(game, players, straight)


def _hoarding(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Nobody wins, and all wait for a kong of wild tiles (金杠)."""
    return hoarding(game, players)


def dearest_hand(game: Variant[Any], rng: random.Random) -> dict[str, object]:
    """Fourteen tiles, seven of them 混儿: all that are live."""
    others = [kind for kind in game.meta.kinds if kind not in ("1z", "2z") for _ in range(COPIES)]
    tiles = [*("1z",) * 3, *("2z",) * 4, *near(others, rng, 7)]
    return {
        "id": "worst", "indicator": "1z", "hand": format_tiles(tiles[:-1]), "drawn": tiles[-1], "melds": [],
        "after_kong": False, "heaven": False, "rules": {},
    }  # fmt: skip


GAME = LabGame(RARE, (_hoarding, _straight), lucky_seeds=100, dearest_hand=dearest_hand)
