"""Melds (副露): what a seat has laid down, and what others may see of it. No rules about when one may be made."""

from __future__ import annotations

from typing import Literal

from app.kernel.immutable import immutable
from app.kernel.tiles import Tile

MeldKind = Literal[
    "pong", "chow", "pair_claim", "cover",
    "kong_exposed", "kong_added", "kong_concealed", "kong_gold", "kong_late",
    "ones", "nines", "dragons", "winds",
    "face_down",
]  # fmt: skip


@immutable
class Meld:
    """One laid set. Its id is its place (0, 1, …) in the seat's melds and never changes.

    `count` is the number of tiles; `tiles` is empty for a viewer who sees backs only (kind `face_down`).
    `source_seat` gave the claimed tile `taken` (None: all tiles were the owner's own).
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    count: int
    source_seat: int | None = None
    taken: Tile | None = None
    face_down: bool = False

    def back(self) -> Meld:
        """A face-down meld as everybody but its owner sees it: the number of backs."""
        return Meld("face_down", (), self.count, face_down=True)
