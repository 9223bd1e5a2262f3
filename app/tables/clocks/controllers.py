"""Controllers that move for a seat when no person does: bots, autoplay (托管), and the switch "win automatically".

A controller sees what a person in that seat would see and answers by an ordinary `Act`, after a pause. No rule stands
here: what autoplay does is the decision's `on_autoplay`, what a bot does is the injected chooser's.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from app.kernel.actions import WIN, Action
from app.kernel.play.decisions import Decision
from app.kernel.table import TableState
from app.kernel.variant import Variant
from app.tables.match.state import SeatState
from app.tables.settings import TableSettings

Controller = Literal["bot", "autoplay", "winner"]
PACE_S: Final = 0.7


def controller(seat: SeatState, decision: Decision) -> Controller | None:
    """The controller that answers this decision; None: the person does."""
    if seat.bot:
        return "bot"
    if seat.autoplay or seat.left:
        return "autoplay"
    return "winner" if seat.auto_win and WIN in decision.options else None


def pace_s(settings: TableSettings) -> float:
    """Seconds before a controller answers: never longer than a window lasts anyway, so it reveals nothing."""
    return min(PACE_S, settings.claim_hold_ms / 1000)


def stand_in(who: Controller, decision: Decision) -> Action:
    """The answer of autoplay or of the automatic win."""
    if who == "winner":
        return WIN
    assert decision.on_autoplay is not None, "a seat's decision states its autoplay action"
    return decision.on_autoplay


def autoplay_choice(variant: Variant[Any], view: TableState, seat: int, decision: Decision, word: int) -> Action:
    """The simplest chooser: a bot that does what autoplay does. Used until a better one is injected."""
    return stand_in("autoplay", decision)
