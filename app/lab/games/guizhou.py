"""贵州捉鸡 in the lab: rare events, the bots that seek them, and the dearest win check."""

from __future__ import annotations

import random
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.tiles import COPIES, SUIT, format_tiles
from app.kernel.variant import Variant
from app.lab.games.game import LabGame, near
from app.lab.laws.coverage import Rare, detail, mark, meld, of, outcome, pattern, patterns, reason, won
from app.lab.laws.goal_bots import Aim, Shape, seeking
from app.lab.laws.players import patient
from app.lab.laws.rounds import Chooser, Entry
from app.variants.guizhou.rules import META
from app.variants.guizhou.winning import PATTERN_VALUE

_AIMS: Final[tuple[tuple[Shape, bool], ...]] = (
    ("sets", True), ("triplets", False), ("triplets", True), ("single", False), ("single", True),
    ("pairs", True), ("pairs", True), ("fours", False), ("fours", True), ("fours", True),
)  # fmt: skip
"""Goals of a seeker, and whether all in one suit; the rarest twice."""


def _late_kong(entry: Entry) -> int:
    """憨包豆, of either kind."""
    return sum([isinstance(e, ev.MeldMade | ev.MeldExtended) and e.kind == "kong_late" for e in entry.step.events])


def _several(entry: Entry) -> int:
    """一炮多响: one tile, several winners."""
    return of(ev.Won)(entry) > 1


def _hot(entry: Entry) -> int:
    """热炮: a win on the first discard after a kong onto a 碰."""
    return entry.before is not None and entry.before.hot and won(lambda won: won.origin == "discard")(entry) > 0


def _no_flip(entry: Entry) -> int:
    """A win on the last tile: nothing is left to flip."""
    return of(ev.Won)(entry) > 0 and of(ev.TileFlipped)(entry) == 0


def _declared_winner(entry: Entry) -> int:
    """天听: the winner had declared 报听."""
    return sum(
        [isinstance(e, ev.Won) and entry.step.state.table.mark("declared_ready", e.seat) is True for e in
         entry.step.events]
    )  # fmt: skip


RARE: Final = (
    Rare("点豆", meld("kong_exposed")),
    Rare("闷豆", meld("kong_concealed")),
    Rare("爬坡豆", meld("kong_added")),
    Rare("憨包豆", _late_kong),
    Rare("抢杠", of(ev.TileRobbed)),
    Rare("热炮", _hot),
    Rare("一炮多响", _several),
    Rare("杠开", won(lambda won: won.origin == "kong_draw")),
    Rare("报听", mark("declared_ready")),
    Rare("天听", _declared_winner),
    Rare("杀听", detail("sha_ting")),
    Rare("天胡", pattern("tian_hu")),
    Rare("地胡", pattern("di_hu")),
    *patterns(META, PATTERN_VALUE),
    Rare("冲锋", mark("charge")),
    Rare("责任", mark("duty")),
    Rare("责任鸡", reason("duty")),
    Rare("包鸡", reason("bao")),
    Rare("金鸡", detail("gold")),
    Rare("末张胡", _no_flip),
    Rare("荒庄", outcome("exhausted")),
    Rare("查叫", reason("check")),
)


def _seeking(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """All want one shape; in a pure hand (清) neighbours want different suits, so each throws what another needs."""
    shape, pure = rng.choice(_AIMS)
    suits = sorted({SUIT[kind] for kind in game.meta.kinds})
    rng.shuffle(suits)
    return seeking(game, tuple([Aim(shape, suits[seat % len(suits)] if pure else None) for seat in range(players)]))


def dearest_hand(game: Variant[Any], rng: random.Random) -> dict[str, object]:
    """Thirteen tiles of one suit and a half: waits and the best pattern of each."""
    tiles = near([kind for kind in game.meta.kinds for _ in range(COPIES)], rng, 13)
    return {"id": "worst", "hand": format_tiles(tiles), "melds": [], "tile": None}


GAME = LabGame(RARE, (_seeking, patient), lucky_seeds=25, dearest_hand=dearest_hand)
