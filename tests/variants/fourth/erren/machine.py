"""二人雀 as a machine.

state     command            events                                       next
(none)    start              RoundStarted HandDealt… PhaseBegan           turn of the dealer        ER-1.3
turn      discard            TileDiscarded                                window                    ER-2.1, ER-2.3
turn      win                Won … RoundEnded                             over                      ER-3
window    answer, hold       Answered | HoldEnded, and when due:
          nobody             TileDrawn                                    turn of the other seat    ER-2.1
          nobody, wall empty HandsRevealed … RoundEnded                   over                      ER-2.4
          pong               MeldMade [PointsMoved]                       turn, discard only        ER-2.3, ER-3.4
          win                Won … RoundEnded                             over
any       Abort              [PointsMoved] RoundEnded(void)               over                      ER-3.6
"""

from __future__ import annotations

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, Action
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.ledger import Line
from app.kernel.play.claims import Window, still_asked, takers
from app.kernel.play.commands import Abort, Command
from app.kernel.play.decisions import Decision, answer, hold, question
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import next_seat, turn_order
from app.kernel.shapes.counts import EMPTY
from app.kernel.tiles import DRAGONS, Tile
from app.kernel.variant import Setup, Step, round_started
from tests.variants.fourth.erren import ending
from tests.variants.fourth.erren.offers import claim_options, rank, silence, turn_options
from tests.variants.fourth.erren.rules import META, PLAYERS
from tests.variants.fourth.erren.state import State, evolve
from tests.variants.fourth.erren.winning import HAND


def start(setup: Setup) -> Step[State]:
    """Deal seven tiles a seat, and one more to the dealer (ER-1.3)."""
    entry = EntryBuilder(evolve, None)
    entry.add(round_started(META, setup))
    dealt = HAND * PLAYERS + 1
    for place, seat in enumerate(turn_order(setup.dealer, PLAYERS)):
        hand = setup.wall[place * HAND : (place + 1) * HAND]
        drawn = setup.wall[dealt - 1] if seat == setup.dealer else None
        tiles = hand if drawn is None else (*hand, drawn)
        entry.add(ev.HandDealt(seat, len(tiles), tiles, drawn))
    entry.add(ev.PhaseBegan("turn", setup.dealer, len(setup.wall) - dealt))
    return entry.step()


def decisions(state: State) -> tuple[Decision, ...]:
    """The mover's question, or the other seat's claim and the hold; empty when the round is over."""
    table, window = state.table, state.window
    if table.phase == "over":
        return ()
    if window is not None:
        offers = _claims(state, window)
        asked = [question(table.tick, seat, "claim", offers[seat], PASS) for seat in _asked(window, offers)]
        return tuple(asked) if window.held else (*asked, hold(table.tick))
    if table.turn is None:
        raise InvariantViolation("nobody is to move")
    own = table.seats[table.turn]
    hand = own.hand or EMPTY
    options = turn_options(hand, own.melds, state.ponged)
    return (question(table.tick, table.turn, "turn", options, silence(hand, None if state.ponged else own.drawn)),)


def _claims(state: State, window: Window) -> dict[int, tuple[Action, ...]]:
    seat = next_seat(window.seat, PLAYERS)
    own = state.table.seats[seat]
    options = claim_options(own.hand or EMPTY, own.melds, _tile(window))
    return {seat: options} if options else {}


def _asked(window: Window, offers: dict[int, tuple[Action, ...]]) -> tuple[int, ...]:
    return still_asked(window, offers, rank, several=False)


def _tile(window: Window) -> Tile:
    if window.tile is None:
        raise InvariantViolation("a window without a tile")
    return window.tile


def decide(state: State, open_: tuple[Decision, ...], command: Command) -> Step[State] | Rejection:
    """The entry of a command, or why it is refused."""
    entry = EntryBuilder(evolve, state)
    if isinstance(command, Abort):
        if not open_:
            return Rejection("round_over")
        ending.void(entry)
        return entry.step()
    answered = answer(open_, command)
    if isinstance(answered, Rejection):
        return answered
    decision, chosen = answered
    if decision.seat is None or chosen is None:
        entry.add(ev.HoldEnded())
        _resolve(entry)
    elif decision.clock == "claim":
        entry.add(ev.Answered(decision.seat, chosen, WIN in decision.options and chosen != WIN))
        _resolve(entry)
    elif chosen == WIN:
        ending.won(entry, decision.seat, entry.state.table.seats[decision.seat].drawn, None)
    else:
        entry.add(ev.TileDiscarded(decision.seat, chosen.tiles[0]))
    return entry.step()


def _resolve(entry: EntryBuilder[State]) -> None:
    """The window ends when its hold is over and nobody is asked any more."""
    state, window = entry.state, entry.state.window
    if window is None:
        raise InvariantViolation("an answer without a window")
    if not window.held or _asked(window, _claims(state, window)):
        return
    source, tile, other = window.seat, _tile(window), next_seat(window.seat, PLAYERS)
    claims = takers(window, rank, several=False)
    if not claims:
        if state.table.left == 0:
            ending.exhausted(entry)
        else:
            left = state.table.left
            entry.add(ev.TileDrawn(other, "head", False, left - 1, state.wall[-left]))
    elif claims[0][1].verb == "win":
        ending.won(entry, other, tile, source)
    else:
        number = len(state.table.seats[other].melds)
        entry.add(ev.MeldMade(other, number, "pong", 3, "row", source, tile, tiles=(tile,) * 3))
        if state.rules.dragon_pong and tile in DRAGONS:
            entry.book((Line("dragon_pong", "ER-3.4", source, other, state.rules.base, ((tile, 1),)),))
