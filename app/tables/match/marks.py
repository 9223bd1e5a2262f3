"""Secret words for what people of one table have in common: address, device, circle (S15).

A mark is the letter of its kind and a keyed hash: whoever reads a log learns that two people share something, not what.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Final, Literal

Kind = Literal["address", "device", "circle"]
_KINDS: Final[dict[str, Kind]] = {"a": "address", "d": "device", "c": "circle"}
_LETTERS: Final = {kind: letter for letter, kind in _KINDS.items()}
_BYTES: Final = 8


def mark(secret: str, kind: Kind, what: str) -> str:
    """The mark of an address, a device or a circle."""
    keyed = hmac.digest(secret.encode(), f"mark {kind} {what}".encode(), hashlib.sha256)
    return _LETTERS[kind] + keyed[:_BYTES].hex()


def kinds(marks: Iterable[str]) -> list[str]:
    """The kinds of these marks, each once."""
    return sorted({_KINDS[mark[0]] for mark in marks if mark[:1] in _KINDS})
