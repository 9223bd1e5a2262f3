"""The third language, 繁體: a table made from every Chinese text of the client and of the games' descriptions.

`python -m app.web.traditional` writes `static/lang/hant.js`. It needs OpenCC (`pip install --group words`), which
nothing else does: the table is checked in, and a test holds that it is complete and keeps to the reviewed list of game terms.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from app.tables.settings import SETTINGS_OPTIONS
from app.variants import VARIANTS

STATIC: Final = Path(__file__).parent / "static"
TABLE: Final = STATIC / "lang" / "hant.js"
TERMS: Final = Path(__file__).with_name("traditional_terms.txt")
_CONFIG: Final = "s2tw"
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_COMMENT: Final = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_TEXT: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_ENGLISH: Final = re.compile(r"\nexport const EN = \{.*?\n\};", re.DOTALL)
_BARE: Final = re.compile(r"[\u4e00-\u9fff][\w\u4e00-\u9fff]*")
_NUMBERS: Final = "一二三四五六七八九"
_SUITS: Final = ("万", "条", "筒", "饼")
_HONOURS: Final = ("东风", "南风", "西风", "北风", "白板", "发财", "红中")
_HEAD: Final = """// @ts-check
/** 繁體 for every Chinese text, made by `python -m app.web.traditional`: change the terms there, not this file. */

/** @type {Record<string, string>} */
export const HANT = """


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


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(text: str) -> str:
    """A key as the formatter writes it: bare where it can be."""
    return text if _BARE.fullmatch(text) else _quoted(text)


def main() -> int:
    """Write the table."""
    try:
        from opencc import OpenCC
    except ImportError:
        print("OpenCC is missing: pip install --group words", file=sys.stderr)
        return 2
    made = table(texts(), terms(), OpenCC(_CONFIG).convert)
    rows = [f"  {_key(text)}: {_quoted(new)}," for text, new in made.items()]
    TABLE.write_text("\n".join([_HEAD + "{", *rows, "};"]) + "\n")
    print(f"{len(made)} texts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
