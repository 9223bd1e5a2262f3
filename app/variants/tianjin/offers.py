"""What a seat may choose, and what silence or 托管 chooses for it (TJ-3, 5, 6, 9, 17), from what this seat itself sees.

Everything here is a function of small values, so the machine, the advisor and bots ask the same question. No other
seat's tiles, no wall, no state of a round may come in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.melds import Meld
from app.kernel.shapes.counts import Hand, count, kinds_of
from app.kernel.table import TableState
from app.kernel.tiles import KINDS, Tile
from app.variants.tianjin.rules import MAX_PULL
from app.variants.tianjin.winning import Best, Draw, Wilds, best, may_win, wilds_of

Began = Literal["deal", "draw", "replacement", "pong"]
"""How the turn began: the dealer's deal, a front draw, a replacement after a kong, or one's own pong."""

SIT: Final = (action("sit", choice=False), action("sit", choice=True))
PULL: Final = tuple([action("pull", choice=times) for times in range(MAX_PULL + 1)])
DISCARD: Final = {kind: action("discard", kind) for kind in KINDS}
_PONG: Final = {kind: action("pong", kind) for kind in KINDS}
_EXTEND: Final = {kind: action("extend", kind, choice="kong_added") for kind in KINDS}
_KONG: Final = {
    choice: {kind: action("kong", kind, choice=choice) for kind in KINDS}
    for choice in ("kong_exposed", "kong_concealed", "kong_gold")
}


@dataclass(frozen=True, slots=True)
class Position:
    """A seat in its own turn, as it sees itself. `drawn` None after a pong; `left` live tiles still undrawn."""

    hand: Hand
    drawn: Tile | None
    melds: tuple[Meld, ...]
    wilds: Wilds
    dead: bool
    began: Began
    left: int
    kong_bloom_plain: bool


def answer_offers(is_dealer: bool) -> tuple[Action, ...]:
    """坐庄 for the dealer, 拉庄 0–2 for the others; the first option is the one silence means (TJ-3.1, 3.4)."""
    return SIT if is_dealer else PULL


def wilds_seen(table: TableState) -> Wilds | None:
    """The wild kinds, None before the indicator is flipped (TJ-4.6)."""
    flips = table.shown.flips
    return wilds_of(flips[0].tile) if flips else None


def is_dead(table: TableState, seat: int) -> bool:
    """True for a 小相公: this seat has discarded a wild (TJ-7.1)."""
    return table.mark("dead_hand", seat) is True


def has_gold(melds: tuple[Meld, ...]) -> bool:
    """True when a 金杠 lies among the melds: wild tiles that defeat 素 (TJ-10.4)."""
    return any(meld.kind == "kong_gold" for meld in melds)


def turn_win(position: Position) -> Best | None:
    """The reading with which this turn may be won now, None when there is none to win with (TJ-9.1, 9.6, 9.8)."""
    if position.dead or position.drawn is None or position.began == "pong":
        return None
    found = best(draw_of(position))
    return found if may_win(found, position.kong_bloom_plain) else None


def draw_of(position: Position) -> Draw:
    """The position as the question that `winning` answers. Raises ValueError without a drawn tile."""
    if position.drawn is None:
        raise ValueError("no tile was drawn")
    return Draw(
        position.hand, position.drawn, len(position.melds), has_gold(position.melds), position.wilds,
        position.began == "replacement", position.began == "deal",
    )  # fmt: skip


def turn_offers(position: Position) -> tuple[Action, ...]:
    """All that a seat may do in its turn: win, kongs, discards; on the last live tile win or pass (TJ-4.12, 5.2)."""
    options: list[Action] = [WIN] if turn_win(position) else []
    if position.began == "pong":
        return tuple([DISCARD[kind] for kind in kinds_of(position.hand)])
    if position.left == 0:
        return (*options, PASS)
    kinds = kinds_of(position.hand)
    options.extend([_own_kong(kind, position.wilds) for kind in kinds if count(position.hand, kind) == 4])
    ponged = [meld.tiles[0] for meld in position.melds if meld.kind == "pong"]
    options.extend([_EXTEND[kind] for kind in kinds if kind in ponged])
    options.extend([DISCARD[kind] for kind in kinds])
    return tuple(options)


def _own_kong(kind: Tile, wilds: Wilds) -> Action:
    """Four in hand: 暗杠, of wilds 金杠 (TJ-6.1, 6.3)."""
    return _KONG["kong_gold" if kind in wilds else "kong_concealed"][kind]


def claim_offers(hand: Hand, tile: Tile, wilds: Wilds, left: int) -> tuple[Action, ...]:
    """Claims on another's discard: kong with three, pong with two not wild; () when there is none (TJ-5.5 … 5.7)."""
    copies = count(hand, tile)
    if copies < 2:
        return ()
    wild = tile in wilds
    options: list[Action] = []
    if copies == 3 and left:
        options.append(_KONG["kong_gold" if wild else "kong_exposed"][tile])
    if not wild:
        options.append(_PONG[tile])
    return (*options, PASS) if options else ()


def claim_rank(claim: Action) -> int:
    """Strength of a claim. All are equal: at most one player can claim a discard (TJ-5.8)."""
    return 0


def silent_choice(position: Position) -> Action:
    """What silence means in one's own turn: never a win or a kong, a wild only if nothing else is left (TJ-17.3)."""
    if position.left == 0 and position.began != "pong":
        return PASS
    kinds = kinds_of(position.hand)
    candidates = [kind for kind in kinds if kind not in position.wilds] or kinds
    drawn = position.drawn
    return DISCARD[drawn if drawn is not None and drawn in candidates else candidates[-1]]
