"""Rules for the shape of names, of people and of circles. Pure: text in, text or Refusal out."""

from __future__ import annotations

import unicodedata
from typing import Final

from app.refusal import ErrorCode, Refusal
from app.service.words.looks import JOINERS

WIDTH: Final = range(2, 25)
"""A Chinese character is two wide, so a name has 1–12 of them or 2–24 letters."""
_ALONE: Final = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Scripts full of look-alikes of Latin letters: allowed, but not mixed with others."""
_SCRIPTS: Final = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", *_ALONE})


def display_name(raw: str, field: str = "name") -> str:
    """The name as it will be shown: width folded, spaces trimmed. Raises Refusal invalid. Words: see `Lists.name`."""
    name = spaced(raw)
    if _width(name) not in WIDTH:
        raise Refusal(
            ErrorCode.INVALID, "a name has 1 to 12 Chinese characters or 2 to 24 letters", field, reason="name_length"
        )
    scripts = {_script(char, field) for char in name} - {""}
    if len(scripts) > 1 and scripts & _ALONE:
        raise Refusal(
            ErrorCode.INVALID, "letters of scripts that look alike cannot be mixed", field, reason="name_mixed"
        )
    if name[0] in JOINERS or name[-1] in JOINERS:
        raise Refusal(ErrorCode.INVALID, "a name begins and ends with a letter or digit", field, reason="name_ends")
    return name


def spaced(raw: str) -> str:
    """Width folded, spaces trimmed."""
    return " ".join(unicodedata.normalize("NFKC", raw).split())


def _width(name: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in name)


def _script(char: str, field: str) -> str:
    """The script of a letter, "" for digits and joiners. Raises Refusal for anything that has no place in a name."""
    if char in JOINERS or ("0" <= char <= "9"):
        return ""
    script = unicodedata.name(char, "").partition(" ")[0]
    if unicodedata.category(char)[0] == "L" and script in _SCRIPTS:
        return script
    raise Refusal(ErrorCode.INVALID, "only letters, digits, spaces and · - _ . are allowed", field, reason="name_signs")
