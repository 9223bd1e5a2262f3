"""Answers kept under an `Idempotency-Key`: a request that is sent again is not done again.

One key a user: first marked as under way, then with the answer. A refused request leaves nothing, so it may be tried
again with the same key.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from app.refusal import ErrorCode, Refusal
from app.storage.live.wire import keys
from app.storage.live.wire.link import Link

KEPT_S: Final = 86_400
"""For how long an answer is given again."""
_UNDER_WAY_S: Final = 60
"""A request that a dead node had begun may be tried anew after this."""


class Repeats:
    """Kept answers. Without a link they are kept in this process (tests)."""

    def __init__(self, link: Link | None = None) -> None:
        self._link = link
        self._here: dict[str, bytes] = {}

    async def begin(self, user: str, key: str, asked: str) -> str | None:
        """The answer to the same request before, or None: do it, then `finish` or `forget`. `asked`: the whole request.

        Raises Refusal invalid if the key stood for another request, conflict while that one is under way, and
        StoreUnavailable.
        """
        mark = f"{_digest(asked)}.{secrets.token_hex(8)}".encode()  # a command that the link repeats finds itself
        kept = await self._put_if_none(keys.repeat(user, key), mark)
        if kept is None or kept == mark:
            return None
        before, _, answer = kept.partition(b" ")
        if before.partition(b".")[0] != mark.partition(b".")[0]:
            raise Refusal(
                ErrorCode.INVALID, "this key was used for another request", "Idempotency-Key", reason="reused"
            )
        if not answer:
            raise Refusal(ErrorCode.CONFLICT, "this request is still under way; try again", reason="under_way")
        return answer.decode()

    async def finish(self, user: str, key: str, asked: str, answer: str) -> None:
        """Keep the answer. Raises StoreUnavailable."""
        name, kept = keys.repeat(user, key), f"{_digest(asked)} {answer}".encode()
        if self._link is None:
            self._here[name] = kept
        else:
            await self._link.ask("SET", name, kept, "EX", KEPT_S)

    async def forget(self, user: str, key: str) -> None:
        """Nothing was done: the key is free again. Raises StoreUnavailable."""
        if self._link is None:
            self._here.pop(keys.repeat(user, key), None)
        else:
            await self._link.ask("DEL", keys.repeat(user, key))

    async def _put_if_none(self, name: str, mark: bytes) -> bytes | None:
        """What is there already; None: `mark` is there now."""
        if self._link is None:
            kept = self._here.get(name)
            if kept is None:
                self._here[name] = mark
            return kept
        while not await self._link.ask("SET", name, mark, "NX", "EX", _UNDER_WAY_S):
            there: bytes | None = await self._link.ask("GET", name)
            if there is not None:
                return there  # else it has just run out
        return None


def _digest(asked: str) -> str:
    return hashlib.sha256(asked.encode()).hexdigest()
