"""Passwords: argon2id through argon2-cffi, in a thread, since a hash is meant to be slow. Nothing is stored here."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

_HASHER: Final = PasswordHasher()
_THREADS: Final = ThreadPoolExecutor(2, "passwords")
"""So many hashes are in work at the same time: each takes 64 MB."""


async def hashed(password: str) -> str:
    """The hash to keep, parameters and salt included."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, _HASHER.hash, password)


async def matches(password: str, kept: str | None) -> bool:
    """Is this the password behind the hash? None (no such account) takes as long and is never right."""
    right = await asyncio.get_running_loop().run_in_executor(_THREADS, _verify, kept, password)
    return right and kept is not None


def outdated(kept: str) -> bool:
    """Was it made with weaker parameters than today's?"""
    return _HASHER.check_needs_rehash(kept)


@cache
def _nobodys() -> str:
    """A hash to check when there is no such account, so that the time of the answer does not tell."""
    return _HASHER.hash("nobody has this password")


def _verify(kept: str | None, password: str) -> bool:
    try:
        return _HASHER.verify(kept or _nobodys(), password)
    except VerifyMismatchError:
        return False
