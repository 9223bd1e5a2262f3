"""A table's memory of people outside its log: answers that left no entry, the pace of phrases, mutes.

All of it is lost when the table moves: its next owner judges a repeated request again, on a later state.
"""

from __future__ import annotations

from math import inf
from typing import Final, Literal

from app.refusal import ErrorCode
from app.tables.match.state import REMEMBERED

PHRASE_GAP_S: Final = 1.0
"""Shortest time between two phrases of one person."""
DONE: Final[Literal["done"]] = "done"
"""The remembered answer of what was done and left nothing in the log: said already, or so already."""
Answer = ErrorCode | Literal["done"]


class Unlogged:
    """One table's memory, by user id. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._answers: dict[str, dict[str, Answer]] = {}
        self._contents: dict[str, dict[str, int]] = {}
        self._phrases: dict[str, float] = {}
        self._muted: dict[str, float] = {}

    def answer(self, user: str, ref: str) -> Answer | None:
        """The earlier answer to this request: the code of a refusal, or DONE; None: not here, or long ago."""
        return self._answers.get(user, {}).get(ref)

    def remember(self, user: str, ref: str, answer: Answer) -> None:
        """Answer this request alike when it is repeated; the oldest is forgotten after REMEMBERED of one person."""
        answers = self._answers.setdefault(user, {})
        answers[ref] = answer
        if len(answers) > REMEMBERED:
            del answers[next(iter(answers))]

    def is_another(self, user: str, ref: str, content: int) -> bool:
        """Whether this id came before with another content (A1). The first content of an id is remembered."""
        contents = self._contents.setdefault(user, {})
        first = contents.setdefault(ref, content)
        if len(contents) > 2 * REMEMBERED:
            del contents[next(iter(contents))]
        return first != content

    def logged(self, user: str, ref: str) -> None:
        """The request left an entry: the log remembers its content from now on."""
        self._contents[user].pop(ref, None)

    def refuses_phrase(self, user: str, now: float) -> ErrorCode | None:
        """Why a phrase is not passed on now."""
        if now - self._phrases.get(user, -inf) < PHRASE_GAP_S:
            return ErrorCode.RATE_LIMITED
        return ErrorCode.MUTED if self.muted_s(user, now) > 0 else None

    def passed_on(self, user: str, now: float) -> None:
        """A phrase was passed on."""
        self._phrases[user] = now

    def mute(self, user: str, until: float | None) -> None:
        """Hold phrases back until then (`inf`: as long as the table runs here); None: no longer."""
        self._muted.pop(user, None)
        if until is not None:
            self._muted[user] = until

    def muted_s(self, user: str, now: float) -> float:
        """For how many seconds phrases are held back from now on; `inf`: nobody knows."""
        return max(0.0, self._muted.get(user, 0.0) - now)
