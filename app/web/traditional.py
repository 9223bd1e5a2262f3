"""The third language, 繁體: a table made from every Chinese text of the client and of the games' descriptions.

`python -m app.web.traditional` writes `static/lang/hant.json`. It needs OpenCC (`pip install --group words`), which
nothing else does: the table is checked in. A test holds that it is complete and keeps to the reviewed list of terms.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import app.variants
from app.kernel.text.rules_page import sections_of
from app.kernel.words import Text
from app.tables.settings import SETTINGS_OPTIONS
from app.variants import VARIANTS

STATIC: Final = Path(__file__).parent / "static"
TABLE: Final = STATIC / "lang" / "hant.json"
RULES: Final = STATIC / "lang" / "rules"
"""Beside the table: one file for each game's rules page and its words, read when somebody asks for them."""
TERMS: Final = Path(__file__).with_name("traditional_terms.txt")
_CONFIG: Final = "s2tw"
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_COMMENT: Final = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_TEXT: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_ENGLISH: Final = re.compile(r"\nexport const EN = \{.*?\n\};", re.DOTALL)
_NUMBERS: Final = "一二三四五六七八九"
_SUITS: Final = ("万", "条", "筒", "饼")
_HONOURS: Final = ("东风", "南风", "西风", "北风", "白板", "发财", "红中")


def texts() -> set[str]:
    """Every Chinese text that the client may show by itself."""
    found = {number + suit for number in _NUMBERS for suit in _SUITS} | set(_HONOURS)
    for path in STATIC.rglob("*.js"):
        if path.parent.name != "lang":
            found |= set(_TEXT.findall(_COMMENT.sub("", _ENGLISH.sub("", path.read_text()))))
    options = list(SETTINGS_OPTIONS)
    for variant in VARIANTS.values():
        meta = variant.meta
        found |= {meta.name_zh, *meta.pattern_names.values(), *meta.reason_names.values()}
        found |= {row.name for row in meta.ladder}
        options += meta.options
    for option in options:
        found |= {option.label_zh, option.help_zh, *option.choice_labels}
    return {text for text in found if _CHINESE.search(text)}


def rules_texts(slug: str) -> set[str]:
    """Every Chinese text of a game's rules page, and of its words for people who learn it."""
    page = (Path(app.variants.__file__).parent / slug / "RULES.md").read_text(encoding="utf-8")
    words = VARIANTS[slug].words
    said: list[Text] = [*words.reasons.values(), *[silence.text for silence in words.silence.values()]]
    said += [text for offer in words.offers.values() for text in (offer.does, offer.costs)]
    found = {text.zh for text in said}
    for section in sections_of(page):
        found |= {section.title, *[block.for_people for block in section.blocks]}
    return {text for text in found if _CHINESE.search(text)}


def terms(path: Path = TERMS) -> dict[str, str]:
    """The reviewed list: term → how it is written in 繁體."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {line[0]: line[1] for line in lines}


def table(known: Iterable[str], reviewed: Mapping[str, str], convert: Callable[[str], str]) -> dict[str, str]:
    """Text → 繁體, where it differs. A reviewed term stands wherever it occurs, the longest first."""
    longest = sorted(reviewed, key=len, reverse=True)
    cut = re.compile("|".join(map(re.escape, longest)) or r"(?!)")

    def written(text: str) -> str:
        parts, at = [], 0
        for term in cut.finditer(text):
            parts += [convert(text[at : term.start()]), reviewed[term[0]]]
            at = term.end()
        return "".join([*parts, convert(text[at:])])

    return {text: new for text in sorted(known) if (new := written(text)) != text}


def main() -> int:
    """Write the table."""
    try:
        converter = importlib.import_module("opencc").OpenCC(_CONFIG)
    except ImportError:
        print("OpenCC is missing: pip install --group words", file=sys.stderr)
        return 2
    made = table(texts(), terms(), converter.convert)
    TABLE.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    RULES.mkdir(exist_ok=True)
    for slug in VARIANTS:
        of_game = table(rules_texts(slug), terms(), converter.convert)
        (RULES / f"{slug}.json").write_text(json.dumps(of_game, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(made)} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
