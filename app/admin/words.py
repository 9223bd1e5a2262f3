"""Operators and words: which are blocked in names and texts, which names are reserved. All nodes follow in seconds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import AfterValidator, Field, StringConstraints

from app.admin.audit import AuditedRoute, ServicesDep, needs
from app.admin.bodies import ReasonQuery, WithReason
from app.refusal import ErrorCode, not_found
from app.rest.bodies import ResponseBody, printable
from app.rest.errors import for_operators
from app.service.words.book import in_force
from app.service.words.lists import Kind, Word, built_in, word
from app.storage.archive.engine import Db
from app.storage.archive.operators import words
from app.storage.archive.operators.operators import Operator
from app.storage.archive.paging import Row

WORD: Final[dict[str, Any]] = {"min_length": 1, "max_length": 40, "pattern": r"^[^\x00-\x1f]*$"}


class ChangeWord(WithReason):
    """A word to block anywhere, or to reserve as a whole name."""

    kind: Kind
    word: Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(printable)] = Field(
        examples=["加威信"]
    )


class WordOut(ResponseBody):
    """A word of a list. `changed_by`, `changed_at`: absent for a built-in word that nobody touched."""

    kind: Kind
    word: str = Field(examples=["加威信"])
    built_in: bool
    changed_by: str | None = Field(None, examples=["root"])
    changed_at: datetime | None = Field(None, examples=["2026-12-01T08:00:00Z"])


class WordsOut(ResponseBody):
    """The words in force, and the built-in ones that operators took out."""

    items: list[WordOut]
    taken_out: list[WordOut]


router = APIRouter(route_class=AuditedRoute, tags=["words"])

Watcher = Annotated[Operator, needs("read")]
Moderator = Annotated[Operator, needs("moderate")]


@router.get("/words", responses=for_operators())
async def list_words(services: ServicesDep, me: Watcher) -> WordsOut:
    """The words in force, and those of the built-in ones that operators took out."""
    async with services.archive.read() as db:
        return await _listed(db)


@router.put("/words", responses=for_operators(ErrorCode.CONFLICT))
async def put_word(asked: ChangeWord, services: ServicesDep, me: Moderator) -> WordsOut:
    """Block or reserve a word; one that was taken out is in force again."""
    wanted = word(asked.kind, asked.word)
    async with services.archive.begin() as db:
        if wanted in built_in():
            await words.forget(db, *wanted)
        else:
            await words.change(db, *wanted, allowed=False, by=me.name, now=services.now())
        return await _listed(db)


@router.delete("/words", responses=for_operators(ErrorCode.NOT_FOUND, ErrorCode.CONFLICT))
async def take_word_out(
    reason: ReasonQuery, kind: Kind, text: Annotated[str, Query(alias="word", **WORD)], services: ServicesDep,
    me: Moderator,
) -> WordsOut:  # fmt: skip
    """Take a word out of the lists."""
    wanted = word(kind, text)
    async with services.archive.begin() as db:
        if wanted not in _words(await words.changes(db)):
            raise not_found("word")
        if wanted in built_in():
            await words.change(db, *wanted, allowed=True, by=me.name, now=services.now())
        else:
            await words.forget(db, *wanted)
        return await _listed(db)


async def _listed(db: Db) -> WordsOut:
    changed = {Word(row["kind"], row["word"]): row for row in await words.changes(db)}
    ours = {*built_in()}
    all_words = [
        {**changed.get(each, {}), "kind": each.kind, "word": each.text, "built_in": each in ours}
        for each in sorted({*ours, *changed})
    ]
    return WordsOut.model_validate({
        "items": [row for row in all_words if not row.get("allowed")],
        "taken_out": [row for row in all_words if row.get("allowed")],
    })  # fmt: skip


def _words(rows: list[Row]) -> list[Word]:
    return in_force([(Word(row["kind"], row["word"]), row["allowed"]) for row in rows])
