"""The lists of words as the archive has them now; each process looks again when what it knows is two seconds old."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from app.service.words.lists import Lists, Word, built_in
from app.storage.archive.engine import Archive
from app.storage.archive.operators import words

FRESH_S: Final = 2.0
"""For how many seconds a list is used without looking again: so long may a change take to reach all nodes."""


class WordBook:
    """The words in force. `latest` is what was read last; before that, the words that we bring along."""

    def __init__(self, archive: Archive, now_s: Callable[[], float] = time.monotonic) -> None:
        self._archive = archive
        self._now_s = now_s
        self._read_at: float | None = None
        self._changes: list[tuple[Word, bool]] = []
        self.latest = Lists.of(built_in())

    async def name(self, raw: str, field: str = "name") -> str:
        """A name as it will be shown. Raises Refusal: invalid, blocked_word; and errors of the archive."""
        return (await self.current()).name(raw, field)

    async def refuse(self, text: str, field: str) -> None:
        """Raises Refusal blocked_word; and errors of the archive."""
        (await self.current()).refuse(text, field)

    async def current(self) -> Lists:
        """The lists, at most `FRESH_S` old. Raises errors of the archive while it is away."""
        now = self._now_s()
        if self._read_at is None or now - self._read_at > FRESH_S:
            async with self._archive.read() as db:
                rows = await words.changes(db)
            changes = [(Word(row["kind"], row["word"]), row["allowed"]) for row in rows]
            if changes != self._changes:
                self.latest = Lists.of(in_force(changes))
            self._changes, self._read_at = changes, now
        return self.latest


def in_force(changes: list[tuple[Word, bool]]) -> list[Word]:
    """The words that we bring along and those that operators added, without those they took out."""
    known = dict.fromkeys(built_in(), False) | dict(changes)
    return sorted(word for word, allowed in known.items() if not allowed)
