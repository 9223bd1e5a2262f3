"""Fair shuffle: seed ‖ contributions → wall, dice and a random seat, deterministic and versioned.

The server commits to its seed first (SHA-256), clients contribute entropy afterwards, the seed is revealed at the end;
`mj verify` and the browser repeat this. Pure: the seed comes from outside. Never change version 1; add a version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from app.kernel.errors import MalformedInput
from app.kernel.immutable import immutable
from app.kernel.tiles import COPIES, Tile

SHUFFLE_VERSION: Final = 1
_WORD: Final = 1 << 64


@immutable
class Deal:
    """The random parts of a round: the wall in drawing order, dice faces 1–6, and a seat for a random dealer."""

    wall: tuple[Tile, ...]
    dice: tuple[int, ...]
    random_seat: int


def commitment(seed: str) -> str:
    """SHA-256 of the seed's hex text, as lower-case hex. Sent before any contribution is known."""
    return hashlib.sha256(_seed_bytes(seed)).hexdigest()


def deal(seed: str, contributions: Sequence[str], kinds: Sequence[Tile], dice: int, players: int) -> Deal:
    """Version 1. `seed`: hex text. `contributions`: one text a seat in seat order, empty when absent.

    Words are the big-endian 64-bit parts of SHA-256(key ‖ counter), key = SHA-256 over the version, the seed and each
    contribution with its length. The wall is a Fisher–Yates shuffle, from the last place down, of four copies of each
    kind in the given order; then the dice, then the seat. Numbers below n reject words that would favour some.
    """
    words = _words(seed, contributions)
    wall = [kind for kind in kinds for _ in range(COPIES)]
    for place in range(len(wall) - 1, 0, -1):
        other = _below(words, place + 1)
        wall[place], wall[other] = wall[other], wall[place]
    faces = tuple([1 + _below(words, 6) for _ in range(dice)])
    return Deal(tuple(wall), faces, _below(words, players))


def _seed_bytes(seed: str) -> bytes:
    try:
        return bytes.fromhex(seed)
    except ValueError as error:
        raise MalformedInput("seed", "expected hex text") from error


def _words(seed: str, contributions: Sequence[str]) -> Iterator[int]:
    key = hashlib.sha256(b"quezhuo shuffle 1")
    for part in (_seed_bytes(seed), *(text.encode() for text in contributions)):
        key.update(len(part).to_bytes(4, "big"))
        key.update(part)
    root = key.digest()
    counter = 0
    while True:
        block = hashlib.sha256(root + counter.to_bytes(8, "big")).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(block[start : start + 8], "big")
        counter += 1


def _below(words: Iterator[int], bound: int) -> int:
    limit = _WORD - _WORD % bound
    while (word := next(words)) >= limit:
        pass
    return word % bound
