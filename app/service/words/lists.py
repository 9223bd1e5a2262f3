"""The words that people may not use: those that we bring along, and what operators made of them. Pure.

Compared by look, so neither look-alike characters nor signs between the letters hide a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal, NamedTuple

from app.refusal import ErrorCode, Refusal
from app.service.words.looks import letters, plain, skeleton
from app.service.words.names import display_name, spaced

Kind = Literal["blocked", "reserved"]
"""blocked: found anywhere in a text or name · reserved: the whole text or name, numbers and signs around it aside."""
_NUMERALS: Final = frozenset("零一二三四五六七八九十号")


class Word(NamedTuple):
    """A word as it is written in a list, without regard to case and width."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Lists:
    """The words in force, by look."""

    blocked: frozenset[str]
    reserved: frozenset[str]

    @classmethod
    def of(cls, words: Iterable[Word]) -> Lists:
        """The lists of these words."""
        known = tuple(words)
        blocked, reserved = ([letters(text) for kind, text in known if kind == wanted] for wanted in KINDS)
        return cls(frozenset(blocked) - {""}, frozenset(reserved) - {""})

    def name(self, raw: str, field: str = "name") -> str:
        """A name as it will be shown. Raises Refusal: invalid, blocked_word."""
        name = display_name(raw, field)
        self.refuse(name, field)
        return name

    def refuse(self, text: str, field: str) -> None:
        """Raises Refusal blocked_word, without repeating the word."""
        seen = (skeleton(text), letters(text))
        if {*seen, letters(_core(text))} & self.reserved or any(word in look for look in seen for word in self.blocked):
            raise Refusal(ErrorCode.BLOCKED_WORD, "this text contains a word that is not allowed", field)


KINDS: Final[tuple[Kind, ...]] = ("blocked", "reserved")


def word(kind: Kind, text: str) -> Word:
    """A word as lists keep it. Raises Refusal invalid when it is too short to be looked for."""
    if len(letters(text)) < 2:
        raise Refusal(ErrorCode.INVALID, "a word has two letters or more", "word")
    return Word(kind, spaced(text).casefold())


@cache
def built_in() -> tuple[Word, ...]:
    """The words of `built_in.txt`; `=word` is reserved."""
    lines = resources.files(__package__).joinpath("built_in.txt").read_text("utf-8").splitlines()
    words = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return tuple([word("reserved" if text.startswith("=") else "blocked", text.lstrip("=")) for text in words])


def _core(text: str) -> str:
    """The text without numbers and ornaments at its ends: 系统1 is 系统."""
    seen = plain(text)
    ends = [at for at, char in enumerate(seen) if unicodedata.category(char)[0] == "L" and char not in _NUMERALS]
    return seen[ends[0] : ends[-1] + 1] if ends else ""
