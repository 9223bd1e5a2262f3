"""The look of a text: two names with one `skeleton` are taken for each other (同形字). Pure.

`same_look.txt` says which characters look alike. `python -m app.service.words.generate` makes it from Unicode's table
of confusables (UTS #39), the variants of Chinese characters, and our own additions.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache
from importlib import resources
from typing import Final

JOINERS: Final = " ·-_."
TABLE: Final = "same_look.txt"
_UNSEEN: Final = frozenset({"Mn", "Me", "Cf", "Cc", "Zs", "Zl", "Zp"})
"""Categories of marks on other characters, and of characters without a look of their own."""
_ALGORITHM: Final = "1"


def skeleton(text: str) -> str:
    """A text's look: case, accents, width, joiners and look-alike characters folded."""
    return "".join([char for char in _look(plain(text)) if char not in JOINERS])


def letters(text: str) -> str:
    """The look of its letters and digits alone: what stands between them is no part of a word."""
    return _look("".join([char for char in plain(text) if unicodedata.category(char)[0] in "LN"]))


def _look(text: str) -> str:
    table = _table()
    return "".join([table.get(char) or char.casefold() for char in text])


def plain(text: str) -> str:
    """Compatibility forms and accents folded; case stays, since a capital has look-alikes of its own."""
    return "".join([char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) not in _UNSEEN])


@cache
def version() -> str:
    """Names what a skeleton depends on: keys made by another version have to be made anew."""
    return hashlib.sha256((_ALGORITHM + unicodedata.unidata_version + _text()).encode()).hexdigest()[:16]


@cache
def _table() -> dict[str, str]:
    """Character → its model; lines of the file: the model (one character or several), a space, its look-alikes."""
    found = {}
    for line in _text().splitlines():
        if not line.startswith("#"):
            model, _, alike = line.partition(" ")
            found.update(dict.fromkeys(alike, model))
    return found


@cache
def _text() -> str:
    return resources.files(__package__).joinpath(TABLE).read_text("utf-8")
