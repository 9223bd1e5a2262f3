"""The one door to a bot: view and decision in, one of the offered actions out.

Everything a bot knows is what a person in its seat sees (`views.view` of that seat) and the seat's own open decision.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from app.bots.claims import worth
from app.bots.discards import best_throw
from app.bots.sight import Sight, sight, unseen
from app.kernel.actions import Action
from app.kernel.play.decisions import Decision
from app.kernel.table import TableState
from app.kernel.variant import Variant

Effort = Literal["random", "easy", "normal"]
EFFORTS: Final[tuple[Effort, ...]] = ("random", "easy", "normal")
_BOLDNESS: Final = 4
"""One time in four a bot takes a doubling that it is asked for in secret (坐庄, 拉庄)."""


def choose(
    variant: Variant[Any], view: TableState, seat: int, decision: Decision, word: int, effort: Effort = "normal"
) -> Action:
    """One of `decision.options`.

    `view` is the seat's own; `word` any number ≥ 0, all the chance there is. `random` takes anything; `easy` and
    `normal` take every win and play towards the nearest complete hand, `normal` counting the tiles it has seen.
    Raises TypeError when the view is not the seat's own, ValueError for a hold, which nobody answers.
    """
    options = decision.options
    if decision.seat != seat:
        raise ValueError(f"decision {decision.id} is not one of seat {seat}")
    if len(options) == 1:
        return options[0]
    if effort == "random":
        return options[word % len(options)]
    if options[0].verb == "win":
        return options[0]
    if options[0].verb in ("sit", "pull"):
        return _boldly(options, word)
    own = sight(variant, view, seat)
    return _judged(options, own, view, seat) or _rest(options, own, view, seat, word, effort)


def _judged(options: tuple[Action, ...], own: Sight, view: TableState, seat: int) -> Action | None:
    """The first offer, in their fixed order, that is worth taking."""
    own_turn = options[-1].verb == "discard" or view.phase == "opening"
    melds = view.seats[seat].melds
    for option in options:
        if option.verb not in ("discard", "pass") and worth(option, own, melds, own_turn):
            return option
    return None


def _rest(
    options: tuple[Action, ...], own: Sight, view: TableState, seat: int, word: int, effort: Effort
) -> Action:  # fmt: skip
    if options[-1].verb == "pass":
        return options[-1]
    throws = tuple([option for option in options if option.verb == "discard"])
    return best_throw(throws, own, unseen(view, seat) if effort == "normal" else None, word)


def _boldly(options: tuple[Action, ...], word: int) -> Action:
    return options[0] if word % _BOLDNESS else options[word // _BOLDNESS % len(options)]
