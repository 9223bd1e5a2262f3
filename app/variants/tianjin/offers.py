"""Offers to a seat, and the choice of silence for it, from the seat's own view.

Every offer is a function of small values, so the machine, the advisor and the bots call the same functions. Other
seats' tiles, the wall and the state of a round must not be read here. There is no chow (TJ-5.4) and no declaration of a
ready hand (TJ-5.10); every offer may be passed without any consequence (TJ-5.11).
"""

from __future__ import annotations

from typing import Final, Literal

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.immutable import immutable
from app.kernel.melds import Meld
from app.kernel.shapes.counts import Hand, count, kinds_of
from app.kernel.table import TableState
from app.kernel.tiles import KINDS, Tile, sort_tiles
from app.variants.tianjin.rules import MAX_PULL
from app.variants.tianjin.winning import Best, Draw, Wilds, best, may_win, wilds_of

Began = Literal["deal", "draw", "replacement", "pong"]
"""The start of the turn: the dealer's deal, a front draw, a replacement after a kong, or one's own pong."""

SIT: Final = (action("sit", choice=False), action("sit", choice=True))
PULL: Final = tuple([action("pull", choice=times) for times in range(MAX_PULL + 1)])
DISCARD: Final = {kind: action("discard", kind) for kind in KINDS}
_PONG: Final = {kind: action("pong", kind) for kind in KINDS}
_EXTEND: Final = {kind: action("extend", kind, choice="kong_added") for kind in KINDS}
_KONG: Final = {
    choice: {kind: action("kong", kind, choice=choice) for kind in KINDS}
    for choice in ("kong_exposed", "kong_concealed", "kong_gold")
}


@immutable
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
    any_gold: bool = False


def answer_offers(is_dealer: bool) -> tuple[Action, ...]:
    """坐庄 for the dealer, 拉庄 0–2 for the others; the first option is the one silence means (TJ-3.1, TJ-3.4).

    A non-dealer may pull whether or not the dealer sits (TJ-3.2); all choose again in every round (TJ-3.5).
    """
    return SIT if is_dealer else PULL


def wilds_seen(table: TableState) -> Wilds | None:
    """The wild kinds, None before the indicator is flipped (TJ-4.6)."""
    flips = table.shown.flips
    return wilds_of(flips[0].tile) if flips else None


def is_dead(table: TableState, seat: int) -> bool:
    """True for a 小相公: it discarded a wild (TJ-7.1), which all see (TJ-7.3); it plays and pays on (TJ-7.2)."""
    return table.mark("dead_hand", seat) is True


def has_gold(melds: tuple[Meld, ...]) -> bool:
    """True when a 金杠 lies among the melds: wild tiles that defeat 素 (TJ-10.4)."""
    return any(meld.kind == "kong_gold" for meld in melds)


def turn_win(position: Position) -> Best | None:
    """The reading with which this turn may be won now, None when there is none to win with (TJ-9.1, TJ-9.6, TJ-9.8)."""
    if position.dead or position.drawn is None or position.began == "pong":
        return None
    found = best(draw_of(position))
    return found if may_win(found, position.kong_bloom_plain) else None


def draw_of(position: Position) -> Draw:
    """The position as `winning` takes it; 天和 only before any discard or kong (TJ-12.4). ValueError: no drawn tile."""
    if position.drawn is None:
        raise ValueError("no tile was drawn")
    return Draw(
        position.hand, position.drawn, len(position.melds), has_gold(position.melds), position.wilds,
        position.began == "replacement", position.began == "deal",
    )  # fmt: skip


def turn_offers(position: Position) -> tuple[Action, ...]:
    """All that a seat may do in its turn: win, kongs, discards; on the last live tile win or pass (TJ-4.12, TJ-5.2).

    After its own pong a seat only discards (TJ-5.3). A kong needs a live tile to replace it (TJ-6.6).
    """
    options: list[Action] = [WIN] if turn_win(position) else []
    if position.began == "pong":
        return tuple([DISCARD[kind] for kind in kinds_of(position.hand)])
    if position.left == 0:
        return (*options, PASS)
    options.extend(own_kongs(position))
    options.extend([DISCARD[kind] for kind in kinds_of(position.hand)])
    return tuple(options)


def own_kongs(position: Position) -> list[Action]:
    """The kongs that the tiles allow, whether or not this is the moment: four in hand, then fourths to a pong."""
    kinds = kinds_of(position.hand)
    kongs = [_own_kong(kind, position.wilds) for kind in kinds if count(position.hand, kind) == 4]
    ponged = [meld.tiles[0] for meld in position.melds if meld.kind == "pong"]
    mixed = _mixed_gold(position.hand, position.wilds, 4, ()) if position.any_gold else []
    return [*kongs, *mixed, *[_EXTEND[kind] for kind in kinds if kind in ponged]]


def _mixed_gold(hand: Hand, wilds: Wilds, number: int, taken: tuple[Tile, ...]) -> list[Action]:
    """金杠 of both wild kinds: `number` of them from the hand with the `taken` tile (TJ-6.3); their tiles are named."""
    one, other = wilds
    found: list[Action] = []
    for copies in range(number + 1):
        tiles = sort_tiles((one,) * copies + (other,) * (number - copies) + taken)
        held = copies <= count(hand, one) and number - copies <= count(hand, other)
        if held and len({*tiles}) == 2:
            found.append(action("kong", *tiles, choice="kong_gold"))
    return found


def _own_kong(kind: Tile, wilds: Wilds) -> Action:
    """Four in hand: 暗杠, of wilds 金杠 (TJ-6.1, TJ-6.3); the indicator's kind has three live tiles only (TJ-6.4)."""
    return _KONG["kong_gold" if kind in wilds else "kong_concealed"][kind]


def claim_offers(hand: Hand, tile: Tile, wilds: Wilds, left: int, any_gold: bool = False) -> tuple[Action, ...]:
    """Claims on another's discard: kong with three, pong with two that are not wild; () when there is none.

    All tiles of a meld have the same face, a wild stands for nothing else in it (TJ-5.5, TJ-5.6, TJ-5.7, TJ-6.2).
    With `any_gold` any three wilds and a discarded one are a 金杠 (TJ-6.3).
    """
    copies, wild = count(hand, tile), tile in wilds
    if copies < 2 and not (wild and any_gold):
        return ()
    options: list[Action] = []
    if copies == 3 and left:
        options.append(_KONG["kong_gold" if wild else "kong_exposed"][tile])
    if wild and any_gold and left:
        options.extend(_mixed_gold(hand, wilds, 3, (tile,)))
    if not wild:
        options.append(_PONG[tile])
    return (*options, PASS) if options else ()


def claim_rank(claim: Action) -> int:
    """Strength of a claim. All are equal: at most one player can claim a discard (TJ-5.8).

    Only a 金杠 of any wilds can be claimed by two, and then the next in turn has it (TJ-6.3).
    """
    return 0


def silent_choice(position: Position) -> Action:
    """The action of silence in an own turn: no win, no kong; a wild only if nothing else is left (TJ-17.1, TJ-17.3)."""
    if position.left == 0 and position.began != "pong":
        return PASS
    kinds = kinds_of(position.hand)
    candidates = [kind for kind in kinds if kind not in position.wilds] or kinds
    drawn = position.drawn
    return DISCARD[drawn if drawn is not None and drawn in candidates else candidates[-1]]
