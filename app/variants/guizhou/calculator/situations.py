"""List `offers`: what one seat may do in a situation. Reads a position; the offers themselves are `offers.py`'s.

The answer `expect` is never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.claims import Window, takers
from app.kernel.errors import MalformedInput
from app.kernel.fields import (
    Given,
    TileCount,
    read_flag,
    read_list,
    read_number,
    read_object,
    read_objects,
    read_seat,
    read_word,
)
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, count, hand_of
from app.kernel.tiles import Tile, parse_tiles
from app.variants.guizhou.calculator.fields import (
    check_size,
    count_seat,
    in_game,
    read_melds,
    read_players,
    read_tile,
    read_tile_or_none,
    read_tiles,
    waits_text,
)
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

Result = dict[str, object]


def score_offer(entry: Given) -> Result:
    """Answer one situation. Raises MalformedInput naming the field."""
    players = read_players(entry, "")
    seat = read_seat(entry, "seat", "", players)
    situation = read_object(entry, "situation", "")
    kind = read_word(situation, "kind", "situation.", _SITUATIONS)
    result: Result = {**dict.fromkeys(_KEYS), "offered": dict.fromkeys(ACTIONS, False)}
    position = _read_position(entry, players, seat, situation, kind)
    if kind == _ANSWERS:
        result["result"] = _claim_answers(situation, players)
    elif kind in _OF_OTHERS and read_seat(situation, "from", "situation.", players) == seat:
        raise MalformedInput("situation.from", "nobody claims his own tile")
    else:
        result.update(_SITUATIONS[kind](position, situation))
    return result


def _read_position(entry: Given, players: int, seat: int, situation: Given, kind: str) -> Position:
    """The seat as it stands, before the tile that the situation is about."""
    hand, melds = read_tiles(entry, "hand", ""), read_melds(entry, "", players, seat)
    if kind != _ANSWERS:
        check_size(hand, melds, 14 if kind == "after_pong" else 13, "hand")
    tally = TileCount()
    count_seat(tally, hand, melds, "")
    tally.add(() if kind in _WITHOUT_TILE else (read_tile(situation, "tile", "situation."),), "situation.tile")
    if "seen_elsewhere" in situation:
        tally.add(read_tiles(situation, "seen_elsewhere", "situation."), "situation.seen_elsewhere")
    dealer = read_seat(entry, "dealer", "", players) == seat
    return Position(
        hand_of(hand), melds, None, dealer, read_flag(entry, "declared_ready", ""),
        read_number(entry, "own_discards", "", 0, _MAX_DISCARDS), read_number(entry, "wall", "", 0, _MAX_WALL), (),
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


def _discard(position: Position, situation: Given) -> Result:
    """Another seat's discard; `declined` changes nothing (GZ-5.5)."""
    tile = read_tile(situation, "tile", "situation.")
    in_game(tuple([t for text in _texts(situation, "declined") for t in text]), "situation.declined")
    hot, declared = read_flag(situation, "hot", "situation."), read_flag(situation, "from_declared", "situation.")
    exempt = hot or declared
    name = claim_win(position, tile, exempt)
    return {
        **_answer(claim_offers(position, tile, exempt), name, False, earth(position)),
        "default": {"action": PASS.verb},
    }


def _texts(situation: Given, key: str) -> list[tuple[Tile, ...]]:
    texts = read_list(situation, key, "situation.", [])
    return [parse_tiles(text, f"situation.{key}[{place}]") for place, text in enumerate(texts)]


def _rob(position: Position, situation: Given) -> Result:
    """Another seat lays a tile onto its 碰 (GZ-7.8)."""
    tile = read_tile(situation, "tile", "situation.")
    name = claim_win(position, tile, exempt=True)
    return {**_answer(rob_offers(position, tile), name, False, earth(position)), "default": {"action": PASS.verb}}


def _no_window(position: Position, situation: Given) -> Result:
    """点豆, 闷豆 and concealed 憨包豆 of another seat open no window."""
    return _answer((), None, False, False)


def _draw(position: Position, situation: Given) -> Result:
    tile = read_tile(situation, "tile", "situation.")
    return _own_turn(_with(position, position.hand + ONE[tile], tile), situation, None)


def _deal(position: Position, situation: Given) -> Result:
    if not position.dealer:
        raise MalformedInput("seat", "only the dealer is dealt a fourteenth tile")
    tile = read_tile(situation, "tile", "situation.")
    return _own_turn(_with(position, position.hand + ONE[tile], None), situation, None)


def _after_pong(position: Position, situation: Given) -> Result:
    ponged = [meld for meld in position.melds if meld.kind == "pong"]
    if not ponged:
        raise MalformedInput("melds", "after a pong there is one")
    return _own_turn(position, situation, ponged[-1])


def _with(position: Position, hand: int, drawn: Tile | None, late: tuple[Tile, ...] = ()) -> Position:
    return Position(
        hand, position.melds, drawn, position.dealer, position.declared, position.discards, position.wall, late
    )


def _own_turn(position: Position, situation: Given, ponged: Meld | None) -> Result:
    asked = read_tile_or_none(situation, "kong_tile", "situation.") if "kong_tile" in situation else None
    position = _with(position, position.hand, position.drawn, _late(position, situation, asked, ponged))
    options = tuple(
        [o for o in turn_offers(position) if asked is None or o.verb not in ("kong", "extend") or o.tiles == (asked,)]
    )
    default = silent_choice(position)
    return {
        **_answer(options, turn_win(position), heaven(position), earth(position)),
        "default": {"action": default.verb, "tile": default.tiles[0]},
    }


def _late(position: Position, situation: Given, asked: Tile | None, ponged: Meld | None) -> tuple[Tile, ...]:
    """Kinds whose window has closed: told by `fourth`, else those held before the last own discard or the 碰."""
    if asked is not None and situation.get("fourth") is not None:
        fourth = read_object(situation, "fourth", "situation.")
        since = read_number(fourth, "own_discards_since", "situation.fourth.", 0, _MAX_DISCARDS)
        at_pong = read_flag(fourth, "in_hand_at_pong", "situation.fourth.")
        return (asked,) if since or at_pong else ()
    just_ponged = () if ponged is None else (ponged.tiles[0],)
    if not position.discards:
        return just_ponged
    held = position.hand if position.drawn is None else position.hand - ONE[position.drawn]
    return (*just_ponged, *[kind for kind in ONE if count(held, kind) == count(position.hand, kind)])


def _discard_choice(position: Position, situation: Given) -> Result:
    """The seat would discard `tile` and keep `hand`; nothing else is asked."""
    tile = read_tile(situation, "tile", "situation.")
    just_drawn = read_flag(situation, "just_drawn", "situation.")
    options: list[Action] = []
    if just_drawn or not position.declared:
        options.append(action("discard", tile))
    if may_declare(_with(position, position.hand + ONE[tile], None), tile):
        options.append(action("discard", tile, choice="declare_ready"))
    return {"offered": _offered(options)}


def _readiness(position: Position, situation: Given) -> Result:
    waits = waits_of(position.hand, laid_of(position.melds))
    return {"ready": bool(waits), "waits": waits_text(waits)}


def _claim_answers(situation: Given, players: int) -> dict[str, object]:
    """Resolve a whole window (GZ-5.2–5.4, 6.1)."""
    source = read_seat(situation, "from", "situation.", players)
    tile = read_tile(situation, "tile", "situation.")
    claims = {
        "win": WIN, "pass": PASS, "pong": action("pong", tile),
        "kong_exposed": action("kong", tile, choice="kong_exposed"),
    }  # fmt: skip
    answers: list[Action | None] = [None] * players
    for place, response in enumerate(read_objects(situation, "responses", "situation.")):
        path = f"situation.responses[{place}]."
        seat = read_seat(response, "seat", path, players)
        if seat == source or answers[seat] is not None:
            raise MalformedInput(f"{path}seat", f"seat {seat} cannot answer here")
        answers[seat] = claims[read_word(response, "action", path, claims)]
    taken = [answer for answer in answers if answer is not None and answer.verb in ("pong", "kong")]
    if len(taken) > 1:
        raise MalformedInput("situation.responses", f"two players cannot both hold {tile} twice")
    won = takers(Window("discard", source, tile, tuple(answers), True), claim_rank, several=True)
    if not won:
        return {"action": "none", "seats": []}
    first = won[0][1]
    return {"action": str(first.choice or first.verb), "seats": sorted(seat for seat, _ in won)}


_SITUATIONS: Final[dict[str, Callable[[Position, Given], Result]]] = {
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
    _ANSWERS: lambda position, situation: {},
}
"""Situation → how it is answered; `claim_answers` needs no position and is answered beside."""
