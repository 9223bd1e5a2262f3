"""Own melds for tests, as the kernel lays them."""

from app.kernel.melds import Meld, MeldKind
from app.kernel.tiles import Tile


def meld_of(kind: MeldKind, tile: Tile, source_seat: int | None = None) -> Meld:
    """A 碰 or kong of `tile`; claimed from `source_seat`, concealed when nobody gave it."""
    size = 3 if kind == "pong" else 4
    hidden = size == 4 and source_seat is None
    taken = None if hidden else tile
    return Meld(kind, (tile,) * size, size, source_seat, taken, hidden)
