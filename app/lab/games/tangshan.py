"""大唐撸麻雀儿 in the lab: rare events, the bots that seek them, and the dearest win check."""

from __future__ import annotations

import random
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.shapes.counts import count
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, Tile, format_tiles
from app.kernel.variant import Variant
from app.lab.games.game import LabGame, near
from app.lab.laws.coverage import Rare, mark, meld, of, outcome, reason
from app.lab.laws.goal_bots import keeping, treasuring
from app.lab.laws.rounds import Chooser, Entry
from app.variants.tangshan.offers import LOCK, Position, wins_claimed
from app.variants.tangshan.scoring import WIN_POINTS
from app.variants.tangshan.state import position_of

_TREASURES: Final[tuple[tuple[Tile, ...], ...]] = (("1m", "1p", "1s"), ("9m", "9p", "9s"), ("5z", "6z", "7z"))
"""Sets of different kinds (喜) that a miser waits for."""


def _windows(entry: Entry) -> list[tuple[int, str, Position]]:
    """For a tile that has just been thrown or laid: every other seat, the tile, and the seat's position."""
    thrown = [event for event in entry.step.events if isinstance(event, ev.TileDiscarded | ev.TileLaid)]
    table: TableState = entry.step.state.table
    return [
        (seat, event.tile, position_of(table, seat))
        for event in thrown
        for seat in range(table.facts.players)
        if seat != event.seat
    ]


def _refused(entry: Entry) -> int:
    """过水: a win that would be there but for the lock."""
    return sum(
        [
            not wins_claimed(position, tile) and wins_claimed(_unlocked(position), tile)
            for _, tile, position in _windows(entry)
            if position.locked
        ]
    )


def _unlocked(p: Position) -> Position:
    return Position(p.hand, p.sets, p.pair_claimed, p.closed, p.covers, p.lit)


def _guarded(entry: Entry) -> int:
    """TS-2.5: four sets and the pair with the tile held twice, so no pong; or five sets, so no pair claim."""
    players = entry.step.state.table.facts.players
    source = entry.step.state.table.turn
    found = 0
    for seat, tile, position in _windows(entry):
        held = count(position.hand, tile)
        if position.pair_claimed:
            found += position.sets == 4 and held >= 2
        else:
            found += position.sets == 5 and held >= 1 and players == 4 and seat == (source + 1) % players
    return found


RARE: Final = (
    Rare("亮幺", meld("ones")),
    Rare("亮九", meld("nines")),
    Rare("亮箭", meld("dragons")),
    Rare("亮风", meld("winds")),
    Rare("走喜", lambda entry: entry.before is not None and entry.before.table.phase == "turn" and sum(
        [meld(kind)(entry) for kind in ("ones", "nines", "dragons", "winds")])),
    Rare("补喜", reason("xi_add")),
    Rare("抢喜（胡）", of(ev.TileRobbed, lambda event: event.use == "win")),
    Rare("抢喜（碰）", of(ev.TileRobbed, lambda event: event.use == "pong")),
    Rare("扣", meld("cover")),
    Rare("明杠", meld("kong_exposed")),
    Rare("暗杠", meld("kong_concealed")),
    Rare("吃", meld("chow")),
    Rare("碰", meld("pong")),
    Rare("订将", meld("pair_claim")),
    Rare("过水", mark(LOCK)),
    Rare("过水不胡", _refused),
    *[Rare(str(points), reason(name)) for name, points in WIN_POINTS.items()],
    Rare("无牌可打之防", _guarded),
    Rare("流局", outcome("exhausted")),
)  # fmt: skip


def _miserly(game: Variant[Any], players: int, rng: random.Random) -> Chooser:
    """Keeps two thirds of a treasure (喜): wins that complete one by the draw."""
    return keeping(game, players, treasuring(_TREASURES))


def dearest_hand(game: Variant[Any], rng: random.Random) -> dict[str, object]:
    """Seventeen tiles around a set of each kind of 喜."""
    xi = ["1m", "1p", "1s", "9m", "9p", "9s", "5z", "6z", "7z"]
    others = [kind for kind in game.meta.kinds for _ in range(COPIES - (kind in xi))]
    tiles = [*xi, *near(others, rng, 8)]
    return {
        "id": "worst", "hand": format_tiles(tiles[:-1]), "melds": [], "tile": tiles[-1], "by": "draw", "rules": {},
    }  # fmt: skip


GAME = LabGame(RARE, (_miserly,), dearest_hand=dearest_hand)
