"""List `cases`: scoring events in order, then the end; the whole ledger and its sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.kernel.immutable import immutable
from app.kernel.ledger import Line, net, plain_lines, reversal
from app.kernel.shapes.counts import ONE, hand_of
from app.kernel.text.fields import Given, Result
from app.kernel.tiles import Tile
from app.variants.tangshan.calculator.laid import Laid
from app.variants.tangshan.calculator.reader import TangshanCase
from app.variants.tangshan.offers import with_hand
from app.variants.tangshan.rules import VOID_CLAUSE, Rules
from app.variants.tangshan.scoring import (
    WIN_POINTS,
    WinReason,
    add_lines,
    claimed_win,
    concealed_kong_lines,
    cover_lines,
    drawn_win,
    exposed_kong_lines,
    light_lines,
    pong_lines,
    win_lines,
)
from app.variants.tangshan.winning import fits

_FIELDS: Final = {
    "chow": ("from", "tiles"),
    "pong": ("from", "tile"),
    "pair_claim": ("from", "tile"),
    "cover": ("tile",),
    "kong_exposed": ("from", "tile"),
    "kong_concealed": ("tile",),
    "xi_light": ("xi", "late"),
    "xi_add": ("tile", "robbed_by", "robbed_for"),
}
"""The fields of each event beside `do` and `seat`."""
_ENDS: Final = {"win": ("seat", "by", "from", "tile", "hand"), "exhausted": (), "void": ()}


@immutable
class _Robbed:
    """An addition taken for a win: the end must repeat it."""

    adder: int
    taker: int
    tile: Tile


class _Play:
    """The events so far: sets by seat, lines booked, whether the opening is still on."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.players = rules.players
        self.laid = [Laid() for _ in range(rules.players)]
        self.lines: list[Line] = []
        self.opening = True
        self.robbed: _Robbed | None = None

    def source(self, e: TangshanCase, seat: int, only_previous: bool = False) -> int:
        """The seat a claimed tile came from; chow and pair claim from the previous seat only (TS-5.5, TS-8.1)."""
        source = e.seat("from", self.players, apart_from=seat)
        if only_previous and (source + 1) % self.players != seat:
            raise e.wrong("from", f"seat {source} is not the previous seat of {seat}")
        return source


def _chow(play: _Play, e: TangshanCase, seat: int) -> None:
    e.four_players_only(play.players)
    play.source(e, seat, only_previous=True)
    play.laid[seat].chow(e, e.tiles("tiles"), play.players)


def _pair_claim(play: _Play, e: TangshanCase, seat: int) -> None:
    e.four_players_only(play.players)
    play.source(e, seat, only_previous=True)
    play.laid[seat].pair_claim(e, e.tile("tile"), play.players)


def _pong(play: _Play, e: TangshanCase, seat: int) -> None:
    source, tile = play.source(e, seat), e.tile("tile")
    play.laid[seat].same(e, "pong", tile)
    play.lines.extend(pong_lines(seat, source, tile))


def _cover(play: _Play, e: TangshanCase, seat: int) -> None:
    play.laid[seat].same(e, "cover", e.tile("tile"))


def _kong_exposed(play: _Play, e: TangshanCase, seat: int) -> None:
    source, tile = play.source(e, seat), e.tile("tile")
    play.laid[seat].kong(e, "kong_exposed", tile)
    play.lines.extend(exposed_kong_lines(seat, source, play.players, tile))


def _kong_concealed(play: _Play, e: TangshanCase, seat: int) -> None:
    tile = e.tile("tile")
    play.laid[seat].kong(e, "kong_concealed", tile)
    play.lines.extend(concealed_kong_lines(seat, play.players, tile))


def _xi_light(play: _Play, e: TangshanCase, seat: int) -> None:
    xi = e.xi()
    if not e.flag("late") and not play.opening:
        raise e.wrong("late", "the opening is over after the first claim, kong, addition or late lighting (TS-3.1)")
    play.laid[seat].light(e, xi)
    play.lines.extend(light_lines(seat, play.players, xi, play.rules.scoring))


def _xi_add(play: _Play, e: TangshanCase, seat: int) -> None:
    tile = e.tile("tile")
    if not play.laid[seat].has_lit(tile):
        raise e.wrong("tile", f"no lit set of the category of {tile} (TS-7.6)")
    if not e.given("robbed_by"):
        e.absent("robbed_for")
        play.laid[seat].extend_xi(e, tile)
        e.count((tile,), "tile")
        play.lines.extend(add_lines(seat, play.players, tile))
        return
    if not play.rules.rob_xi:
        raise e.wrong("robbed_by", "nothing can be robbed while the option rob_xi is off (TS-7.7)")
    taker = e.seat("robbed_by", play.players, apart_from=seat)
    if e.word("robbed_for", ("pong", "win")) == "win":
        play.robbed = _Robbed(seat, taker, tile)
    else:
        play.laid[taker].same(e, "pong", tile)
        play.lines.extend(pong_lines(taker, seat, tile))


_EVENTS: Final[dict[str, Callable[[_Play, TangshanCase, int], None]]] = {
    "chow": _chow,
    "pong": _pong,
    "pair_claim": _pair_claim,
    "cover": _cover,
    "kong_exposed": _kong_exposed,
    "kong_concealed": _kong_concealed,
    "xi_light": _xi_light,
    "xi_add": _xi_add,
}


def _apply(play: _Play, e: TangshanCase) -> None:
    do = e.word("do", _EVENTS)
    e.allow(("do", "seat", *_FIELDS[do]))
    if play.robbed is not None:
        raise e.wrong("do", "the addition before was robbed for a win, nothing can follow (TS-12.1)")
    _EVENTS[do](play, e, e.seat("seat", play.players))
    if do != "cover" and not (do == "xi_light" and not e.flag("late")):
        play.opening = False


def _win(play: _Play, end: TangshanCase) -> WinReason:
    """Check the winning hand, book the win, return its reason."""
    seat = end.seat("seat", play.players)
    by = end.word("by", ("draw", "discard", "rob_xi"))
    concealed = end.tiles("hand")
    end.count(concealed, "hand")
    tile = end.tile("tile") if end.given("tile") else None
    if tile is not None:
        end.count((tile,), "tile")
    source = None
    if by == "draw":
        end.absent("from")
    else:
        source = play.source(end, seat)
    robbed = None if tile is None or source is None or by != "rob_xi" else _Robbed(source, seat, tile)
    if robbed != play.robbed:
        raise end.wrong("by", "a win by rob_xi repeats the addition robbed for a win just before, seat, from and tile")
    position = play.laid[seat].position(hand_of(concealed))
    whole = position.hand if tile is None else position.hand + ONE[tile]
    if not fits(whole, position.sets, position.pair_claimed):
        raise end.wrong("hand", f"{len(concealed)} tiles do not fit {position.sets} fixed sets (TS-2.4)")
    if source is None:
        reason = drawn_win(with_hand(position, whole), tile)
    elif tile is None:
        raise end.wrong("tile", "a claimed win needs its tile")
    else:
        reason = claimed_win(position, tile)
    if reason is None:
        raise end.wrong("hand", "this is no winning hand")
    play.lines.extend(win_lines(seat, source, play.players, reason))
    return reason


def score_case(entry: Given) -> Result:
    """`net` per seat with covers, the win's `points_per_payer` and `reason` (null without a win), and the `ledger`.

    An end of kind `void` reverses every line (TS-12.4). Raises MalformedInput for what the rules make impossible.
    """
    case = TangshanCase(entry, known=("rules", "players", "dealer", "events", "end"))
    players = case.players()
    case.seat("dealer", players)
    play = _Play(case.rules(players))
    for event in case.parts("events"):
        _apply(play, event)
    end = case.part("end")
    kind = end.word("kind", _ENDS)
    end.allow(("kind", *_ENDS[kind]))
    reason = _win(play, end) if kind == "win" else None
    if play.robbed is not None and kind == "exhausted":
        raise end.wrong("kind", "the last addition was robbed for a win, the round cannot be exhausted")
    if kind == "void":
        play.lines.extend(reversal(play.lines, VOID_CLAUSE))
    else:
        covers = [(seat, tile) for seat, laid in enumerate(play.laid) for tile in laid.covers()]
        play.lines.extend(cover_lines(covers, players))
    return {
        "net": list(net(play.lines, players)),
        "points_per_payer": None if reason is None else WIN_POINTS[reason],
        "reason": reason,
        "ledger": plain_lines(play.lines),
    }
