"""List `offers`: what one seat may do in a situation. Reads a position; the offers themselves are `offers.py`'s.

The answer `expect` is never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.errors import MalformedInput
from app.kernel.melds import Meld
from app.kernel.play.claims import Window, takers
from app.kernel.shapes.counts import ONE, count, hand_of
from app.kernel.text.fields import Given, Result
from app.kernel.tiles import Tile
from app.variants.guizhou.calculator.reader import GuizhouCase, waits_text
from app.variants.guizhou.offers import (
    Position,
    claim_offers,
    claim_rank,
    claim_win,
    earth,
    heaven,
    may_declare,
    rob_offers,
    silent_choice,
    turn_offers,
    turn_win,
)  # fmt: skip
from app.variants.guizhou.winning import PATTERN_VALUE, PatternName, laid_of, waits_of

ACTIONS: Final = (
    "win", "pong", "kong_exposed", "kong_added", "kong_concealed", "kong_late", "declare_ready", "discard", "chow",
)  # fmt: skip
"""Every key of `offered`; chow is never offered (GZ-1.4)."""
_MAX_WALL: Final = 45
_MAX_DISCARDS: Final = 45
_KEYS: Final = ("offered", "pattern", "value", "heaven", "earth", "default", "ready", "waits", "result")
_NOT_ROBBED: Final = ("kong_concealed", "kong_late_concealed", "kong_exposed")
_OF_OTHERS: Final = frozenset({"discard", "kong_added", "kong_late_added", *_NOT_ROBBED})
"""Situations about another seat's tile; they say from whom it comes."""
_WITHOUT_TILE: Final = frozenset({"readiness", "after_pong"})
_ANSWERS: Final = "claim_answers"
"""Asks about the answers alone: the hand may be left empty, and offers nothing."""


def score_offer(entry: Given) -> Result:
    """Answer one situation. Raises MalformedInput naming the field."""
    case = GuizhouCase(entry)
    players = case.players()
    seat = case.seat("seat", players)
    situation = case.part("situation")
    kind = situation.word("kind", (*_SITUATIONS, _ANSWERS))
    result: Result = {**dict.fromkeys(_KEYS), "offered": dict.fromkeys(ACTIONS, False)}
    position = _read_position(case, players, seat, situation, kind)
    if kind == _ANSWERS:
        result["result"] = _claim_answers(situation, players)
    elif kind in _OF_OTHERS and situation.seat("from", players) == seat:
        raise situation.wrong("from", "nobody claims an own tile")
    else:
        result.update(_SITUATIONS[kind](position, situation))
    return result


def _read_position(case: GuizhouCase, players: int, seat: int, situation: GuizhouCase, kind: str) -> Position:
    """The position of the seat before the tile that the situation is about."""
    size = None if kind == _ANSWERS else 14 if kind == "after_pong" else 13
    hand, melds = case.hand_and_melds(players, seat, size)
    if kind not in _WITHOUT_TILE:
        situation.count((situation.tile("tile"),), "tile")
    if "seen_elsewhere" in situation.raw:
        situation.count(situation.tiles("seen_elsewhere"), "seen_elsewhere")
    dealer = case.seat("dealer", players) == seat
    return Position(
        hand_of(hand), melds, None, dealer, case.flag("declared_ready"), case.number("own_discards", 0, _MAX_DISCARDS),
        case.number("wall", 0, _MAX_WALL), (),
    )  # fmt: skip


def _offered(options: Iterable[Action]) -> dict[str, bool]:
    names = {str(option.choice or option.verb) for option in options}
    return {name: name in names for name in ACTIONS}


def _answer(options: tuple[Action, ...], name: PatternName | None, is_heaven: bool, is_earth: bool) -> Result:
    """Offers with the win's pattern, value and bonuses; without a win there is no bonus."""
    return {
        "offered": _offered(options),
        "pattern": name,
        "value": None if name is None else PATTERN_VALUE[name],
        "heaven": is_heaven and name is not None,
        "earth": is_earth and name is not None,
    }


def _discard(position: Position, situation: GuizhouCase) -> Result:
    """Another seat's discard; `declined` changes nothing (GZ-5.5)."""
    tile = situation.tile("tile")
    situation.tile_groups("declined", [])
    hot, declared = situation.flag("hot"), situation.flag("from_declared")
    exempt = hot or declared
    name = claim_win(position, tile, exempt)
    return {
        **_answer(claim_offers(position, tile, exempt), name, False, earth(position)),
        "default": {"action": PASS.verb},
    }


def _rob(position: Position, situation: GuizhouCase) -> Result:
    """Another seat lays a tile onto its 碰 (GZ-7.8)."""
    tile = situation.tile("tile")
    name = claim_win(position, tile, exempt=True)
    return {**_answer(rob_offers(position, tile), name, False, earth(position)), "default": {"action": PASS.verb}}


def _no_window(position: Position, situation: GuizhouCase) -> Result:
    """点豆, 闷豆 and concealed 憨包豆 of another seat open no window."""
    return _answer((), None, False, False)


def _draw(position: Position, situation: GuizhouCase) -> Result:
    tile = situation.tile("tile")
    return _own_turn(_with(position, position.hand + ONE[tile], tile), situation, None)


def _deal(position: Position, situation: GuizhouCase) -> Result:
    if not position.dealer:
        raise MalformedInput("seat", "only the dealer is dealt a fourteenth tile")
    tile = situation.tile("tile")
    return _own_turn(_with(position, position.hand + ONE[tile], None), situation, None)


def _after_pong(position: Position, situation: GuizhouCase) -> Result:
    ponged = [meld for meld in position.melds if meld.kind == "pong"]
    if not ponged:
        raise MalformedInput("melds", "after a pong there is one")
    return _own_turn(position, situation, ponged[-1])


def _with(position: Position, hand: int, drawn: Tile | None, late: tuple[Tile, ...] = ()) -> Position:
    return Position(
        hand, position.melds, drawn, position.dealer, position.declared, position.discards, position.wall, late
    )


def _own_turn(position: Position, situation: GuizhouCase, ponged: Meld | None) -> Result:
    asked = situation.tile("kong_tile") if situation.given("kong_tile") else None
    position = _with(position, position.hand, position.drawn, _late(position, situation, asked, ponged))
    options = tuple(
        [o for o in turn_offers(position) if asked is None or o.verb not in ("kong", "extend") or o.tiles == (asked,)]
    )
    default = silent_choice(position)
    return {
        **_answer(options, turn_win(position), heaven(position), earth(position)),
        "default": {"action": default.verb, "tile": default.tiles[0]},
    }


def _late(position: Position, situation: GuizhouCase, asked: Tile | None, ponged: Meld | None) -> tuple[Tile, ...]:
    """Kinds whose window has closed: named by `fourth`, else those held before the last own discard or the 碰."""
    if asked is not None and situation.given("fourth"):
        fourth = situation.part("fourth")
        since, at_pong = fourth.number("own_discards_since", 0, _MAX_DISCARDS), fourth.flag("in_hand_at_pong")
        return (asked,) if since or at_pong else ()
    just_ponged = () if ponged is None else (ponged.tiles[0],)
    if not position.discards:
        return just_ponged
    held = position.hand if position.drawn is None else position.hand - ONE[position.drawn]
    return (*just_ponged, *[kind for kind in ONE if count(held, kind) == count(position.hand, kind)])


def _discard_choice(position: Position, situation: GuizhouCase) -> Result:
    """The seat would discard `tile` and keep `hand`; nothing else is asked."""
    tile = situation.tile("tile")
    just_drawn = situation.flag("just_drawn")
    options: list[Action] = []
    if just_drawn or not position.declared:
        options.append(action("discard", tile))
    if may_declare(_with(position, position.hand + ONE[tile], None), tile):
        options.append(action("discard", tile, choice="declare_ready"))
    return {"offered": _offered(options)}


def _readiness(position: Position, situation: GuizhouCase) -> Result:
    waits = waits_of(position.hand, laid_of(position.melds))
    return {"ready": bool(waits), "waits": waits_text(waits)}


def _claim_answers(situation: GuizhouCase, players: int) -> Result:
    """Resolve a whole window (GZ-5.2, GZ-5.3, GZ-5.4, GZ-6.1)."""
    source, tile = situation.seat("from", players), situation.tile("tile")
    claims = {
        "win": WIN, "pass": PASS, "pong": action("pong", tile),
        "kong_exposed": action("kong", tile, choice="kong_exposed"),
    }  # fmt: skip
    answers: list[Action | None] = [None] * players
    for response in situation.parts("responses"):
        seat = response.seat("seat", players)
        if seat == source or answers[seat] is not None:
            raise response.wrong("seat", f"seat {seat} cannot answer here")
        answers[seat] = claims[response.word("action", claims)]
    taken = [answer for answer in answers if answer is not None and answer.verb in ("pong", "kong")]
    if len(taken) > 1:
        raise situation.wrong("responses", f"two players cannot both hold {tile} twice")
    won = takers(Window("discard", source, tile, tuple(answers), True), claim_rank, several=True)
    if not won:
        return {"action": "none", "seats": []}
    first = won[0][1]
    return {"action": str(first.choice or first.verb), "seats": sorted(seat for seat, _ in won)}


_SITUATIONS: Final[dict[str, Callable[[Position, GuizhouCase], Result]]] = {
    "discard": _discard,
    "kong_added": _rob,
    "kong_late_added": _rob,
    **dict.fromkeys(_NOT_ROBBED, _no_window),
    "draw": _draw,
    "kong_draw": _draw,
    "deal": _deal,
    "after_pong": _after_pong,
    "discard_choice": _discard_choice,
    "readiness": _readiness,
}
"""Situation → how it is answered; `claim_answers` needs no position and is answered apart."""
