"""Rules for the names of people and circles, and for notices. Pure: text in, text or Refusal out.

Two names that look alike have the same `skeleton`, so nobody can pass for another player (同形字). The lists of blocked
words and of look-alikes are files beside this one.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import resources
from typing import Final

from app.refusal import ErrorCode, Refusal

WIDTH: Final = range(2, 25)
"""A Chinese character is two wide, so a name has 1–12 of them or 2–24 letters."""
_JOINERS: Final = " ·-_."
_ALONE: Final = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Scripts full of look-alikes of Latin letters: allowed, but not mixed with others."""
_SCRIPTS: Final = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", *_ALONE})


def display_name(raw: str, field: str = "name") -> str:
    """The name as it will be shown: width folded, spaces trimmed. Raises Refusal: invalid, blocked_word."""
    name = " ".join(unicodedata.normalize("NFKC", raw).split())
    if _width(name) not in WIDTH:
        raise Refusal(
            ErrorCode.INVALID, "a name has 1 to 12 Chinese characters or 2 to 24 letters", field, reason="name_length"
        )
    scripts = {_script(char, field) for char in name} - {""}
    if len(scripts) > 1 and scripts & _ALONE:
        raise Refusal(
            ErrorCode.INVALID, "letters of scripts that look alike cannot be mixed", field, reason="name_mixed"
        )
    if name[0] in _JOINERS or name[-1] in _JOINERS:
        raise Refusal(ErrorCode.INVALID, "a name begins and ends with a letter or digit", field, reason="name_ends")
    refuse_blocked_words(name, field)
    return name


def _width(name: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in name)


def _script(char: str, field: str) -> str:
    """The script of a letter, "" for digits and joiners. Raises Refusal for anything that has no place in a name."""
    if char in _JOINERS or ("0" <= char <= "9"):
        return ""
    script = unicodedata.name(char, "").partition(" ")[0]
    if unicodedata.category(char)[0] == "L" and script in _SCRIPTS:
        return script
    raise Refusal(ErrorCode.INVALID, "only letters, digits, spaces and · - _ . are allowed", field, reason="name_signs")


def skeleton(name: str) -> str:
    """A name's look: case, accents, width, joiners and look-alike characters folded."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    kept = [char for char in plain if char not in _JOINERS and unicodedata.category(char) != "Mn"]
    return "".join([_look_alikes().get(char, char) for char in kept])


def refuse_blocked_words(text: str, field: str) -> None:
    """Raises Refusal blocked_word, without repeating the word."""
    shape = skeleton(text)
    whole, inside = _blocked_words()
    if shape in whole or any(word in shape for word in inside):
        raise Refusal(ErrorCode.BLOCKED_WORD, "this text contains a word that is not allowed", field)


@cache
def _look_alikes() -> dict[str, str]:
    """Character → the one it is taken for; lines of `look_alikes.txt`: the model, then its look-alikes."""
    return {char: line[0] for line in _lines("look_alikes.txt") for char in line[1:].replace(" ", "")}


@cache
def _blocked_words() -> tuple[frozenset[str], frozenset[str]]:
    """Skeletons blocked as a whole (`=word` in the file), and those blocked anywhere."""
    lines = _lines("blocked_words.txt")
    whole = frozenset([skeleton(line[1:]) for line in lines if line.startswith("=")])
    return whole, frozenset([skeleton(line) for line in lines if not line.startswith("=")])


def _lines(name: str) -> list[str]:
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
