"""大唐撸麻雀儿 as a state machine: which seats are asked what, and what follows from an answer.

All judgement is here and in `offers`; `state.evolve` only folds. Points come from `scoring`, the events of a move from
`moves` and `ending`. Nothing here reads a clock or draws a random number; the kernel decides who sees which tile.

    phase     window     asked                                      until
    opening   opening    one seat: light, cover, pass; hold         hold over and passed, or nothing to lay → next seat
    turn      none       the seat to move                           discard, laid addition, or win
    turn      discard    every other seat that can claim; hold      hold over and no open answer can matter
    turn      rob        the same, win or pong only (rob_xi on)     the same
    over      none       nobody

    event that ends a window → what follows
    discard, unclaimed       wall left: the next seat draws · wall empty: exhausted
    discard, claimed         win: the round ends · kong: replacement, turn goes on · all other: discard only
    addition, not taken      points, replacement, turn goes on
    addition, robbed         win: the round ends · pong: discard only; the adder's turn is over

A discard or a laid addition ends its entry, so that the hold does not show which seats could claim (TS-14.5).
Silence passes (TS-15.1) and never wins, lays or claims; 托管 does the same, but wins where it can (TS-15.3).
"""

from __future__ import annotations

from collections import Counter
from typing import Final, cast

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, Action
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.play.claims import Window, still_asked, takers
from app.kernel.play.commands import Abort, Command
from app.kernel.play.decisions import Clock, Decision, answer, hold, question
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import next_seat, others_after, turn_order
from app.kernel.tiles import COPIES, KINDS, Tile
from app.kernel.variant import Setup, Step, round_started
from app.variants.tangshan import moves
from app.variants.tangshan.ending import exhausted, void, won
from app.variants.tangshan.offers import (
    claim_offers,
    claim_rank,
    discard_only,
    opening_offers,
    rob_offers,
    silent_choice,
    turn_offers,
)
from app.variants.tangshan.rules import FOUR, META
from app.variants.tangshan.scoring import claimed_win, drawn_win
from app.variants.tangshan.state import TangshanState, evolve, position_of
from app.variants.tangshan.xi import Xi

HAND: Final = 16
"""Tiles of a waiting hand (TS-2.1)."""


def start(setup: Setup) -> Step[TangshanState]:
    """Deal and ask the dealer for an opening (TS-2.1, TS-2.2, TS-2.3, TS-2.4, TS-2.5, TS-2.6, TS-3.1).

    Raises InvariantViolation when the wall is not 136 tiles or the table size contradicts the options.
    """
    players, dealer = setup.players, setup.dealer
    if setup.rules.players != players:
        raise InvariantViolation(f"options for {setup.rules.players} players at a table of {players}")
    if Counter(setup.wall) != dict.fromkeys(KINDS, COPIES):
        raise InvariantViolation("the wall is not four tiles of each of 34 kinds")
    entry = EntryBuilder(evolve, None)
    entry.add(round_started(META, setup))
    hands = deal(setup.wall, players, dealer)
    for seat in turn_order(dealer, players):
        drawn = hands[seat][-1] if seat == dealer else None
        entry.add(ev.HandDealt(seat, len(hands[seat]), hands[seat], drawn))
    entry.add(ev.PhaseBegan("opening", dealer, len(setup.wall) - HAND * players - 1))
    return entry.step()


def deal(wall: tuple[Tile, ...], players: int, dealer: int) -> dict[int, tuple[Tile, ...]]:
    """Hands by seat: four times four tiles in turn order from the dealer, then one to the dealer (TS-2.2, TS-2.6)."""
    hands: dict[int, tuple[Tile, ...]] = {}
    for place, seat in enumerate(turn_order(dealer, players)):
        parts = [wall[at : at + 4] for at in range(4 * place, HAND * players, 4 * players)]
        hands[seat] = tuple([tile for part in parts for tile in part])
    hands[dealer] += (wall[HAND * players],)
    return hands


def decisions(state: TangshanState) -> tuple[Decision, ...]:
    """Open questions, each derived from what its seat sees; empty only when the round is over.

    A claim question stays open until its window closes, even when it cannot matter any more: if it vanished, it
    would show another seat's answer (TS-14.1).
    """
    table, window = state.table, state.window
    if table.phase == "over":
        return ()
    if window is None:
        return (_turn_decision(state),)
    clock: Clock = "opening" if window.kind == "opening" else "claim"
    asked = [question(table.tick, seat, clock, offers, PASS) for seat, offers in _window_offers(state, window).items()]
    return tuple(asked) if window.held else (*asked, hold(table.tick))


def _turn_decision(state: TangshanState) -> Decision:
    seat = state.table.turn
    if seat is None:
        raise InvariantViolation("nobody is to move")
    position = position_of(state.table, seat)
    offers = discard_only(position) if state.claimed else turn_offers(position, state.table.left)
    silent = silent_choice(position, None if state.claimed else state.table.seats[seat].drawn)
    return question(state.table.tick, seat, "turn", offers, silent)


def _window_offers(state: TangshanState, window: Window) -> dict[int, tuple[Action, ...]]:
    """The choices of each seat that has not answered in the window; seats without a choice are left out (TS-3.3)."""
    opening = window.kind == "opening"
    seats = (window.seat,) if opening else others_after(window.seat, state.rules.players)
    offers = {seat: _offers_in(state, window, seat) for seat in seats if window.answers[seat] is None}
    return {seat: options for seat, options in offers.items() if options}


def _offers_in(state: TangshanState, window: Window, seat: int) -> tuple[Action, ...]:
    position, left = position_of(state.table, seat), state.table.left
    if window.kind == "opening":
        return opening_offers(position, left)
    if window.tile is None:
        raise InvariantViolation(f"a window of kind {window.kind} without a tile")
    if window.kind == "rob":
        return rob_offers(position, window.tile)
    may_chow = state.rules.players == FOUR and next_seat(window.seat, FOUR) == seat
    return claim_offers(position, window.tile, may_chow, left)


def decide(state: TangshanState, open_: tuple[Decision, ...], command: Command) -> Step[TangshanState] | Rejection:
    """The entry of one command; `open_` is `decisions(state)`. Abort voids the round (TS-12.4)."""
    entry = EntryBuilder(evolve, state)
    if isinstance(command, Abort):
        if not open_:
            return Rejection("round_over")
        void(entry)
        return entry.step()
    answered = answer(open_, command)
    if isinstance(answered, Rejection):
        return answered
    decision, choice = answered
    if decision.seat is None or choice is None:
        entry.add(ev.HoldEnded())
        _close_window(entry, open_)
    elif decision.clock == "turn" or (decision.clock == "opening" and choice != PASS):
        _act_in_turn(entry, decision.seat, choice)
    else:
        _answer_window(entry, open_, decision, choice)
    return entry.step()


def _answer_window(
    entry: EntryBuilder[TangshanState], open_: tuple[Decision, ...], decision: Decision, choice: Action
) -> None:
    """Note a seat's answer; a win offered and not taken locks its line (TS-10.2)."""
    seat, window = decision.seat, entry.state.window
    if seat is None or window is None:
        raise InvariantViolation("an answer without a window")
    declined = decision.options[0] == WIN and choice != WIN
    entry.add(ev.Answered(seat, choice, declined))
    if declined and window.tile is not None:
        moves.lock(entry, seat, window.tile)
    _close_window(entry, open_)


def _close_window(entry: EntryBuilder[TangshanState], open_: tuple[Decision, ...]) -> None:
    """Close the window when its hold is over and no open answer can still matter."""
    window = entry.state.window
    if window is None or not window.held:
        return
    offers = {d.seat: d.options for d in open_ if d.seat is not None}
    if window.kind == "opening":
        if window.seat not in offers or window.answers[window.seat] is not None:
            _pass_opening(entry, window.seat)
    elif not still_asked(window, offers, claim_rank, several=False):
        taken = takers(window, claim_rank, several=False)
        if taken:
            _claim(entry, *taken[0])
        else:
            _unclaimed(entry)


def _pass_opening(entry: EntryBuilder[TangshanState], seat: int) -> None:
    """The seat has passed its opening or had nothing to lay; after the last seat the dealer's turn begins (TS-3.4)."""
    table = entry.state.table
    following, dealer = next_seat(seat, entry.state.rules.players), table.facts.dealer
    entry.add(ev.SeatPassed(seat))
    entry.add(ev.PhaseBegan("turn" if following == dealer else "opening", following, table.left))


def _unclaimed(entry: EntryBuilder[TangshanState]) -> None:
    """No seat took the tile: the next draw, the end of the wall (TS-12.2), or the addition goes through (TS-7.9)."""
    state = entry.state
    window = state.window
    if window is None or window.tile is None:
        raise InvariantViolation("no tile to be claimed")
    if window.kind == "rob":
        moves.add_xi(entry, window.seat, window.tile, "laid")
    elif state.table.left == 0:
        exhausted(entry)
    else:
        moves.draw(entry, next_seat(window.seat, state.rules.players), replacement=False)


def _claim(entry: EntryBuilder[TangshanState], seat: int, choice: Action) -> None:
    """The claim that succeeds: strongest first, then nearest after the source (截胡, TS-5.1, TS-5.2)."""
    window = entry.state.window
    if window is None or window.tile is None:
        raise InvariantViolation("no tile to be claimed")
    source, tile, robbed = window.seat, window.tile, window.kind == "rob"
    match choice.verb:
        case "win":
            reason = claimed_win(position_of(entry.state.table, seat), tile)
            if reason is None:
                raise InvariantViolation(f"seat {seat} was offered a win on {tile} that is none")
            won(entry, seat, tile, "rob_xi" if robbed else "discard", source, reason)
        case "kong":
            moves.exposed_kong(entry, seat, source, tile)
        case "pong":
            moves.pong(entry, seat, source, tile, robbed)
        case "chow":
            moves.chow(entry, seat, source, tile, choice.tiles)
        case _:
            moves.pair_claim(entry, seat, source, tile)


def _act_in_turn(entry: EntryBuilder[TangshanState], seat: int, choice: Action) -> None:
    """One action of an own turn or of the opening (TS-4.1, TS-3.1)."""
    state = entry.state
    match choice.verb:
        case "discard":
            entry.add(ev.TileDiscarded(seat, choice.tiles[0]))
        case "win":
            drawn = state.table.seats[seat].drawn
            reason = drawn_win(position_of(state.table, seat), drawn)
            if reason is None:
                raise InvariantViolation(f"seat {seat} was offered a self-drawn win that is none")
            won(entry, seat, drawn, "draw", None, reason)
        case "light":
            moves.light(entry, seat, cast(Xi, choice.choice))
        case "cover":
            moves.cover(entry, seat, choice.tiles[0])
        case "kong":
            moves.concealed_kong(entry, seat, choice.tiles[0])
        case _:
            if state.rules.rob_xi:
                moves.lay(entry, seat, choice.tiles[0])
            else:
                moves.add_xi(entry, seat, choice.tiles[0], "own")
