"""Operators' second factor: codes of an authenticator (TOTP, RFC 6238). The secret lies in the archive as it is.

A code holds for its own step of 30 s and one before and after it, for clocks that drift; and for one sign-in only.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import Final

import pyotp
from sqlalchemy import or_, select, update

from app.refusal import ErrorCode, Refusal, not_found
from app.storage.archive.engine import Db
from app.storage.archive.schema import admin_accounts

STEP_S: Final = 30
_DRIFT: Final = (0, -1, 1)
_ISSUER: Final = "Quezhuo"


async def is_on(db: Db, account_id: str) -> bool:
    """Has this operator confirmed a second factor?"""
    query = select(admin_accounts.c.totp_since.is_not(None)).where(admin_accounts.c.id == account_id)
    return bool((await db.execute(query)).scalar_one_or_none())


async def begin(db: Db, account_id: str, name: str) -> tuple[str, str]:
    """A new secret to confirm: (secret, address for an authenticator). Raises Refusal conflict when one is on."""
    secret = pyotp.random_base32()
    mine = (admin_accounts.c.id == account_id) & admin_accounts.c.totp_since.is_(None)
    done = await db.execute(update(admin_accounts).where(mine).values(totp_secret=secret, totp_step=None))
    if done.rowcount == 0:
        raise Refusal(ErrorCode.CONFLICT, "a second factor is on; who manages accounts can take it away")
    return secret, pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=_ISSUER)


async def confirm(db: Db, account_id: str, code: str, now: datetime) -> bool:
    """Switch the second factor on when the code is right. False: it is wrong, or there is nothing to confirm."""
    if not await accepts(db, account_id, code, now):
        return False
    pending = (admin_accounts.c.id == account_id) & admin_accounts.c.totp_since.is_(None)
    return bool((await db.execute(update(admin_accounts).where(pending).values(totp_since=now))).rowcount)


async def accepts(db: Db, account_id: str, code: str, now: datetime) -> bool:
    """Is this a code of the operator's secret that was not used? It is used up, and so are all earlier ones."""
    query = select(admin_accounts.c.totp_secret).where(admin_accounts.c.id == account_id)
    secret = (await db.execute(query)).scalar_one_or_none()
    if secret is None:
        return False
    totp, present = pyotp.TOTP(secret), int(now.timestamp()) // STEP_S
    for step in (present + drift for drift in _DRIFT):
        if hmac.compare_digest(totp.generate_otp(step).encode(), code.encode()):
            unused = or_(admin_accounts.c.totp_step.is_(None), admin_accounts.c.totp_step < step)
            change = update(admin_accounts).where(admin_accounts.c.id == account_id, unused).values(totp_step=step)
            return bool((await db.execute(change)).rowcount)
    return False


async def take_away(db: Db, account_id: str) -> None:
    """The operator signs in without it again, and may enrol anew. Raises Refusal not_found."""
    change = update(admin_accounts).where(admin_accounts.c.id == account_id)
    done = await db.execute(change.values(totp_secret=None, totp_since=None, totp_step=None))
    if done.rowcount == 0:
        raise not_found("operator")
