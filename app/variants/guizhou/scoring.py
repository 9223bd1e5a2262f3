"""Settlement of a round (结算): from the final position to ledger lines, the next dealer, readiness and patterns.

Points are booked here alone (GZ-17.1). The position holds the facts; whether it was allowed is not judged again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from app.kernel.errors import InvariantViolation
from app.kernel.immutable import immutable
from app.kernel.ledger import Detail, Line
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, Hand
from app.kernel.tiles import Tile
from app.variants.guizhou.chickens import (
    DEFAULT_VALUE,
    Chickens,
    charge_debt,
    chickens_of,
    exposed_debt,
    worth,
)  # fmt: skip
from app.variants.guizhou.rules import Rules
from app.variants.guizhou.winning import PATTERN_VALUE, PatternName, best_of, laid_of, pattern_of, waits_of

By = Literal["draw", "kong_draw", "discard", "rob_kong"]

BEAN_POINTS: Final = 3
SELF_DRAW_FACTOR: Final = 2

_HAND_CLAUSE: Final[dict[By, str]] = {
    "draw": "GZ-12.1", "kong_draw": "GZ-12.3", "discard": "GZ-12.2", "rob_kong": "GZ-12.4",
}  # fmt: skip


@immutable
class FinalSeat:
    """One seat at the end: `hand` of 13 without the winning tile (melds count three each), own melds, own row."""

    hand: Hand
    melds: tuple[Meld, ...]
    row: tuple[Tile, ...]
    declared: bool


@immutable
class FirstCopy:
    """The first discarded copy of a default kind: its discarder and its claimants (without any 冲锋鸡, else 责任鸡)."""

    kind: Tile
    seat: int
    claimants: tuple[int, ...]


@immutable
class Winner:
    """A winner and whether it is 地胡 (GZ-12.9), judged for each winner apart."""

    seat: int
    earth: bool


@immutable
class Win:
    """The win of a round. `source_seat`: discarder or robbed player. With 天胡 `tile` is any of the 14."""

    by: By
    tile: Tile
    winners: tuple[Winner, ...]
    source_seat: int | None
    hot: bool
    heaven: bool


@immutable
class FinalPosition:
    """Everything the settlement depends on. `win` None: 荒庄. `flip` None: the wall was empty at the win (GZ-15.2)."""

    rules: Rules
    dealer: int
    weekday: int
    seats: tuple[FinalSeat, ...]
    firsts: tuple[FirstCopy, ...]
    flip: Tile | None
    win: Win | None


@immutable
class Settlement:
    """Lines, readiness by seat, each winner's pattern and its points (before factors and payer's 杀听), next dealer."""

    lines: tuple[Line, ...]
    ready: tuple[bool, ...]
    patterns: tuple[PatternName, ...]
    details: tuple[Detail, ...]
    next_dealer: int


def settle(final: FinalPosition) -> Settlement:
    """Book the round (GZ-17.1): only ready seats collect (GZ-9.4), 荒庄 pays no bean and no chicken (GZ-7.10, GZ-16.2).

    Raises InvariantViolation when a winner's tiles do not win: callers check that before.
    """
    ready = _readiness(final)
    if final.win is None:
        return Settlement(tuple(_check_lines(final, ready)), ready, (), (), final.dealer)
    patterns = tuple([_winning_pattern(final, final.win, winner) for winner in final.win.winners])
    details = tuple(
        [_hand_detail(final, final.win, w, name) for w, name in zip(final.win.winners, patterns, strict=True)]
    )
    chickens = chickens_of(final.rules, final.flip, final.weekday)
    lines = (
        *_hand_lines(final, final.win, details),
        *_bean_lines(final, ready),
        *_chicken_lines(final, ready, chickens),
        *_bao_lines(final, ready, chickens),
        *_duty_lines(final, ready, chickens),
    )
    return Settlement(lines, ready, patterns, details, next_dealer(final.dealer, final.win))


def next_dealer(dealer: int, win: Win | None) -> int:
    """Winner, discarder (robbed player) of several winners, or after 荒庄 the same again (GZ-2.3, GZ-2.4, GZ-2.5).

    To deal changes no points (GZ-2.6).
    """
    if win is None:
        return dealer
    if len(win.winners) == 1 or win.source_seat is None:
        return win.winners[0].seat
    return win.source_seat


def hand_factor(rules: Rules, win: Win) -> int:
    """The multiplier of the hand points, bonuses included: 自摸翻倍 and 热炮 (GZ-12.1, GZ-12.5, GZ-12.10)."""
    self_drawn = win.by in ("draw", "kong_draw") and rules.zimo_double
    return (SELF_DRAW_FACTOR if self_drawn else 1) * (rules.hot_factor if win.hot else 1)


def winning_hand(seat: FinalSeat, tile: Tile) -> Hand:
    """Concealed tiles of a winner with the winning tile."""
    return seat.hand + ONE[tile]


def _winning_pattern(final: FinalPosition, win: Win, winner: Winner) -> PatternName:
    seat = final.seats[winner.seat]
    hand = winning_hand(seat, win.tile)
    name = pattern_of(hand, None if win.heaven else win.tile, laid_of(seat.melds))
    if name is None:
        raise InvariantViolation(f"seat {winner.seat} wins with tiles that do not win")
    return name


def _readiness(final: FinalPosition) -> tuple[bool, ...]:
    """Which seats are ready at settlement; winners are (GZ-9.3), one that passed a win may be or not (GZ-6.4)."""
    winners = () if final.win is None else tuple([winner.seat for winner in final.win.winners])
    return tuple(
        [place in winners or bool(waits_of(seat.hand, laid_of(seat.melds))) for place, seat in enumerate(final.seats)]
    )


def _pay(
    final: FinalPosition, reason: str, clause: str, payer: int, payee: int, detail: Detail, factor: int = 1
) -> list[Line]:
    """One line `payer` → `payee`, 底分 included; nothing for 0 (GZ-12.11, GZ-17.1)."""
    points = sum([amount for _, amount in detail]) * factor * final.rules.base
    return [Line(reason, clause, payer, payee, points, detail)] if points else []


def _others(final: FinalPosition, seat: int) -> list[int]:
    return [other for other in range(len(final.seats)) if other != seat]


def _hand_detail(final: FinalPosition, win: Win, winner: Winner, name: PatternName) -> Detail:
    rules = final.rules
    bonuses = (
        ("tian_ting", final.seats[winner.seat].declared, rules.tian_ting_bonus),
        ("tian_hu", win.heaven, rules.tian_hu_bonus),
        ("di_hu", winner.earth, rules.di_hu_bonus),
    )
    return ((name, PATTERN_VALUE[name]), *[(token, bonus) for token, applies, bonus in bonuses if applies and bonus])


def sha_ting(rules: Rules) -> Detail:
    """杀听 as part of a detail: what a payer who had declared owes on top (GZ-10.5); empty when it is 0."""
    return (("sha_ting", rules.sha_ting_bonus),) if rules.sha_ting_bonus else ()


def _hand_lines(final: FinalPosition, win: Win, details: tuple[Detail, ...]) -> Iterator[Line]:
    """牌型分 of each winner with its own bonuses (GZ-6.2); 杀听 for paying declarers only (GZ-10.5, GZ-10.6)."""
    clause = "GZ-12.5" if win.hot else "GZ-12.8" if win.heaven else _HAND_CLAUSE[win.by]
    factor = hand_factor(final.rules, win)
    for winner, detail in zip(win.winners, details, strict=True):
        payers = _others(final, winner.seat) if win.source_seat is None else [win.source_seat]
        for payer in payers:
            declared = final.seats[payer].declared
            full = (*detail, *sha_ting(final.rules)) if declared else detail
            yield from _pay(final, "hand", clause, payer, winner.seat, full, factor)


def _bean_lines(final: FinalPosition, ready: tuple[bool, ...]) -> Iterator[Line]:
    """豆分: 点豆 from its source alone, 闷豆 and 爬坡豆 from everybody, 憨包豆 nothing (GZ-7.1).

    The owner must be ready at settlement (GZ-7.5), the payers need not be (GZ-7.6); no factor applies (GZ-7.7).
    """
    for owner, seat in enumerate(final.seats):
        for meld in seat.melds if ready[owner] else ():
            if meld.kind in ("kong_concealed", "kong_added"):
                payers = _others(final, owner)
            elif meld.kind == "kong_exposed" and meld.source_seat is not None:
                payers = [meld.source_seat]
            else:
                continue
            for payer in payers:
                yield from _pay(final, "bean", "GZ-7.1", payer, owner, ((meld.kind, BEAN_POINTS),))


def _charged(final: FinalPosition, seat: int, chickens: Chickens) -> tuple[Tile, ...]:
    """Default kinds of which `seat` threw the 冲锋鸡."""
    return tuple([f.kind for f in final.firsts if f.seat == seat and not f.claimants and f.kind in chickens.defaults])


def _own_copies(final: FinalPosition, seat: int) -> Hand:
    """Hand, winning tile and melds of a seat; the tile won counts for every winner (GZ-6.3)."""
    own = final.seats[seat].hand + laid_of(final.seats[seat].melds).copies
    if final.win is not None and any(winner.seat == seat for winner in final.win.winners):
        own += ONE[final.win.tile]
    return own


def _chicken_lines(final: FinalPosition, ready: tuple[bool, ...], chickens: Chickens) -> Iterator[Line]:
    """鸡分: every ready player collects for its chickens from each other player (GZ-13.9)."""
    for owner, seat in enumerate(final.seats):
        if ready[owner]:
            detail = worth(chickens, _own_copies(final, owner), seat.row, _charged(final, owner, chickens))
            for payer in _others(final, owner):
                yield from _pay(final, "chicken", "GZ-13.9", payer, owner, detail)


def _bao_lines(final: FinalPosition, ready: tuple[bool, ...], chickens: Chickens) -> Iterator[Line]:
    """A not-ready seat pays the ready ones (GZ-14.9): for its 冲锋鸡 (GZ-14.7), with 包鸡 exposed ones (GZ-14.8)."""
    for payer, seat in enumerate(final.seats):
        if ready[payer]:
            continue
        charged = _charged(final, payer, chickens)
        debts = [("GZ-14.7", charge_debt(chickens, charged))]
        if final.rules.bao_chicken:
            debts.append(("GZ-14.8", exposed_debt(chickens, seat.melds, seat.row, charged)))
        for payee in _others(final, payer):
            for clause, detail in debts if ready[payee] else ():
                yield from _pay(final, "bao", clause, payer, payee, detail)


def _duty_lines(final: FinalPosition, ready: tuple[bool, ...], chickens: Chickens) -> Iterator[Line]:
    """责任鸡: the discarder of a claimed first copy pays each ready claimant a flat value (GZ-14.4)."""
    for first in final.firsts:
        if first.kind not in chickens.defaults:
            continue
        for claimant in first.claimants:
            if ready[claimant]:
                detail = (("duty", DEFAULT_VALUE[first.kind]),)
                yield from _pay(final, "duty", "GZ-14.4", first.seat, claimant, detail)


def _check_lines(final: FinalPosition, ready: tuple[bool, ...]) -> Iterator[Line]:
    """查叫: each not-ready player owes each ready one that player's best wait (GZ-16.3, GZ-16.4, GZ-16.5)."""
    for payee, seat in enumerate(final.seats):
        best = best_of(seat.hand, laid_of(seat.melds))
        if best is None:
            continue
        bonus = final.rules.tian_ting_bonus if seat.declared else 0
        detail: Detail = ((best[1], PATTERN_VALUE[best[1]]), *((("tian_ting", bonus),) if bonus else ()))
        for payer in _others(final, payee):
            if not ready[payer]:
                yield from _pay(final, "check", "GZ-16.3", payer, payee, detail)
