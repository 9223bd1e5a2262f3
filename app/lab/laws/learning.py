"""The law of `why_not`: its reasons and the offers agree at every position, and rest on the seat's own view alone.

Offered: no reason. Suggested by plain equal tiles or a plain complete shape and not offered: a reason. The shapes here
are the kernel's, so that the law does not repeat a game's own recognition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.kernel.actions import Verb
from app.kernel.events import TileDiscarded
from app.kernel.shapes.counts import ONE, Hand, count, kinds_of, size
from app.kernel.shapes.wildcards import fits, split_wilds
from app.kernel.table import TableState
from app.kernel.tiles import COPIES, Tile
from app.kernel.variant import Variant, no_reasons
from app.kernel.views import view
from app.lab.laws.rounds import Entry

_SETTLED = "pair_claim"
"""A meld that is a pair: the hand beside it is made of sets alone."""


def why_law(game: Variant[Any], trace: list[Entry], players: int) -> str | None:
    """The first difference between reasons and offers in words; None when there is none, or nothing is explained."""
    if game.why_not is no_reasons:
        return None
    for number, entry in enumerate(trace):
        for seat in range(players):
            found = why_differs(game, entry, seat)
            if found is not None:
                return f"entry {number}, seat {seat}: {found}"
    return None


def why_differs(game: Variant[Any], entry: Entry, seat: int) -> str | None:
    """The difference at one position of one seat. Where nothing is said, the redeal law looks for what is hidden."""
    state = entry.step.state
    reasons = game.why_not(state, seat)
    if reasons and reasons != game.why_not(replace(state, table=view(state.table, seat)), seat):
        return "the reasons rest on something that the seat does not see"
    said = {reason.action for reason in reasons}
    if len(said) != len(reasons):
        return f"two reasons for one action: {reasons}"
    offered = next((decision.options for decision in entry.after if decision.seat == seat), ())
    if both := said.intersection(offered):
        return f"offered, and with a reason against it: {both}"
    if not offered and not _may_be_asked(entry, seat):
        return None
    verbs = {action.verb for action in (*said, *offered)}
    tiles = {(action.verb, tile) for action in (*said, *offered) for tile in action.tiles}
    for verb, tile in _suggested(game, state.table, seat):
        if (verb not in verbs) if tile is None else ((verb, tile) not in tiles):
            return f"{verb} {tile or ''} is neither offered nor explained"
    return None


def _may_be_asked(entry: Entry, seat: int) -> bool:
    """This entry ends in another seat's discard: no answer of this seat can be in yet."""
    return any(isinstance(event, TileDiscarded) and event.seat != seat for event in entry.step.events)


def _suggested(game: Variant[Any], table: TableState, seat: int) -> Iterator[tuple[Verb, Tile | None]]:
    """Actions that equal tiles or a complete shape suggest to the seat."""
    own = table.seats[seat]
    hand = own.hand
    if hand is None or table.phase != "turn":
        return
    if table.last is not None and table.last[0] != seat:
        tile = table.last[1]
        if _looks_complete(game, table, seat, hand + ONE[tile]):
            yield "win", None
        if count(hand, tile) >= 2:
            yield "pong", tile
        if count(hand, tile) == COPIES - 1:
            yield "kong", tile
    elif table.last is None and table.laid is None and table.turn == seat:
        if _looks_complete(game, table, seat, hand):
            yield "win", None
        yield from [("kong", kind) for kind in kinds_of(hand) if count(hand, kind) == COPIES]
        ponged = [meld.tiles[0] for meld in own.melds if meld.kind == "pong"]
        yield from [("extend", kind) for kind in kinds_of(hand) if kind in ponged]


def _looks_complete(game: Variant[Any], table: TableState, seat: int, hand: Hand) -> bool:
    mark = game.meta.bots.wilds_mark
    wilds = () if mark is None else table.mark(mark)
    pair = all(meld.kind != _SETTLED for meld in table.seats[seat].melds)
    sets, rest = divmod(size(hand) - 2 * pair, 3)
    return not rest and fits(split_wilds(hand, wilds if isinstance(wilds, tuple) else ())[0], sets, pair)  # type: ignore[arg-type]
