"""A game's RULES.md as data: sections, and in them clauses by id and other paragraphs. Text in, values out.

A clause is a line `- **XX-1.2** …` with the lines below it, up to the next clause or heading. The page may say in
brackets where a clause lives outside the game's folder; that is for developers.
"""

from __future__ import annotations

import re
from typing import Final

from app.kernel.immutable import immutable

CLAUSE_ID: Final = r"(?:[A-Z]{2}-\d+\.\d+|[PH]\d+)"
"""The number of a clause: two capitals, section, number; or, in 天津麻将, the number of a property or a hazard."""
_CLAUSE: Final = re.compile(rf"^- \*\*({CLAUSE_ID})\*\* *(.*)$")
_ELSEWHERE: Final = re.compile(r"（(运行时|测试)：((?:app|tests)/[\w/.]+)）|（(无代码)）")


@immutable
class Block:
    """A clause, or lines without a number (`clause` None): a paragraph, a table, a listing."""

    clause: str | None
    text: str
    elsewhere: str | None

    @property
    def for_people(self) -> str:
        """The text without the remarks for developers."""
        return _ELSEWHERE.sub("", self.text)


@immutable
class Section:
    """A part of the page under one heading; the first one has the heading of the whole page."""

    title: str
    blocks: tuple[Block, ...]


@immutable
class Clause:
    """A clause. `elsewhere`: where the page says that it lives, None when it lives in the code of its game.

    `elsewhere` is a path below the root, or empty for a clause that needs no code.
    """

    text: str
    elsewhere: str | None


def sections_of(page: str) -> tuple[Section, ...]:
    """The sections of a page in order. A mark in the heading of a section holds for all its clauses."""
    found: list[Section] = []
    for part in re.split(r"^(?=#)", page, flags=re.MULTILINE):
        if part.strip():
            title, _, body = part.partition("\n")
            text = _ELSEWHERE.sub("", title.lstrip("# "))
            found.append(Section(text.strip(), tuple(_blocks(body, _elsewhere(title)))))
    return tuple(found)


def clauses_of(page: str) -> dict[str, Clause]:
    """The clauses of a page by id."""
    return {
        block.clause: Clause(block.text, block.elsewhere)
        for section in sections_of(page)
        for block in section.blocks
        if block.clause is not None
    }


def _blocks(body: str, head: str | None) -> list[Block]:
    blocks: list[Block] = []
    for line in body.splitlines():
        if match := _CLAUSE.match(line):
            blocks.append(Block(match[1], match[2], _or(_elsewhere(line), head)))
        elif not line.strip():
            continue
        elif blocks:
            last = blocks[-1]
            blocks[-1] = Block(last.clause, f"{last.text}\n{line}", _or(_elsewhere(line), last.elsewhere))
        else:
            blocks.append(Block(None, line, head))
    return blocks


def _elsewhere(line: str) -> str | None:
    mark = _ELSEWHERE.search(line)
    return None if mark is None else mark[2] or ""


def _or(mark: str | None, other: str | None) -> str | None:
    """The mark; where there is none the other: an empty mark is one too."""
    return other if mark is None else mark
