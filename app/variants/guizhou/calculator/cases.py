"""List `cases`: the final position of a round → its settlement. Reads and checks; `scoring.settle` does the rest.

The answers in an entry (`expect`, `ready`, `pattern`) are never read.
"""

from __future__ import annotations

from typing import Final, cast

from app.kernel.ledger import net, plain_lines
from app.kernel.shapes.counts import ONE, hand_of
from app.kernel.text.fields import Given, Result, is_whole
from app.kernel.tiles import Tile
from app.variants.guizhou.calculator.reader import GuizhouCase
from app.variants.guizhou.chickens import DEFAULT_VALUE, default_kinds
from app.variants.guizhou.scoring import By, FinalPosition, FinalSeat, FirstCopy, Settlement, Win, Winner, settle
from app.variants.guizhou.winning import laid_of, pattern_of

REASONS: Final = ("hand", "bean", "chicken", "bao", "duty", "check")
"""Reasons of ledger lines, in the order of the rules page (GZ-17.1)."""
_SELF_DRAWN: Final = ("draw", "kong_draw")
_CLAIMS: Final = ("pong", "kong_exposed", "win")


def score_case(entry: Given) -> Result:
    """Settle one round. Raises MalformedInput naming the field."""
    final = _read_final(GuizhouCase(entry))
    settlement = settle(final)
    return {
        "net": list(net(settlement.lines, len(final.seats))),
        "components": _components(settlement, len(final.seats), final.rules.base),
        "next_dealer": settlement.next_dealer,
        "ready": list(settlement.ready),
        "patterns": list(settlement.patterns),
        "ledger": plain_lines(settlement.lines),
    }


def _components(settlement: Settlement, players: int, base: int) -> dict[str, list[int]]:
    """Per reason and seat, before 底分."""
    return {
        reason: [points // base for points in net([ln for ln in settlement.lines if ln.reason == reason], players)]
        for reason in REASONS
    }


def _read_final(case: GuizhouCase) -> FinalPosition:
    """The final position an entry describes. Raises MalformedInput when it makes no sense or cannot be."""
    players = case.players()
    dealer = case.seat("dealer", players)
    rules = case.rules(players)
    weekday = case.part("setup").number("weekday", 1, 7)
    seats = _read_seats(case, players)
    flip = case.tile_or_none("flip")
    if flip is not None:
        case.count((flip,), "flip")
    win = _read_end(case.part("end"), seats, dealer)
    if win is None and flip is not None:
        raise case.wrong("flip", "an exhausted round has no flip")
    firsts = _read_firsts(case.part("events"), seats, default_kinds(rules))
    return FinalPosition(rules, dealer, weekday, seats, firsts, flip, win)


def _read_seats(case: GuizhouCase, players: int) -> tuple[FinalSeat, ...]:
    parts = case.parts("seats")
    if len(parts) != players:
        raise case.wrong("seats", f"expected {players} seats, got {len(parts)}")
    seats: list[FinalSeat] = []
    for place, seat in enumerate(parts):
        hand, melds = seat.hand_and_melds(players, place, 13)
        row = seat.tiles("river")
        seat.count(row, "river")
        seats.append(FinalSeat(hand_of(hand), melds, row, seat.flag("declared_ready")))
    return tuple(seats)


def _read_end(end: GuizhouCase, seats: tuple[FinalSeat, ...], dealer: int) -> Win | None:
    if end.word("kind", ("win", "exhausted")) == "exhausted":
        return None
    by = cast(By, end.word("by", ("draw", "kong_draw", "discard", "rob_kong")))
    source = end.seat("from", len(seats)) if end.given("from") else None
    if (source is None) != (by in _SELF_DRAWN):
        raise end.wrong("from", f"does not fit by {by!r}")
    hot, heaven = end.flag("hot"), end.flag("heaven")
    if hot and by != "discard":
        raise end.wrong("hot", "only a discard can be hot")
    tile, winners = _read_winners(end, by, source, len(seats))
    if heaven and (by != "draw" or winners[0].seat != dealer or winners[0].earth):
        raise end.wrong("heaven", "only the dealer wins with the dealt tiles")
    end.count((tile,), "winners[0].tile")
    for place, winner in enumerate(winners):
        seat = seats[winner.seat]
        if pattern_of(seat.hand + ONE[tile], None if heaven else tile, laid_of(seat.melds)) is None:
            problem = f"{tile} does not complete the hand of seat {winner.seat}"
            raise end.wrong(f"winners[{place}].tile", problem)
    if by == "rob_kong" and source is not None and not _has_pong(seats[source], tile):
        raise end.wrong("from", f"seat {source} has no pong of {tile} to be robbed")
    return Win(by, tile, winners, source, hot, heaven)


def _read_winners(end: GuizhouCase, by: By, source: int | None, players: int) -> tuple[Tile, tuple[Winner, ...]]:
    earth = end.flag("earth")
    parts = end.parts("winners")
    if not parts or (by in _SELF_DRAWN and len(parts) > 1):
        raise end.wrong("winners", f"{len(parts)} winners do not fit by {by!r}")
    winners: list[Winner] = []
    tiles: list[Tile] = []
    for winner in parts:
        seat = winner.seat("seat", players)
        if seat == source or any(other.seat == seat for other in winners):
            raise winner.wrong("seat", f"seat {seat} cannot win here")
        tiles.append(winner.tile("tile"))
        if tiles[-1] != tiles[0]:
            raise winner.wrong("tile", "all winners win the same tile")
        winners.append(Winner(seat, winner.flag("earth", default=earth)))
    return tiles[0], tuple(winners)


def _has_pong(seat: FinalSeat, tile: Tile) -> bool:
    return any(meld.kind == "pong" and meld.tiles[0] == tile for meld in seat.melds)


def _read_firsts(
    events: GuizhouCase, seats: tuple[FinalSeat, ...], defaults: tuple[Tile, ...]
) -> tuple[FirstCopy, ...]:
    firsts: list[FirstCopy] = []
    for first in events.parts("first_discards"):
        kind = first.tile("tile")
        if kind not in DEFAULT_VALUE or any(other.kind == kind for other in firsts):
            raise first.wrong("tile", f"{kind} is no default chicken, or told twice")
        seat = first.seat("seat", len(seats))
        claimants = _read_claimants(first, seat, len(seats))
        if not claimants and kind in defaults and kind not in seats[seat].row:
            raise first.wrong("seat", f"no {kind} lies in the river of seat {seat}")
        firsts.append(FirstCopy(kind, seat, claimants))
    return tuple(firsts)


def _read_claimants(first: GuizhouCase, seat: int, players: int) -> tuple[int, ...]:
    claimants: list[int] = []
    for claimant in first.items("claimed_by"):
        if not is_whole(claimant, 0, players - 1):
            raise first.wrong("claimed_by", f"expected a whole number from 0 to {players - 1}, got {claimant!r}")
        if claimant == seat or claimant in claimants:
            raise first.wrong("claimed_by", f"seat {claimant} cannot claim it")
        claimants.append(claimant)
    claim = first.word("claim", _CLAIMS) if first.given("claim") else None
    if (claim is None) != (not claimants) or (claim != "win" and len(claimants) > 1):
        raise first.wrong("claim", f"{claim!r} does not fit {len(claimants)} claimants")
    return tuple(claimants)
