"""Share codes: anybody with the code may read that one record. A round has one code; sharing again gives the same."""

from __future__ import annotations

import secrets

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert

from app.refusal import not_found
from app.storage.archive.engine import Db
from app.storage.archive.play.history import refuse_stranger
from app.storage.archive.schema import shares

_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 12
"""30 to the power of 12: a code cannot be found by trying."""


async def share(db: Db, round_id: str, user_id: str) -> str:
    """The round's code, made now if there was none. Raises Refusal not_found for whom the round does not concern."""
    await refuse_stranger(db, round_id, user_id)
    code = "".join([secrets.choice(_ALPHABET) for _ in range(_LENGTH)])
    new = upsert(shares).values(code=code, round_id=round_id, shared_by=user_id)
    await db.execute(new.on_conflict_do_nothing(index_elements=[shares.c.round_id]))
    kept = await db.execute(select(shares.c.code).where(shares.c.round_id == round_id))
    return str(kept.scalar_one())


async def shared_round(db: Db, code: str) -> str:
    """The round a code opens. Raises Refusal not_found."""
    found = (await db.execute(select(shares.c.round_id).where(shares.c.code == code))).scalar_one_or_none()
    if found is None:
        raise not_found("share code")
    return str(found)
