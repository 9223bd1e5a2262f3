"""List `cases`: the final position of a round → its settlement. Reads and checks; `scoring.settle` does the rest.

The answers in an entry (`expect`, `ready`, `pattern`) are never read.
"""

from __future__ import annotations

from typing import Final, cast

from app.kernel.errors import MalformedInput
from app.kernel.fields import (
    Given,
    TileCount,
    read_flag,
    read_list,
    read_number,
    read_object,
    read_objects,
    read_seat,
    read_word,
)
from app.kernel.ledger import net, plain_lines
from app.kernel.shapes.counts import ONE, hand_of
from app.kernel.tiles import Tile
from app.variants.guizhou.calculator.fields import (
    check_size,
    count_seat,
    read_melds,
    read_players,
    read_rules,
    read_tile,
    read_tile_or_none,
    read_tiles,
)
from app.variants.guizhou.chickens import DEFAULT_VALUE, default_kinds
from app.variants.guizhou.scoring import By, FinalPosition, FinalSeat, FirstCopy, Settlement, Win, Winner, settle
from app.variants.guizhou.winning import laid_of, pattern_of

REASONS: Final = ("hand", "bean", "chicken", "bao", "duty", "check")
"""Reasons of ledger lines, in the order of the rules page (GZ-17.1)."""
_SELF_DRAWN: Final = ("draw", "kong_draw")
_CLAIMS: Final = ("pong", "kong_exposed", "win")


def score_case(entry: Given) -> dict[str, object]:
    """Settle one round. Raises MalformedInput naming the field."""
    final = read_final(entry)
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


def read_final(entry: Given) -> FinalPosition:
    """The final position an entry describes. Raises MalformedInput when it makes no sense or cannot be."""
    players = read_players(entry, "")
    dealer = read_seat(entry, "dealer", "", players)
    rules = read_rules(entry, "", players)
    weekday = read_number(read_object(entry, "setup", ""), "weekday", "setup.", 1, 7)
    tally = TileCount()
    seats = _read_seats(entry, players, tally)
    flip = read_tile_or_none(entry, "flip", "")
    if flip is not None:
        tally.add((flip,), "flip")
    win = _read_end(read_object(entry, "end", ""), seats, dealer, tally)
    if win is None and flip is not None:
        raise MalformedInput("flip", "an exhausted round has no flip")
    firsts = _read_firsts(read_object(entry, "events", ""), seats, default_kinds(rules))
    return FinalPosition(rules, dealer, weekday, seats, firsts, flip, win)


def _read_seats(entry: Given, players: int, tally: TileCount) -> tuple[FinalSeat, ...]:
    entries = read_objects(entry, "seats", "")
    if len(entries) != players:
        raise MalformedInput("seats", f"expected {players} seats, got {len(entries)}")
    seats: list[FinalSeat] = []
    for place, seat in enumerate(entries):
        path = f"seats[{place}]."
        hand, melds = read_tiles(seat, "hand", path), read_melds(seat, path, players, place)
        row = read_tiles(seat, "river", path)
        check_size(hand, melds, 13, f"{path}hand")
        count_seat(tally, hand, melds, path)
        tally.add(row, f"{path}river")
        seats.append(FinalSeat(hand_of(hand), melds, row, read_flag(seat, "declared_ready", path)))
    return tuple(seats)


def _read_end(end: Given, seats: tuple[FinalSeat, ...], dealer: int, tally: TileCount) -> Win | None:
    if read_word(end, "kind", "end.", ("win", "exhausted")) == "exhausted":
        return None
    by = cast(By, read_word(end, "by", "end.", ("draw", "kong_draw", "discard", "rob_kong")))
    source = None if end.get("from") is None else read_seat(end, "from", "end.", len(seats))
    if (source is None) != (by in _SELF_DRAWN):
        raise MalformedInput("end.from", f"does not fit by {by!r}")
    hot, heaven = read_flag(end, "hot", "end."), read_flag(end, "heaven", "end.")
    if hot and by != "discard":
        raise MalformedInput("end.hot", "only a discard can be hot")
    tile, winners = _read_winners(end, by, source, len(seats))
    if heaven and (by != "draw" or winners[0].seat != dealer or winners[0].earth):
        raise MalformedInput("end.heaven", "only the dealer wins with the dealt tiles")
    tally.add((tile,), "end.winners[0].tile")
    for place, winner in enumerate(winners):
        seat = seats[winner.seat]
        if pattern_of(seat.hand + ONE[tile], None if heaven else tile, laid_of(seat.melds)) is None:
            problem = f"{tile} does not complete the hand of seat {winner.seat}"
            raise MalformedInput(f"end.winners[{place}].tile", problem)
    if by == "rob_kong" and source is not None and not _has_pong(seats[source], tile):
        raise MalformedInput("end.from", f"seat {source} has no pong of {tile} to be robbed")
    return Win(by, tile, winners, source, hot, heaven)


def _read_winners(end: Given, by: By, source: int | None, players: int) -> tuple[Tile, tuple[Winner, ...]]:
    earth = read_flag(end, "earth", "end.")
    entries = read_objects(end, "winners", "end.")
    if not entries or (by in _SELF_DRAWN and len(entries) > 1):
        raise MalformedInput("end.winners", f"{len(entries)} winners do not fit by {by!r}")
    winners: list[Winner] = []
    tiles: list[Tile] = []
    for place, winner in enumerate(entries):
        path = f"end.winners[{place}]."
        seat = read_seat(winner, "seat", path, players)
        if seat == source or any(other.seat == seat for other in winners):
            raise MalformedInput(f"{path}seat", f"seat {seat} cannot win here")
        tiles.append(read_tile(winner, "tile", path))
        if tiles[place] != tiles[0]:
            raise MalformedInput(f"{path}tile", "all winners win the same tile")
        winners.append(Winner(seat, read_flag(winner, "earth", path, default=earth)))
    return tiles[0], tuple(winners)


def _has_pong(seat: FinalSeat, tile: Tile) -> bool:
    return any(meld.kind == "pong" and meld.tiles[0] == tile for meld in seat.melds)


def _read_firsts(events: Given, seats: tuple[FinalSeat, ...], defaults: tuple[Tile, ...]) -> tuple[FirstCopy, ...]:
    firsts: list[FirstCopy] = []
    for place, first in enumerate(read_objects(events, "first_discards", "events.")):
        path = f"events.first_discards[{place}]."
        kind = read_tile(first, "tile", path)
        if kind not in DEFAULT_VALUE or any(other.kind == kind for other in firsts):
            raise MalformedInput(f"{path}tile", f"{kind} is no default chicken, or told twice")
        seat = read_seat(first, "seat", path, len(seats))
        claimants = _read_claimants(first, path, seat, len(seats))
        if not claimants and kind in defaults and kind not in seats[seat].row:
            raise MalformedInput(f"{path}seat", f"no {kind} lies in the river of seat {seat}")
        firsts.append(FirstCopy(kind, seat, claimants))
    return tuple(firsts)


def _read_claimants(first: Given, path: str, seat: int, players: int) -> tuple[int, ...]:
    claimants: list[int] = []
    for value in read_list(first, "claimed_by", path):
        claimant = read_seat({"claimed_by": value}, "claimed_by", path, players)
        if claimant == seat or claimant in claimants:
            raise MalformedInput(f"{path}claimed_by", f"seat {claimant} cannot claim it")
        claimants.append(claimant)
    claim = None if first.get("claim") is None else read_word(first, "claim", path, _CLAIMS)
    if (claim is None) != (not claimants) or (claim != "win" and len(claimants) > 1):
        raise MalformedInput(f"{path}claim", f"{claim!r} does not fit {len(claimants)} claimants")
    return tuple(claimants)
