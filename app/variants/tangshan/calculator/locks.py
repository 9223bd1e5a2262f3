"""List `locks`: one seat's way through a round, and what it is offered at every step (TS-2.5, TS-4, TS-5, TS-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from app.kernel.actions import PASS, Action, action
from app.kernel.fields import TileCount
from app.kernel.melds import Meld, MeldKind
from app.kernel.shapes.counts import EMPTY, ONE, Hand, count, hand_of
from app.kernel.tiles import Tile, sort_tiles
from app.variants.tangshan.calculator.fields import HEAD, Fields
from app.variants.tangshan.calculator.laid import Laid, read_xi
from app.variants.tangshan.offers import (
    Position,
    claim_offers,
    rob_offers,
    silent_choice,
    turn_offers,
    with_lock,
)
from app.variants.tangshan.rules import FOUR, Rules
from app.variants.tangshan.winning import win_size
from app.variants.tangshan.xi import CATEGORY, XI, Xi

PLENTY: Final = 40
"""Wall tiles left where a step does not say."""
_MELD_FIELDS: Final = ("do", "tile", "tiles", "xi")
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


def _names(offers: tuple[Action, ...]) -> list[str]:
    return sorted({_name(offer) for offer in offers if offer.verb not in ("pass", "discard")})


class _Seat:
    """The seat between two steps. `expects`: the step that must come next (`draw`, `act`), or `any` of them."""

    def __init__(self, seat: int, players: int, rules: Rules) -> None:
        self.seat = seat
        self.players = players
        self.rules = rules
        self.tiles = TileCount()
        self.laid = Laid(self.tiles)
        self.hand: Hand = EMPTY
        self.drawn: Tile | None = None
        self.locked: tuple[str, ...] = ()
        self.expects = "any"
        self.won = False

    def position(self) -> Position:
        return self.laid.position(self.hand, self.locked)

    def meld(self, kind: MeldKind, tiles: tuple[Tile, ...]) -> None:
        self.laid.melds.append(Meld(kind, tiles, len(tiles), face_down=kind == "cover"))

    def replace_meld(self, kind: MeldKind, tile: Tile) -> None:
        """A cover becomes a kong, or a lit set gets one more tile."""
        of = "cover" if kind.startswith("kong") else kind
        for place, meld in enumerate(self.laid.melds):
            if meld.kind == of and (of != "cover" or meld.tiles[0] == tile):
                self.laid.melds[place] = Meld(kind, (*meld.tiles, tile), meld.count + 1)
                return


def score_lock(entry: Mapping[str, object]) -> dict[str, object]:
    """`offers`: one sorted list per step, without pass and discard. Raises MalformedInput for impossible steps."""
    e = Fields(entry, "", (*HEAD, "players", "seat", "hand", "melds", "steps"))
    players = e.players()
    place = _Seat(e.seat("seat", players), players, e.rules(players))
    concealed = e.tiles("hand")
    place.tiles.add(concealed, "hand")
    place.hand = hand_of(concealed)
    for number, raw in enumerate(e.items("melds")):
        place.laid.add_finished(Fields(raw, f"melds[{number}]", _MELD_FIELDS), players)
    position = place.position()
    steps = e.items("steps")
    full = win_size(position.sets, position.pair_claimed)
    to_move = len(concealed) == full and bool(steps) and isinstance(steps[0], Mapping) and steps[0].get("do") == "act"
    if len(concealed) != full - (not to_move):
        raise e.wrong(
            "hand", f"{len(concealed)} tiles are not what a player with {position.sets} sets holds here (TS-2.4)"
        )
    if to_move:
        place.expects = "act"
    return {"offers": [_step(place, raw, f"steps[{number}]") for number, raw in enumerate(steps)]}


def _step(place: _Seat, raw: object, path: str) -> list[str]:
    e = Fields(raw, path, ("do", "from", "tile", "answer", "taken_by", "wall"))
    do = e.word("do", tuple(_STEPS))
    if place.won:
        raise e.wrong("do", "the round is over after the win (TS-12.1)")
    if (do == "act" or place.expects != "any") and do != place.expects:
        raise e.wrong("do", f"expected {place.expects} here, got {do}")
    return _STEPS[do](place, e)


def _left(e: Fields) -> int:
    return e.number("wall", 0, 136) if e.given("wall") else PLENTY


def _answer(e: Fields) -> tuple[str, Fields]:
    every = {field for names in _ANSWER_FIELDS.values() for field in names}
    path = e.at("answer")
    do = Fields(e.value("answer"), path, ("do", *every)).word("do", tuple(_ANSWER_FIELDS))
    return do, Fields(e.value("answer"), path, ("do", *_ANSWER_FIELDS[do]))


def _claim(place: _Seat, e: Fields) -> list[str]:
    """Another player's discard or addition: offers, lock, and the claim unless another seat takes the tile."""
    source, tile = e.seat("from", place.players, apart_from=place.seat), e.tile("tile")
    place.tiles.add((tile,), e.at("tile"))
    if e.word("do", tuple(_STEPS)) == "discard":
        may_chow = place.players == FOUR and (source + 1) % FOUR == place.seat
        offers = claim_offers(place.position(), tile, may_chow, _left(e))
    elif tile not in CATEGORY:
        raise e.wrong("tile", f"{tile} belongs to no xi category (TS-7.6)")
    else:
        offers = rob_offers(place.position(), tile) if place.rules.rob_xi else ()
    do, a = _answer(e)
    elsewhere = _taken_elsewhere(place, e, source)
    chosen = PASS if do in ("pass", "timeout") else _claimed(offers, do, tile, a)
    if chosen.verb != "win" and any(offer.verb == "win" for offer in offers):
        place.locked = with_lock(place.locked, tile)
    if not elsewhere:
        _take(place, chosen, tile, a)
    return _names(offers)


def _taken_elsewhere(place: _Seat, e: Fields, source: int | None) -> bool:
    if not e.given("taken_by"):
        return False
    if e.seat("taken_by", place.players, apart_from=place.seat) == source:
        raise e.wrong("taken_by", "a player cannot take his own tile")
    return True


def _claimed(offers: tuple[Action, ...], do: str, tile: Tile, a: Fields) -> Action:
    """The offered claim that the answer names. Raises MalformedInput when it is not offered."""
    run = sort_tiles(a.tiles("tiles")) if do == "chow" else None
    for offer in offers:
        if _name(offer) == do and (run is None or offer.tiles == run):
            return offer
    raise a.wrong("do", f"{do} of {tile} is not offered here")


def _take(place: _Seat, chosen: Action, tile: Tile, a: Fields) -> None:
    if chosen.verb == "pass":
        return
    if chosen.verb == "win":
        place.won = True
    elif chosen.verb == "kong":
        place.replace_meld("kong_exposed", tile)
        place.expects = "draw"
    else:
        _take_to_meld(place, chosen, tile)
        _discard(place, a.tile("discard"), a, "discard")


def _take_to_meld(place: _Seat, chosen: Action, tile: Tile) -> None:
    """Pong, chow and pair claim: own tiles and the claimed one become a set."""
    tiles = {"pong": (tile,) * 3, "pair_claim": (tile,) * 2}.get(chosen.verb, chosen.tiles)
    place.meld(cast(MeldKind, chosen.verb), tiles)
    place.hand -= hand_of(tiles) - ONE[tile]


def _discard(place: _Seat, tile: Tile, a: Fields, field: str) -> None:
    if not count(place.hand, tile):
        raise a.wrong(field, f"{tile} is not in the hand")
    place.hand -= ONE[tile]
    place.drawn = None
    place.expects = "any"


def _draw(place: _Seat, e: Fields) -> list[str]:
    """The own draw, normal or replacement: it ends all locks (TS-10.4), then the turn is offered."""
    e.absent("from")
    tile = e.tile("tile")
    place.tiles.add((tile,), e.at("tile"))
    place.hand += ONE[tile]
    place.drawn = tile
    place.locked = ()
    return _turn(place, e)


def _act(place: _Seat, e: Fields) -> list[str]:
    """The own turn goes on without a draw."""
    e.absent("from", "tile")
    return _turn(place, e)


def _turn(place: _Seat, e: Fields) -> list[str]:
    position = place.position()
    offers = turn_offers(position, _left(e))
    do, a = _answer(e)
    robbed = _taken_elsewhere(place, e, None)
    if do == "timeout":
        chosen = silent_choice(position, place.drawn)
    else:
        chosen = _chosen(do, a)
        if chosen not in offers:
            raise a.wrong("do", f"{do} is not offered here")
    _TURN[chosen.verb](place, chosen, a, robbed)
    return _names(offers)


def _chosen(do: str, a: Fields) -> Action:
    if do == "xi_light":
        return action("light", choice=read_xi(a))
    if do == "kong_concealed":
        return action("kong", a.tile("tile"), choice="kong_concealed")
    if do == "xi_add":
        return action("extend", a.tile("tile"), choice="xi_add")
    if do in ("discard", "cover"):
        return action("discard" if do == "discard" else "cover", a.tile("tile"))
    if do == "win":
        return action("win")
    raise a.wrong("do", f"{do} is no answer in the own turn")


def _on_win(place: _Seat, chosen: Action, a: Fields, robbed: bool) -> None:
    place.won = True


def _on_discard(place: _Seat, chosen: Action, a: Fields, robbed: bool) -> None:
    _discard(place, chosen.tiles[0], a, "tile")


def _on_light(place: _Seat, chosen: Action, a: Fields, robbed: bool) -> None:
    xi = cast(Xi, chosen.choice)
    place.hand -= hand_of(XI[xi])
    place.meld(xi, XI[xi])
    place.expects = "draw" if xi == "winds" else "act"


def _on_cover(place: _Seat, chosen: Action, a: Fields, robbed: bool) -> None:
    tile = chosen.tiles[0]
    place.hand -= 3 * ONE[tile]
    place.meld("cover", (tile,) * 3)
    place.expects = "act"


def _on_kong(place: _Seat, chosen: Action, a: Fields, robbed: bool) -> None:
    place.hand -= ONE[chosen.tiles[0]]
    place.replace_meld("kong_concealed", chosen.tiles[0])
    place.expects = "draw"


def _on_add(place: _Seat, chosen: Action, a: Fields, robbed: bool) -> None:
    """An addition: robbed, the turn is over without a discard (TS-7.9); else one replacement (TS-4.3)."""
    tile = chosen.tiles[0]
    place.hand -= ONE[tile]
    if robbed:
        if not place.rules.rob_xi:
            raise a.wrong("do", "nothing can be robbed while the option rob_xi is off (TS-7.7)")
        place.expects = "any"
    else:
        place.replace_meld(CATEGORY[tile], tile)
        place.expects = "draw"


_STEPS: Final[dict[str, Callable[[_Seat, Fields], list[str]]]] = {
    "discard": _claim,
    "xi_add": _claim,
    "draw": _draw,
    "act": _act,
}
_TURN: Final[dict[str, Callable[[_Seat, Action, Fields, bool], None]]] = {
    "win": _on_win,
    "discard": _on_discard,
    "light": _on_light,
    "cover": _on_cover,
    "kong": _on_kong,
    "extend": _on_add,
}
