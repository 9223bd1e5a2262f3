"""List `locks`: one seat's way through a round, and its offers at every step (TS-2.5).

The machine plays this seat. The moves of the other seats are folded into the state as events; those seats hold no tiles
here, so the machine never asks them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from app.kernel import events as ev
from app.kernel.actions import PASS, Action, action
from app.kernel.errors import InvariantViolation, Rejection
from app.kernel.melds import Meld
from app.kernel.play.commands import Act, Command, TimeOut
from app.kernel.play.decisions import Decision
from app.kernel.play.entry import EntryBuilder
from app.kernel.seats import next_seat
from app.kernel.shapes.counts import EMPTY, Hand, hand_of, size
from app.kernel.table import SeatTiles
from app.kernel.text.fields import Given, Result
from app.kernel.tiles import COPIES, KINDS, Tile, sort_tiles
from app.kernel.variant import Setup, round_started
from app.variants.tangshan.calculator.laid import read_laid
from app.variants.tangshan.calculator.reader import TangshanCase
from app.variants.tangshan.machine import decide, decisions
from app.variants.tangshan.moves import draw
from app.variants.tangshan.rules import META, Rules
from app.variants.tangshan.state import TangshanState, evolve
from app.variants.tangshan.winning import win_size
from app.variants.tangshan.xi import CATEGORY

PLENTY: Final = 40
"""Wall tiles left where a step does not say."""
_STEP_FIELDS: Final = ("do", "from", "tile", "answer", "taken_by", "wall")
_ANSWER_FIELDS: Final = {
    "pass": (),
    "timeout": (),
    "win": (),
    "pong": ("discard",),
    "pair_claim": ("discard",),
    "chow": ("tiles", "discard"),
    "kong_exposed": (),
    "discard": ("tile",),
    "xi_light": ("xi",),
    "cover": ("tile",),
    "kong_concealed": ("tile",),
    "xi_add": ("tile",),
}
_NAMES: Final = {"light": "xi_light", "extend": "xi_add"}
"""Names of offers that differ from the verb; a kong goes by its choice."""


def _name(offer: Action) -> str:
    return str(offer.choice) if offer.verb == "kong" else _NAMES.get(offer.verb, offer.verb)


class _Play:
    """A round seen from one seat. `replaced`: the machine has drawn a replacement that the next step must name."""

    def __init__(self, rules: Rules, seat: int, hand: Hand, melds: tuple[Meld, ...], to_move: bool) -> None:
        self.seat = seat
        self.replaced = False
        setup = Setup(rules, rules.players, seat, KINDS * COPIES, (), 0, "", "", ("",) * rules.players)
        turn = seat if to_move else next_seat(seat, rules.players)
        state = evolve(evolve(None, round_started(META, setup)), ev.PhaseBegan("turn", turn, PLENTY))
        seats = [SeatTiles(EMPTY, 0, None, (), ())] * rules.players
        seats[seat] = SeatTiles(hand, size(hand), None, melds, ())
        self.state: TangshanState = replace(state, table=replace(state.table, seats=tuple(seats)))

    @property
    def over(self) -> bool:
        """True after a win."""
        return self.state.table.phase == "over"

    @property
    def expects(self) -> str:
        """The step that must come next: `draw`, `act`, or `any` of them."""
        if self.replaced:
            return "draw"
        return "act" if self.state.window is None and self.state.table.turn == self.seat else "any"

    def question(self) -> Decision | None:
        """The seat's open decision."""
        return next((decision for decision in decisions(self.state) if decision.seat == self.seat), None)

    def see(self, *events: ev.Event) -> None:
        """The action of another seat."""
        for event in events:
            self.state = evolve(self.state, event)

    def set_wall(self, left: int, tile: Tile) -> None:
        """Say how many tiles are left, and which one the machine draws next."""
        table = replace(self.state.table, left=left)
        self.state = replace(self.state, table=table, wall=(tile,) * len(self.state.wall))

    def draw(self, tile: Tile, left: int) -> None:
        """The own draw, unless the machine has drawn this replacement already."""
        if not self.replaced:
            self.set_wall(left + 1, tile)
            entry = EntryBuilder(evolve, self.state)
            draw(entry, self.seat, replacement=False)
            self.state = entry.state
        self.replaced = False

    def send(self, command: Command) -> None:
        """Let the machine decide a command."""
        step = decide(self.state, decisions(self.state), command)
        if isinstance(step, Rejection):
            raise InvariantViolation(f"the machine refuses {command}: {step.code}")
        self.state = step.state
        self.replaced = any(type(event) is ev.TileDrawn and event.seat == self.seat for event in step.events)

    def end_hold(self) -> None:
        """The hold of the open window ends."""
        self.send(TimeOut(next(decision.id for decision in decisions(self.state) if decision.seat is None)))


def score_lock(entry: Given) -> Result:
    """`offers`: one sorted list per step, without pass and discard. Raises MalformedInput for impossible steps."""
    case = TangshanCase(entry, known=("rules", "players", "seat", "hand", "melds", "steps"))
    players = case.players()
    seat, rules = case.seat("seat", players), case.rules(players)
    concealed = case.tiles("hand")
    case.count(concealed, "hand")
    laid = read_laid(case, players)
    position = laid.position(hand_of(concealed))
    steps = case.parts("steps", _STEP_FIELDS)
    full = win_size(position.sets, position.pair_claimed)
    to_move = len(concealed) == full and bool(steps) and steps[0].raw.get("do") == "act"
    if len(concealed) != full - (not to_move):
        raise case.wrong(
            "hand", f"{len(concealed)} tiles are not what a player with {position.sets} sets holds here (TS-2.4)"
        )
    play = _Play(rules, seat, position.hand, tuple(laid.melds), to_move)
    following = (*steps[1:], None)
    return {"offers": [_step(play, step, after) for step, after in zip(steps, following, strict=False)]}


def _step(play: _Play, e: TangshanCase, after: TangshanCase | None) -> list[str]:
    do = e.word("do", _STEPS)
    if play.over:
        raise e.wrong("do", "the round is over after the win (TS-12.1)")
    if (do == "act" or play.expects != "any") and do != play.expects:
        raise e.wrong("do", f"expected {play.expects} here, got {do}")
    _STEPS[do](play, e)
    tile = None if after is None else after.raw.get("tile")
    play.set_wall(_left(e), tile if isinstance(tile, str) and tile in KINDS else KINDS[0])
    asked = play.question()
    answer = e.part("answer", {"do", *[field for names in _ANSWER_FIELDS.values() for field in names]})
    answer.allow(("do", *_ANSWER_FIELDS[answer.word("do", _ANSWER_FIELDS)]))
    if do in ("draw", "act"):
        _answer_turn(play, e, answer)
    else:
        _answer_claim(play, e, answer)
    return sorted({_name(o) for o in (asked.options if asked else ()) if o.verb not in ("pass", "discard")})


def _left(e: TangshanCase) -> int:
    return e.number("wall", 0, 136) if e.given("wall") else PLENTY


def _discarded(play: _Play, e: TangshanCase) -> None:
    source, tile = _foreign_tile(play, e)
    play.see(ev.TileDrawn(source, "head", False, _left(e), tile), ev.TileDiscarded(source, tile))


def _added(play: _Play, e: TangshanCase) -> None:
    """Another seat's addition: it can be robbed with `rob_xi` on only (TS-7.7, TS-7.8)."""
    source, tile = _foreign_tile(play, e)
    if tile not in CATEGORY:
        raise e.wrong("tile", f"{tile} belongs to no xi category (TS-7.6)")
    play.see(ev.TileDrawn(source, "head", False, _left(e), tile))
    if play.state.rules.rob_xi:
        play.see(ev.TileLaid(source, 0, tile, CATEGORY[tile]))


def _foreign_tile(play: _Play, e: TangshanCase) -> tuple[int, Tile]:
    source, tile = e.seat("from", play.state.rules.players, apart_from=play.seat), e.tile("tile")
    e.count((tile,), "tile")
    return source, tile


def _drawn(play: _Play, e: TangshanCase) -> None:
    """The own draw, normal or replacement (TS-4.3, TS-10.4)."""
    e.absent("from")
    tile = e.tile("tile")
    e.count((tile,), "tile")
    play.draw(tile, _left(e))


def _goes_on(play: _Play, e: TangshanCase) -> None:
    """The own turn goes on without a draw (TS-4.1)."""
    e.absent("from", "tile")


_STEPS: Final[dict[str, Callable[[_Play, TangshanCase], None]]] = {
    "discard": _discarded,
    "xi_add": _added,
    "draw": _drawn,
    "act": _goes_on,
}


def _answer_claim(play: _Play, e: TangshanCase, answer: TangshanCase) -> None:
    """Answer another seat's tile; the claim succeeds unless a further seat takes the tile before (TS-5.1)."""
    do, tile, asked = answer.word("do", _ANSWER_FIELDS), e.tile("tile"), play.question()
    elsewhere = _taken_elsewhere(play, e, e.seat("from", play.state.rules.players))
    chosen = PASS
    if do not in ("pass", "timeout"):
        chosen = _claimed(asked.options if asked else (), do, tile, answer)
    if asked is None:
        return
    play.send(TimeOut(asked.id) if do == "timeout" else Act(play.seat, asked.id, chosen))
    if chosen == PASS or elsewhere:
        return
    play.end_hold()
    if chosen.verb not in ("win", "kong"):
        _choose(play, action("discard", answer.tile("discard")), answer, "discard")


def _taken_elsewhere(play: _Play, e: TangshanCase, source: int | None) -> bool:
    if not e.given("taken_by"):
        return False
    if e.seat("taken_by", play.state.rules.players, apart_from=play.seat) == source:
        raise e.wrong("taken_by", "nobody can take an own tile")
    return True


def _claimed(offers: tuple[Action, ...], do: str, tile: Tile, answer: TangshanCase) -> Action:
    """The offered claim that the answer names. Raises MalformedInput when it is not offered."""
    run = sort_tiles(answer.tiles("tiles")) if do == "chow" else None
    for offer in offers:
        if _name(offer) == do and (run is None or offer.tiles == run):
            return offer
    raise answer.wrong("do", f"{do} of {tile} is not offered here")


def _answer_turn(play: _Play, e: TangshanCase, answer: TangshanCase) -> None:
    """The choice in the own turn. A robbed addition ends the turn without a discard (TS-7.9)."""
    robbed = _taken_elsewhere(play, e, None)
    if answer.word("do", _ANSWER_FIELDS) == "timeout":
        asked = play.question()
        if asked is None:
            raise InvariantViolation("a turn without a question")
        play.send(TimeOut(asked.id))
        return
    chosen = _chosen(answer)
    if robbed and chosen.verb == "extend" and not play.state.rules.rob_xi:
        raise answer.wrong("do", "nothing can be robbed while the option rob_xi is off (TS-7.7)")
    _choose(play, chosen, answer, "do")
    if play.state.table.laid is not None and not robbed:
        play.end_hold()


def _chosen(answer: TangshanCase) -> Action:
    match answer.word("do", _ANSWER_FIELDS):
        case "xi_light":
            return action("light", choice=answer.xi())
        case "kong_concealed":
            return action("kong", answer.tile("tile"), choice="kong_concealed")
        case "xi_add":
            return action("extend", answer.tile("tile"), choice="xi_add")
        case "discard":
            return action("discard", answer.tile("tile"))
        case "cover":
            return action("cover", answer.tile("tile"))
        case "win":
            return action("win")
        case do:
            raise answer.wrong("do", f"{do} is no answer in the own turn")


def _choose(play: _Play, chosen: Action, answer: TangshanCase, field: str) -> None:
    """Send a choice of the own turn. Raises MalformedInput naming `field` when it is not offered."""
    asked = play.question()
    if asked is None or chosen not in asked.options:
        raise answer.wrong(field, f"{' '.join((_name(chosen), *chosen.tiles))} is not offered here")
    play.send(Act(play.seat, asked.id, chosen))
