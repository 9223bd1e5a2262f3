"""The sets a seat has laid, built entry by entry, with every impossible step refused (TS-2.5, TS-7.5, TS-8.2)."""

from __future__ import annotations

from typing import Final, cast

from app.kernel.melds import Meld, MeldKind
from app.kernel.shapes.counts import Hand
from app.kernel.tiles import RANK, Tile
from app.variants.tangshan.calculator.reader import MELD_FIELDS, TangshanCase
from app.variants.tangshan.offers import Position, position_from
from app.variants.tangshan.winning import SETS
from app.variants.tangshan.xi import CATEGORY, XI, Xi

MELDS: Final = ("chow", "pong", "pair_claim", "kong_exposed", "cover", "kong_concealed", "xi_light", "xi_add")
"""The kinds of an entry of `melds`: finished sets, and `xi_add` for one further tile of a lit set."""


class Laid:
    """Melds of one seat. Every method counts its tiles at the field that it is given."""

    def __init__(self) -> None:
        self.melds: list[Meld] = []

    def position(self, hand: Hand) -> Position:
        """The seat's position with these concealed tiles, no line locked."""
        return position_from(hand, tuple(self.melds), ())

    def add_finished(self, e: TangshanCase, players: int) -> None:
        """One entry of `melds`: a finished set, or `xi_add` for a lit one. Raises MalformedInput."""
        do = e.word("do", MELDS)
        if do == "chow":
            self.chow(e, e.tiles("tiles"), players)
        elif do == "pair_claim":
            self.pair_claim(e, e.tile("tile"), players)
        elif do == "xi_light":
            self.light(e, e.xi())
        elif do == "xi_add":
            tile = e.tile("tile")
            self.extend_xi(e, tile)
            e.count((tile,), "tile")
        else:
            self.same(e, cast(MeldKind, do), e.tile("tile"))

    def same(self, e: TangshanCase, kind: MeldKind, tile: Tile) -> None:
        """Pong, cover or a finished kong: three or four tiles of a kind, all new."""
        tiles = (tile,) * (4 if kind.startswith("kong") else 3)
        self._put(e, Meld(kind, tiles, len(tiles), face_down=kind == "cover"), "tile")

    def chow(self, e: TangshanCase, tiles: tuple[Tile, ...], players: int) -> None:
        """Chow: a run of one suit, four-player tables only (TS-1.4, TS-5.5)."""
        e.four_players_only(players)
        ranks = sorted(RANK[tile] for tile in tiles)
        run = len(tiles) == 3 and len({tile[1] for tile in tiles}) == 1 and tiles[0][1] != "z"
        if not run or ranks != list(range(ranks[0], ranks[0] + 3)):
            raise e.wrong("tiles", f"{''.join(tiles)} is no run of one suit")
        self._put(e, Meld("chow", tuple(sorted(tiles)), 3), "tiles")

    def pair_claim(self, e: TangshanCase, tile: Tile, players: int) -> None:
        """Pair claim: once per player and round, four-player tables only (TS-1.4, TS-8.2)."""
        e.four_players_only(players)
        if any(meld.kind == "pair_claim" for meld in self.melds):
            raise e.wrong("do", "a second pair claim (TS-8.2)")
        self._put(e, Meld("pair_claim", (tile, tile), 2), "tile")

    def light(self, e: TangshanCase, xi: Xi) -> None:
        """Lighting: one set of a category per player (TS-7.5)."""
        if any(meld.kind == xi for meld in self.melds):
            raise e.wrong("xi", f"{xi} is lit already (TS-7.5)")
        self._put(e, Meld(xi, XI[xi], len(XI[xi])), "xi")

    def extend_xi(self, e: TangshanCase, tile: Tile) -> None:
        """Addition to a lit set (TS-7.6); the tile itself is counted by the caller, it may be robbed."""
        place = self._place(CATEGORY.get(tile))
        if place is None:
            raise e.wrong("tile", f"no lit set of the category of {tile} (TS-7.6)")
        before = self.melds[place]
        self.melds[place] = Meld(before.kind, (*before.tiles, tile), before.count + 1)

    def has_lit(self, tile: Tile) -> bool:
        """True when the category of `tile` is lit."""
        return self._place(CATEGORY.get(tile)) is not None

    def kong(self, e: TangshanCase, kind: MeldKind, tile: Tile) -> None:
        """Kong on an own cover: it takes the cover's place (TS-6.4, TS-6.5, TS-6.7)."""
        for place, meld in enumerate(self.melds):
            if meld.kind == "cover" and meld.tiles[0] == tile:
                self.melds[place] = Meld(kind, (tile,) * 4, 4)
                e.count((tile,), "tile")
                return
        raise e.wrong("tile", f"no cover of {tile} to kong (TS-6.7)")

    def covers(self) -> tuple[Tile, ...]:
        """Kinds of the un-konged covers, in the order they were laid."""
        return tuple([meld.tiles[0] for meld in self.melds if meld.kind == "cover"])

    def _place(self, kind: str | None) -> int | None:
        return next((place for place, meld in enumerate(self.melds) if meld.kind == kind), None)

    def _put(self, e: TangshanCase, meld: Meld, field: str) -> None:
        e.count(meld.tiles, field)
        self.melds.append(meld)
        position = self.position(0)
        if position.sets > SETS or (position.sets == SETS and position.pair_claimed):
            raise e.wrong("do", "more fixed sets than a player to move can have (TS-2.5)")


def read_laid(e: TangshanCase, players: int) -> Laid:
    """The sets in the field `melds`, all finished. Raises MalformedInput."""
    laid = Laid()
    for meld in e.parts("melds", MELD_FIELDS):
        laid.add_finished(meld, players)
    return laid
