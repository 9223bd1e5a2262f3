"""Planted leaks: games and eyes with one thing wrong, so that the secrecy laws can be shown to fail on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.kernel import events as ev
from app.kernel.errors import Rejection
from app.kernel.ledger import Line
from app.kernel.melds import Meld
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.seats import others_after
from app.kernel.table import SeatTiles, TableState
from app.kernel.variant import Step, Variant
from app.kernel.views import project, view
from tests.laws.seeing import Eyes

Game = Variant[Any]
Open = tuple[Decision, ...]

# ── eyes ──


def _cover_seen(event: ev.Event, viewer: int) -> ev.Event | None:
    face = project(event, viewer)
    if isinstance(event, ev.MeldMade) and isinstance(face, ev.MeldMade) and event.face_down:
        return replace(face, tiles=event.tiles[:1])
    return face


def _draw_seen(event: ev.Event, viewer: int) -> ev.Event | None:
    return event if isinstance(event, ev.TileDrawn) else project(event, viewer)


def _answer_seen(event: ev.Event, viewer: int) -> ev.Event | None:
    return event if isinstance(event, ev.Answered) else project(event, viewer)


def _wall_seen(event: ev.Event, viewer: int) -> ev.Event | None:
    return event if isinstance(event, ev.RoundStarted) else project(event, viewer)


def _marks_in_view(table: TableState, viewer: int) -> TableState:
    return replace(view(table, viewer), shown=table.shown)


def _meld_kind_in_view(table: TableState, viewer: int) -> TableState:
    """Backs, but of a kind with a name: a late kong differs from one in time, a cover from a kong."""
    seen = view(table, viewer)
    seats = tuple(
        [
            SeatTiles(
                mine.hand, mine.count, mine.drawn,
                tuple([_named(m, full) for m, full in zip(mine.melds, whole.melds, strict=True)]),
                mine.row,
            )
            for mine, whole in zip(seen.seats, table.seats, strict=True)
        ]
    )  # fmt: skip
    return replace(seen, seats=seats)


def _named(seen: Meld, full: Meld) -> Meld:
    return replace(seen, kind="kong_late") if full.kind == "kong_late" else seen


COVER_SEEN = Eyes(project=_cover_seen)
DRAW_SEEN = Eyes(project=_draw_seen)
ANSWER_SEEN = Eyes(project=_answer_seen)
WALL_SEEN = Eyes(project=_wall_seen)
MARKS_SEEN = Eyes(view=_marks_in_view)
LATE_SEEN = Eyes(view=_meld_kind_in_view)

# ── games ──


def with_events(game: Game, step: Any, *events: ev.Event) -> Any:
    """The step with more events at its end."""
    state = step.state
    for event in events:
        state = game.evolve(state, event)
    return Step((*step.events, *events), state)


def _deciding(change: Callable[[Game, Any, Open, Command, Any], Any]) -> Callable[[Game], Game]:
    """A mutant whose accepted steps are changed."""

    def mutate(game: Game) -> Game:
        def decide(state: Any, open_: Open, command: Command) -> Any:
            step = game.decide(state, open_, command)
            return step if isinstance(step, Rejection) else change(game, state, open_, command, step)

        return replace(game, decide=decide)

    return mutate


def numbered_over_all_prompts(game: Game) -> Game:
    """Decision ids count the prompts open now, whosoever."""

    def decisions(state: Any) -> Open:
        open_ = game.decisions(state)
        return tuple([replace(d, id=f"{state.table.tick + len(open_)}.{d.id.split('.')[1]}") for d in open_])

    return replace(game, decisions=decisions)


def hold_only_if_claimable(game: Game) -> Game:
    """A window in which nobody can claim shows it: its hold has another name (without any hold the round would end)."""

    def decisions(state: Any) -> Open:
        open_ = game.decisions(state)
        return open_ if len(open_) > 1 or not open_ or open_[0].seat is not None else (replace(open_[0], id="idle"),)

    return replace(game, decisions=decisions)


def pong_only_if_nobody_wins(game: Game) -> Game:
    """Weaker claims are not offered when another seat could win: politeness that tells of a ready hand."""

    def decisions(state: Any) -> Open:
        open_ = game.decisions(state)
        if not any(d.clock == "claim" and d.options[0].verb == "win" for d in open_):
            return open_
        return tuple([d for d in open_ if d.seat is None or d.clock != "claim" or d.options[0].verb == "win"])

    return replace(game, decisions=decisions)


def tick_counts_answers(game: Game) -> Game:
    """The tick moves on with events nobody sees."""

    def evolve(state: Any, event: ev.Event) -> Any:
        after = game.evolve(state, event)
        if isinstance(event, ev.Answered):
            return replace(after, table=replace(after.table, tick=after.table.tick + 1))
        return after

    return replace(game, evolve=evolve, decide=_folding(game, evolve))


def other_seats_are_told_apart(game: Game) -> Game:
    """S1: an act for another seat's question is refused otherwise than one for a question that nobody is asked."""

    def decide(state: Any, open_: Open, command: Command) -> Any:
        if isinstance(command, Act) and any(d.id == command.decision_id and d.seat != command.seat for d in open_):
            return Rejection("not_offered")
        return game.decide(state, open_, command)

    return replace(game, decide=decide)


def _folding(game: Game, evolve: Any) -> Any:
    def decide(state: Any, open_: Open, command: Command) -> Any:
        step = game.decide(state, open_, command)
        if isinstance(step, Rejection):
            return step
        after = state
        for event in step.events:
            after = evolve(after, event)
        return Step(step.events, after)

    return decide


def _cover_paid(game: Game, state: Any, open_: Open, command: Command, step: Any) -> Any:
    for event in step.events:
        if isinstance(event, ev.MeldMade) and event.face_down:
            price = 6 if event.tiles[0][1] == "z" else 2
            players = step.state.table.facts.players
            lines = [Line("cover", "TOY-8", payer, event.seat, price) for payer in others_after(event.seat, players)]
            return with_events(game, step, ev.PointsMoved(tuple(lines)))
    return step


def _walks_on(game: Game, state: Any, open_: Open, command: Command, step: Any) -> Any:
    open_now = game.decisions(step.state)
    if isinstance(step.events[-1], ev.TileDiscarded) and len(open_now) == 1:
        later = game.decide(step.state, open_now, TimeOut(open_now[0].id))
        assert isinstance(later, Step)
        return Step(step.events + later.events, later.state)
    return step


def _sit_shows(game: Game, state: Any, open_: Open, command: Command, step: Any) -> Any:
    if isinstance(command, Act) and command.action.choice is True:
        return with_events(game, step, ev.SeatPassed(command.seat))
    return step


def _slow_shows(game: Game, state: Any, open_: Open, command: Command, step: Any) -> Any:
    if isinstance(command, TimeOut) and isinstance(step.events[0], ev.Answered):
        return with_events(game, step, ev.Marked(step.events[0].seat, "slow", True))
    return step


def _answering_shows(game: Game, state: Any, open_: Open, command: Command, step: Any) -> Any:
    if isinstance(step.events[0], ev.Answered):
        return with_events(game, step, ev.Marked(None, "answered_last", step.events[0].seat))
    return step


cover_paid_at_once = _deciding(_cover_paid)
walks_through_windows = _deciding(_walks_on)
sit_shows = _deciding(_sit_shows)
slowness_shows = _deciding(_slow_shows)
answering_shows = _deciding(_answering_shows)
