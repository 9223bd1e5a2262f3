"""Offers to one seat, from its own hand and melds and the tile in question (ER-2)."""

from __future__ import annotations

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, Hand, count, kinds_of
from app.kernel.tiles import Tile
from tests.variants.fourth.erren.winning import reading


def turn_options(hand: Hand, melds: tuple[Meld, ...], ponged: bool) -> tuple[Action, ...]:
    """Win unless the turn began with a pong, else discard (ER-2.1, ER-2.3)."""
    win = (WIN,) if not ponged and reading(hand, melds) else ()
    return (*win, *[action("discard", kind) for kind in kinds_of(hand)])


def claim_options(hand: Hand, melds: tuple[Meld, ...], tile: Tile) -> tuple[Action, ...]:
    """Win, pong, pass on the other's discard; empty when there is nothing to claim (ER-2.2)."""
    options = [WIN] if reading(hand + ONE[tile], melds) else []
    if count(hand, tile) >= 2:
        options.append(action("pong", tile))
    return (*options, PASS) if options else ()


def silence(hand: Hand, drawn: Tile | None) -> Action:
    """The discard of a timeout (ER-2.5)."""
    return action("discard", drawn if drawn is not None else kinds_of(hand)[-1])


def rank(claim: Action) -> int:
    """A win before a pong; only one seat is ever asked."""
    return 0 if claim.verb == "win" else 1
