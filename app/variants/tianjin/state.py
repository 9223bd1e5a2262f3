"""The state of a round of 天津麻将 and its fold: the table, plus the wall, the open window and how the turn began.

`evolve` is total and judges nothing: every event is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.immutable import immutable
from app.kernel.play.claims import Window, evolve_window, open_window
from app.kernel.table import TableState, evolve_table
from app.kernel.tiles import Tile
from app.variants.tianjin import wall as walls
from app.variants.tianjin.offers import Began, Position, is_dead, wilds_seen
from app.variants.tianjin.rules import PLAYERS, Rules, rules_of
from app.variants.tianjin.wall import Wall


@immutable
class Secret:
    """Inputs of a round, revealed later: four dice faces (two of D, two of O), and the seed."""

    dice: tuple[int, ...]
    seed: str

    @property
    def n(self) -> int:
        """The dealer's sum: where the wall is broken (TJ-4.3)."""
        return sum(self.dice[:2])

    @property
    def m(self) -> int:
        """The opposite seat's sum: which stack from the tail is turned (TJ-4.5)."""
        return sum(self.dice[2:])


@immutable
class TianjinState:
    """`window`: open or None. `began`: how the turn began.

    `firsts`: the discards of the first go-round; None once one of them was claimed. Concealed kongs before the first
    discards change nothing (TJ-8.4).
    """

    table: TableState
    rules: Rules
    secret: Secret
    wall: Wall
    window: Window | None
    began: Began
    firsts: tuple[Tile, ...] | None


def evolve(state: TianjinState | None, event: ev.Event) -> TianjinState:
    """Apply one event. Raises InvariantViolation when the first one is not a full `RoundStarted`."""
    if state is None:
        return _started(event)
    table = evolve_table(state.table, event)
    change = _EVOLVE.get(type(event))
    if change is not None:
        return change(state, table, event)
    return TianjinState(table, state.rules, state.secret, state.wall, state.window, state.began, state.firsts)


def _started(event: ev.Event) -> TianjinState:
    table = evolve_table(None, event)
    if type(event) is not ev.RoundStarted or event.wall is None or event.dice is None or event.seed is None:
        raise InvariantViolation("a state needs the whole RoundStarted: wall, dice and seed")
    secret = Secret(event.dice, event.seed)
    wall = Wall(event.wall, walls.indicator_index(secret.m))
    return TianjinState(table, rules_of(table), secret, wall, None, "deal", ())


def _phase(s: TianjinState, table: TableState, e: ev.PhaseBegan) -> TianjinState:
    window = open_window("answers", table.facts.dealer, None, PLAYERS) if e.phase == "answers" else None
    return TianjinState(table, s.rules, s.secret, s.wall, window, "deal", s.firsts)


def _answer(s: TianjinState, table: TableState, e: ev.Answered | ev.HoldEnded) -> TianjinState:
    if s.window is None:
        raise InvariantViolation("an answer without a window")
    return TianjinState(table, s.rules, s.secret, s.wall, evolve_window(s.window, e), s.began, s.firsts)


def _no_window(s: TianjinState, table: TableState, e: ev.AnswersRevealed | ev.RoundEnded) -> TianjinState:
    return TianjinState(table, s.rules, s.secret, s.wall, None, s.began, s.firsts)


def _drawn(s: TianjinState, table: TableState, e: ev.TileDrawn) -> TianjinState:
    _, wall = walls.replacement(s.wall) if e.end == "tail" else walls.front(s.wall)
    return TianjinState(table, s.rules, s.secret, wall, None, "replacement" if e.replacement else "draw", s.firsts)


def _discarded(s: TianjinState, table: TableState, e: ev.TileDiscarded) -> TianjinState:
    firsts = s.firsts
    if firsts is not None and len(firsts) < PLAYERS:
        firsts = (*firsts, e.tile)
    window = open_window("discard", e.seat, e.tile, PLAYERS)
    return TianjinState(table, s.rules, s.secret, s.wall, window, s.began, firsts)


def _melded(s: TianjinState, table: TableState, e: ev.MeldMade) -> TianjinState:
    if e.source != "row":
        return TianjinState(table, s.rules, s.secret, s.wall, None, s.began, s.firsts)
    firsts = s.firsts if s.firsts is not None and len(s.firsts) == PLAYERS else None
    return TianjinState(table, s.rules, s.secret, s.wall, None, "pong", firsts)


_EVOLVE: Final[dict[type[Any], Callable[[TianjinState, TableState, Any], TianjinState]]] = {
    ev.PhaseBegan: _phase,
    ev.Answered: _answer,
    ev.HoldEnded: _answer,
    ev.AnswersRevealed: _no_window,
    ev.TileDrawn: _drawn,
    ev.TileDiscarded: _discarded,
    ev.MeldMade: _melded,
    ev.RoundEnded: _no_window,
}
"""The fields beside the table after an event; all other events leave them alone."""


def position_of(state: TianjinState, seat: int) -> Position:
    """What `seat` sees of itself in its own turn. Raises InvariantViolation before the indicator is flipped."""
    own, wilds = state.table.seats[seat], wilds_seen(state.table)
    if own.hand is None or wilds is None:
        raise InvariantViolation("a turn before the indicator is flipped, or with a hidden hand")
    drawn = None if state.began == "pong" else own.drawn
    return Position(
        own.hand, drawn, own.melds, wilds, is_dead(state.table, seat), state.began, state.table.left,
        state.rules.kong_bloom_plain, state.rules.any_gold,
    )  # fmt: skip
