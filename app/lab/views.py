"""A view out of its plain form, the inverse of `plain_view`: where a client that comes back goes on folding."""

from __future__ import annotations

from typing import Any

from app.kernel import events as ev
from app.kernel.ledger import Line
from app.kernel.melds import Meld
from app.kernel.notation import freeze, read_event, text_tiles
from app.kernel.shapes.counts import hand_of
from app.kernel.table import Ending, Mark, RoundFacts, SeatTiles, Shown, TableState

Plain = dict[str, Any]


def read_view(plain: Plain) -> TableState:
    """The view that `plain` (the `view` of a sync) describes. Raises KeyError or MalformedInput for anything else."""
    rules = tuple([(name, freeze(value)) for name, value in plain["rules"].items()])
    facts = RoundFacts(
        plain["variant"], rules, plain["rules_version"], plain["players"], plain["dealer"], plain["dealt_at_ms"],
        plain["commitment"], tuple(plain["contributions"]),
    )  # fmt: skip
    seats = tuple([_seat(seat) for seat in plain["seats"]])
    lines = tuple([Line(**{**line, "detail": freeze(line.get("detail", []))}) for line in plain["lines"]])
    shown = Shown(
        _events("dice_rolled", plain["dice"]), _events("tile_flipped", plain["flips"]),
        _events("answers_revealed", plain["answers"]), tuple(plain["passed"]),
        tuple([Mark(m["seat"], m["mark"], freeze(m["value"]), m["private"]) for m in plain["marks"]]),
    )  # fmt: skip
    waits = tuple([text_tiles(text) for text in plain["waits"]])
    ending = Ending(_events("won", plain["wins"]), plain["revealed"], waits, _event("round_ended", plain["ended"]))
    return TableState(
        facts, seats, plain["phase"], plain["turn"], plain["left"], plain["tick"], freeze(plain["last"]),
        _event("tile_laid", plain["laid"]), lines, shown, ending,
    )  # fmt: skip


def _seat(plain: Plain) -> SeatTiles:
    hand = None if plain["hand"] is None else hand_of(text_tiles(plain["hand"]) or ())
    melds = tuple([_meld(meld) for meld in plain["melds"]])
    return SeatTiles(hand, plain["count"], plain["drawn"], melds, text_tiles(plain["row"]) or ())


def _meld(plain: Plain) -> Meld:
    return Meld(**{**plain, "tiles": text_tiles(plain["tiles"]) or ()})


def _events(tag: str, plains: list[Plain]) -> tuple[Any, ...]:
    return tuple([read_event({"type": tag, **plain}) for plain in plains])


def _event(tag: str, plain: Plain | None) -> Any:
    event: ev.Event | None = None if plain is None else read_event({"type": tag, **plain})
    return event
