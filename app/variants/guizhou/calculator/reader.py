"""Fields that several lists share: tiles of this game, melds, options; other tiles are refused (GZ-1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from app.kernel.melds import Meld, MeldKind
from app.kernel.text.fields import CaseReader
from app.kernel.tiles import SUIT, Tile, format_tiles
from app.variants.guizhou.rules import Rules, parse_rules
from app.variants.guizhou.winning import TILES

_SIZE: Final[dict[str, int]] = {
    "pong": 3, "kong_exposed": 4, "kong_concealed": 4, "kong_added": 4, "kong_late": 4,
}  # fmt: skip


class GuizhouCase(CaseReader):
    """An object of a case file of 贵州捉鸡."""

    kinds = TILES

    def players(self) -> int:
        """Number of seats, 2 to 4 (GZ-1.2)."""
        return self.number("players", 2, 4)

    def rules(self, players: int) -> Rules:
        """The options that differ from the default; the entry states the number of players beside them."""
        return self.options(parse_rules, players)

    def hand_and_melds(
        self, players: int, owner: int | None, size: int | None = None
    ) -> tuple[tuple[Tile, ...], tuple[Meld, ...]]:
        """Concealed tiles and own melds, counted; together `size` tiles where a meld is three (None: any number).

        `owner`: the seat they belong to, None where the entry does not say.
        """
        hand = self.tiles("hand")
        parts = self.parts("melds")
        melds = tuple([_read_meld(part, players, owner) for part in parts])
        if size is not None and len(hand) + 3 * len(melds) != size:
            wanted = size - 3 * len(melds)
            raise self.wrong("hand", f"expected {wanted} tiles beside {len(melds)} melds, got {len(hand)}")
        self.count(hand, "hand")
        for part, meld in zip(parts, melds, strict=True):
            part.count(meld.tiles, "tiles")
        return hand, melds


def _read_meld(meld: GuizhouCase, players: int, owner: int | None) -> Meld:
    kind = cast(MeldKind, meld.word("kind", _SIZE))
    tiles = meld.tiles("tiles")
    if len(tiles) != _SIZE[kind] or len(set(tiles)) != 1:
        raise meld.wrong("tiles", f"a {kind} is {_SIZE[kind]} equal tiles")
    if _is_concealed(meld, kind):
        if meld.value("from") is not None:
            raise meld.wrong("from", "a concealed kong comes from nobody")
        return Meld(kind, tiles, len(tiles), face_down=True)
    source = meld.seat("from", players)
    if source == owner:
        raise meld.wrong("from", "nobody claims an own discard")
    return Meld(kind, tiles, len(tiles), source, tiles[0])


def _is_concealed(meld: GuizhouCase, kind: MeldKind) -> bool:
    """The `late_kind` of a 憨包豆 states whether it is concealed or added; no other meld has this field."""
    if kind == "kong_late":
        return meld.word("late_kind", ("concealed", "added")) == "concealed"
    if meld.given("late_kind"):
        raise meld.wrong("late_kind", f"a {kind} has none")
    return kind == "kong_concealed"


def waits_text(waits: Iterable[Tile]) -> str:
    """Waits as mpsz text in the order of the case files: 条 before 筒, rank ascending."""
    kinds = tuple(waits)
    return format_tiles([k for k in kinds if SUIT[k] == "s"]) + format_tiles([k for k in kinds if SUIT[k] != "s"])
