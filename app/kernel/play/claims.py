"""Windows: several seats answer side by side, a hold decided by the clock alone, and one resolution order.

Serves discard claims, robbing, the opening pass and secret answers. Knows ranks and turn order, no game.
A window stands in the variant's state, never on the table: which seats were asked stays secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal

from app.kernel.actions import Action
from app.kernel.events import Answered, HoldEnded
from app.kernel.immutable import immutable
from app.kernel.seats import others_after
from app.kernel.tiles import Tile

WindowKind = Literal["discard", "rob", "opening", "answers"]
Rank = Callable[[Action], int]
"""Strength of a claim, 0 the strongest; only asked of actions other than pass."""
Offers = Mapping[int, tuple[Action, ...]]
"""Options by seat, for the seats that are asked at all."""


@immutable
class Window:
    """An open window. `seat` is its source (discarder, adder, the seat in the opening), `answers` by seat.

    `held`: the hold is over. A window of kind `answers` has no hold and starts with held True.
    """

    kind: WindowKind
    seat: int
    tile: Tile | None
    answers: tuple[Action | None, ...]
    held: bool


@lru_cache(maxsize=1024)  # every discard opens one; there are not 700 in all
def open_window(kind: WindowKind, seat: int, tile: Tile | None, players: int) -> Window:
    """A fresh window without an answer."""
    return Window(kind, seat, tile, (None,) * players, kind == "answers")


def evolve_window(window: Window, event: Answered | HoldEnded) -> Window:
    """Note an answer, or that the hold is over."""
    if isinstance(event, HoldEnded):
        return Window(window.kind, window.seat, window.tile, window.answers, True)
    answers = (*window.answers[: event.seat], event.action, *window.answers[event.seat + 1 :])
    return Window(window.kind, window.seat, window.tile, answers, window.held)


def takers(window: Window, rank: Rank, several: bool) -> tuple[tuple[int, Action], ...]:
    """Claims that succeed among the answers given: strongest rank, then turn order; all of that rank if `several`."""
    claims = [
        (rank(action), seat, action)
        for seat in others_after(window.seat, len(window.answers))
        if (action := window.answers[seat]) is not None and action.verb != "pass"
    ]
    if not claims:
        return ()
    best = min(claims, key=lambda claim: claim[0])[0]
    strongest = tuple([(seat, action) for strength, seat, action in claims if strength == best])
    return strongest if several else strongest[:1]


def still_asked(window: Window, offers: Offers, rank: Rank, several: bool) -> tuple[int, ...]:
    """Seats out of `offers` whose answer is still missing and could still change the result, in turn order."""
    standing = takers(window, rank, several)
    asked: list[int] = []
    order = others_after(window.seat, len(window.answers))
    for place, seat in enumerate(order):
        if seat not in offers or window.answers[seat] is not None:
            continue
        if standing:
            best = min((rank(action) for action in offers[seat] if action.verb != "pass"), default=None)
            limit = rank(standing[0][1])
            if best is None or best > limit:
                continue
            if best == limit and not several and order.index(standing[0][0]) < place:
                continue
        asked.append(seat)
    return tuple(asked)
