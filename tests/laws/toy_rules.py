"""Rules of the toy: its data, its options, and offers as functions of what a seat sees. The machine is in `toy.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.kernel.actions import PASS, WIN, Action, action
from app.kernel.errors import MalformedInput
from app.kernel.melds import Meld
from app.kernel.shapes.counts import ONE, Hand, count, kinds_of
from app.kernel.shapes.sets import complete
from app.kernel.tiles import Tile
from app.kernel.variant import Meta, Option, check_options

KINDS: tuple[Tile, ...] = ("1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "5z", "6z", "7z")
HAND_SIZE = 7

META = Meta(
    slug="toy", name_zh="玩具", name_en="Toy", rules_version=1, players=(2, 3, 4), kinds=KINDS, dice=2,
    options=(
        Option("base", "int", 1, "底分", "Base", 1, 5),
        Option("rob", "bool", True, "抢杠", "Robbing"),
        Option("secret", "bool", True, "暗问", "Secret answers"),
        Option("price", "choice", "high", "价", "Price", choices=("high", "low"), choice_labels=("高", "低")),
        Option("rounds", "int", 4, "局数", "Rounds", 1, 64),
    ),
    first_dealer="random", new_series_on_leave=False, auto_ready_s=None,
    clocks={"answer": 10, "turn": 15, "claim": 8}, pattern_names={"set": "副"},
    reason_names={"pong": "碰", "cover": "扣", "kong": "杠", "win": "胡", "void": "作废"}, void_clause="TOY-9",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToyRules:
    """Options of the toy."""

    base: int
    rob: bool
    secret: bool
    price: str
    rounds: int


def parse_rules(raw: Mapping[str, object]) -> ToyRules:
    """Frozen options; raises MalformedInput naming the option."""
    return ToyRules(**check_options(META.options, raw))  # type: ignore[arg-type]


def claim_offers(hand: Hand, melds: tuple[Meld, ...], locked: bool, tile: Tile, left: int) -> tuple[Action, ...]:
    """Win, kong on a cover, pong, pass; empty when there is nothing to claim."""
    offers = [WIN] if not locked and complete(hand + ONE[tile]) else []
    if left and any(meld.kind == "cover" and meld.tiles[0] == tile for meld in melds):
        offers.append(action("kong", tile, choice="kong_exposed"))
    if count(hand, tile) >= 2 and len(melds) < 2:
        offers.append(action("pong", tile))
    return (*offers, PASS) if offers else ()


def rob_offers(hand: Hand, locked: bool, tile: Tile) -> tuple[Action, ...]:
    """Win or pass on a laid tile."""
    return (WIN, PASS) if not locked and complete(hand + ONE[tile]) else ()


def turn_offers(hand: Hand, melds: tuple[Meld, ...], fresh: bool, left: int) -> tuple[Action, ...]:
    """Win, cover, concealed kong, added kong, discards."""
    offers = [WIN] if fresh and complete(hand) else []
    if fresh and len(melds) < 2:
        offers += [action("cover", kind) for kind in kinds_of(hand) if count(hand, kind) >= 3]
    if fresh and left:
        offers += [
            action("extend", meld.tiles[0], choice="kong_added")
            for meld in melds
            if meld.kind == "pong" and count(hand, meld.tiles[0])
        ]
    return (*offers, *[action("discard", kind) for kind in kinds_of(hand)])


def rank(act: Action) -> int:
    """Win before kong and pong, which cannot meet."""
    return {"win": 0, "kong": 1}.get(act.verb, 1)


def answer_options(seat: int, dealer: int) -> tuple[Action, ...]:
    """Sit for the dealer, pull for the others; what silence means comes first."""
    if seat == dealer:
        return action("sit", choice=False), action("sit", choice=True)
    return tuple([action("pull", choice=times) for times in (0, 1, 2)])


def score(list_name: str, entry: Mapping[str, object]) -> dict[str, object]:
    """`sums`: {"id", "tiles"} → how many tiles; for tests of `mj score`."""
    if list_name != "sums":
        raise MalformedInput(list_name, "no such list")
    tiles = entry.get("tiles")
    if not isinstance(tiles, str):
        raise MalformedInput("tiles", "expected mpsz text")
    return {"size": len(tiles) // 2}
