"""Recovery codes: the way back into an account whose password is lost, since there is no mail. Only hashes are kept.

A code has 63 random bits, so a fast hash is enough: unlike a password it cannot be guessed from the hash.
"""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import delete, func, insert, select

from app.storage.archive.engine import Db
from app.storage.archive.people.tokens import digest
from app.storage.archive.schema import recovery_codes, users

CODES: Final = 10
_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_GROUPS: Final = (4, 4, 5)


async def make(db: Db, user_id: str) -> list[str]:
    """Fresh codes instead of all that were there, as a person writes them down."""
    codes = ["-".join(["".join([secrets.choice(_ALPHABET) for _ in range(n)]) for n in _GROUPS]) for _ in range(CODES)]
    await db.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user_id))
    await db.execute(insert(recovery_codes), [{"user_id": user_id, "code_hash": _hash(code)} for code in codes])
    return codes


async def left(db: Db, user_id: str) -> int:
    """The number of unused codes."""
    query = select(func.count()).select_from(recovery_codes).where(recovery_codes.c.user_id == user_id)
    return int((await db.execute(query)).scalar_one())


async def use_up(db: Db, user_id: str, code: str) -> bool:
    """Use a code up. False: it is not one of the user's unused codes. Two at once: one of them gets it."""
    there = (
        (recovery_codes.c.user_id == user_id)
        & (recovery_codes.c.code_hash == _hash(code))
        & select(users.c.id).where(users.c.id == user_id, users.c.deleted_at.is_(None)).exists()
    )
    return bool((await db.execute(delete(recovery_codes).where(there))).rowcount)


def _hash(code: str) -> bytes:
    return digest("".join([char for char in code.upper() if char.isalnum()]))
