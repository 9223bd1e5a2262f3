"""List `hands`: is this hand won, for how many points a payer, or which kinds does it wait for (TS-11.6)."""

from __future__ import annotations

from typing import Final

from app.kernel.shapes.counts import ONE, Hand, hand_of
from app.kernel.text.fields import Given, Result
from app.variants.tangshan.calculator.laid import Laid, read_laid
from app.variants.tangshan.calculator.reader import TangshanCase
from app.variants.tangshan.rules import FOUR
from app.variants.tangshan.scoring import WIN_POINTS, claimed_win, drawn_win, waits

_ORIGINS: Final = ("draw", "discard", "rob_xi")


def score_hand(entry: Given) -> Result:
    """`win` and `points` per payer; with `tile` and `by` null the `waits` by draw and by claim (TS-9.8).

    A hand with too few or too many tiles is no win and waits for nothing. Raises MalformedInput.
    """
    e = TangshanCase(entry, known=("rules", "players", "hand", "melds", "tile", "by"))
    players = e.players(FOUR)
    rules = e.rules(players)
    concealed = e.tiles("hand")
    e.count(concealed, "hand")
    laid = read_laid(e, players)
    if not e.given("by"):
        e.absent("tile")
        return {"waits": _waits(laid, hand_of(concealed))}
    by = e.word("by", _ORIGINS)
    if by == "rob_xi" and not rules.rob_xi:
        raise e.wrong("by", "nothing can be robbed while the option rob_xi is off (TS-7.7)")
    tile = e.tile("tile") if e.given("tile") else None
    if tile is not None:
        e.count((tile,), "tile")
    elif by != "draw":
        raise e.wrong("tile", "a claimed win needs its tile")
    hand = hand_of(concealed)
    if tile is not None and by != "draw":
        reason = claimed_win(laid.position(hand), tile)
    else:
        reason = drawn_win(laid.position(hand + (ONE[tile] if tile is not None else 0)), tile)
    return {"win": reason is not None, "points": None if reason is None else WIN_POINTS[reason]}


def _waits(laid: Laid, hand: Hand) -> dict[str, dict[str, int]]:
    position = laid.position(hand)
    owned = hand + sum(hand_of(meld.tiles) for meld in laid.melds)
    found = waits(position, owned)
    return {
        "draw": {wait.tile: wait.by_draw for wait in found if wait.by_draw is not None},
        "claim": {wait.tile: wait.by_claim for wait in found if wait.by_claim is not None},
    }
