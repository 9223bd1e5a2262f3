"""Keys of names in the archive: a name's skeleton, made anew for all users when the table of look-alikes changed.

Two accounts whose names look alike only since then keep their names: the later one gets a key of the exact name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import asyncpg

from app.service.words.looks import skeleton, version
from app.service.words.names import spaced

_VERSION: Final = "SELECT version FROM name_keys"
_DONE: Final = "INSERT INTO name_keys (version) VALUES ($1) ON CONFLICT (one) DO UPDATE SET version = $1"
_NAMES: Final = """
SELECT id, name, name_key, password_hash IS NOT NULL AS account FROM users
WHERE deleted_at IS NULL ORDER BY created_at, id
"""
_SET: Final = "UPDATE users SET name_key = $2 WHERE id = $1"


def exact_key(name: str) -> str:
    """The key of an account whose skeleton was another's first."""
    return f"exact:{spaced(name).casefold()}"


async def keys_are_new(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
    """True when the keys were made by this program's table of look-alikes."""
    return bool(await connection.fetchval(_VERSION) == version())


async def renew_keys(owner: asyncpg.Connection[asyncpg.Record]) -> int:
    """Bring all keys to this program's table, inside the lock of the migrations. Returns how many changed."""
    if await keys_are_new(owner):
        return 0
    async with owner.transaction():
        changed = _changed(await owner.fetch(_NAMES))
        await owner.executemany(_SET, [(user, f"changing:{user}") for user, _ in changed])
        await owner.executemany(_SET, changed)
        await owner.execute(_DONE, version())
    return len(changed)


def _changed(rows: Iterable[Any]) -> list[tuple[str, str]]:
    """(user, new key) of those whose key is another now; the oldest account of a look keeps the plain key."""
    taken: set[str] = set()
    changed = []
    for row in rows:
        key = skeleton(row["name"])
        if row["account"]:
            key = exact_key(row["name"]) if key in taken else key
            taken.add(key)
        if key != row["name_key"]:
            changed.append((row["id"], key))
    return changed
