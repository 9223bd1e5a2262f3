"""Passwords: argon2id through argon2-cffi, in a thread, since a hash is meant to be slow. Nothing is stored here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from app.refusal import ErrorCode, Refusal

Result = TypeVar("Result")

_HASHER: Final = PasswordHasher()
_LEAST: Final = 2
_LEAST_OF_OPERATORS: Final = 3
_LOOKED_AT: Final = 72
"""Characters of a password whose strength is measured: the time grows with the square of the length."""
_WAITING: Final = 32
"""Hashes of one kind that may be wanted at a time, those in work included: 5 s of work on a slow core."""


class _Workers:
    """Threads that hash, and a bound on what waits for them. Each hash takes 64 MB while it is in work."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self._wanted = 0

    async def run(self, work: Callable[..., Result], *args: str | None) -> Result:
        """The result of `work`. Raises Refusal busy when too much waits already."""
        if self._wanted >= _WAITING:
            raise Refusal(ErrorCode.BUSY, "too many passwords are being checked; try again in some seconds")
        self._wanted += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        finally:
            self._wanted -= 1


_PLAYERS: Final = _Workers(2, "passwords")
_OPERATORS: Final = _Workers(1, "operators")
"""Operators sign in while any number of players do."""


async def refuse_weak(password: str, *known: str, operators: bool = False) -> None:
    """Raises Refusal invalid for a password that is guessed early, by zxcvbn; `known`: texts a guesser tries as well.

    A player's may be of middling strength, because sign-ins are limited. Raises Refusal busy.
    """
    least = _LEAST_OF_OPERATORS if operators else _LEAST
    if await (_OPERATORS if operators else _PLAYERS).run(_strength, password, *known) < least:
        raise Refusal(ErrorCode.INVALID, "this password is easy to guess", "password", reason="weak_password")


async def hashed(password: str, *, operators: bool = False) -> str:
    """The hash to keep, parameters and salt included. Raises Refusal busy."""
    return await (_OPERATORS if operators else _PLAYERS).run(_HASHER.hash, password)


async def matches(password: str, kept: str | None, *, operators: bool = False) -> bool:
    """Is this the password behind the hash? None (no such account) takes as long and is never right.

    Raises Refusal busy.
    """
    right = await (_OPERATORS if operators else _PLAYERS).run(_verify, kept, password)
    return right and kept is not None


def outdated(kept: str) -> bool:
    """Was it made with weaker parameters than today's?"""
    return _HASHER.check_needs_rehash(kept)


@cache
def _nobodys() -> str:
    """A hash to check when there is no such account, so that the time of the answer does not tell."""
    return _HASHER.hash("nobody has this password")


def _strength(password: str, *known: str) -> int:
    """0 to 4. The library is imported at its first use: its lists of words take a sixth of a second."""
    from zxcvbn import zxcvbn  # type: ignore[import-untyped]

    return int(zxcvbn(password[:_LOOKED_AT], [*known, "quezhuo", "雀桌"])["score"])


def _verify(kept: str | None, password: str) -> bool:
    try:
        return _HASHER.verify(kept or _nobodys(), password)
    except (VerifyMismatchError, InvalidHashError):
        return False
