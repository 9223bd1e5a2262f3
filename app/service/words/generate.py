"""Makes `same_look.txt`: `python -m app.service.words.generate`, after `pip install --group words`. No run needs it.

Three sources: Unicode's confusables (UTS #39) as the package confusable-homoglyphs carries them, OpenCC's simplified
form of each Chinese character, and `look_alikes.txt`, which is written by hand.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import unicodedata
from importlib import resources
from pathlib import Path
from typing import Any, Final

from app.service.words.looks import TABLE, plain

_HERE: Final = Path(__file__).parent
_IDEOGRAPHS: Final = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000))
_SMALL_CAPITAL: Final = re.compile(r"LATIN LETTER SMALL CAPITAL ([A-Z])")
_LINKS: Final = 8


def _confusables() -> dict[str, str]:
    """Unicode's look-alikes: character → model. The package links both ways; the model is the one with more links."""
    raw = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    links: dict[str, list[str]] = {char: [other["c"] for other in others] for char, others in json.loads(raw).items()}

    def rank(text: str) -> tuple[Any, ...]:
        return len(text) > 1, text.isascii() and text.isalpha(), len(links.get(text, ())), -ord(text[0])

    return {
        char: max(others, key=rank)
        for char, others in links.items()
        if len(char) == 1 and len(others) == 1 and rank(max(others, key=rank)) > rank(char)
    }


def _small_capitals() -> dict[str, str]:
    """ʙ → b and so on, which Unicode's table lacks."""
    named = ((chr(code), _SMALL_CAPITAL.fullmatch(unicodedata.name(chr(code), ""))) for code in range(0x250, 0xAB70))
    return {char: found[1].lower() for char, found in named if found is not None}


def _simplified() -> dict[str, str]:
    """員 → 员 and so on."""
    simplify = importlib.import_module("opencc").OpenCC("t2s").convert
    return {char: simplify(char) for block in _IDEOGRAPHS for char in map(chr, block) if simplify(char) != char}


def _by_hand() -> dict[str, str]:
    """Lines of `look_alikes.txt`: the model, then its look-alikes."""
    lines = [line for line in (_HERE / "look_alikes.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    return {char: line[0] for line in lines for char in line[1:].replace(" ", "")}


def table() -> str:
    """The content of the file."""
    by_hand, capitals = _by_hand(), _confusables()
    alike = {**_simplified(), **capitals, **_small_capitals(), **by_hand}
    groups: dict[str, str] = {}
    for char in sorted({*alike, *[char.upper() for char in alike if len(char.upper()) == 1]}):
        if plain(char) != char:
            continue  # folded before the table is asked
        seen = plain(capitals.get(char, char)).casefold() if char.casefold() != char else char
        for _ in range(_LINKS):
            seen = "".join([plain(alike.get(part, part)).casefold() for part in seen])
        if seen and seen != char.casefold():
            groups[seen] = groups.get(seen, "") + char
    head = "# Made by `python -m app.service.words.generate`: a model, a space, the characters that look like it.\n"
    return head + "".join([f"{model} {groups[model]}\n" for model in sorted(groups)])


if __name__ == "__main__":
    (_HERE / TABLE).write_text(table(), "utf-8")
    sys.stdout.write(f"{TABLE} written\n")
