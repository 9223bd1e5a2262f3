"""Keyset pages: a list goes on after the last row seen, named by an opaque cursor. No offsets."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, literal, tuple_

from app.refusal import ErrorCode, Refusal

_YEARS = range(1970, 9999)
"""Moments that Postgres can hold in every zone; a forged cursor may say any."""
_KEY_CHARS = 100
Row = dict[str, Any]
Page = tuple[list[Row], str | None]
"""Rows, and the cursor of the next page (None: this was the last)."""


def after(
    cursor: str | None, at: ColumnElement[Any], key: ColumnElement[Any], rank: ColumnElement[Any] | None = None
) -> list[ColumnElement[bool]]:
    """Conditions for the page after `cursor`, newest first by (`at`, `key`). Raises Refusal invalid, field cursor.

    `rank`: a number that counts before both, the highest first.
    """
    if cursor is None:
        return []
    moment, last, place = _read(cursor, ranked=rank is not None)
    seen = (literal(moment, at.type), literal(last, key.type))
    if rank is None:
        return [tuple_(at, key) < tuple_(*seen)]
    return [tuple_(rank, at, key) < tuple_(literal(place), *seen)]


def page(rows: Sequence[Any], limit: int, at: str, key: str, rank: str | None = None) -> Page:
    """Make a page of at most `limit` out of rows of which one more was asked for.

    `at`, `key`, `rank`: names of the columns; that of the rank is left out of the page.
    """
    plain = [dict(row) for row in rows]
    cursor = None
    if len(plain) > limit:
        last = plain[limit - 1]
        cursor = _cursor(last[at], last[key], None if rank is None else last[rank])
    return [{name: value for name, value in row.items() if name != rank} for row in plain[:limit]], cursor


def _cursor(moment: datetime, key: str, rank: int | None) -> str:
    place = "" if rank is None else f" {rank}"
    return base64.urlsafe_b64encode(f"{moment.isoformat()} {key}{place}".encode()).decode().rstrip("=")


def _read(cursor: str, *, ranked: bool) -> tuple[datetime, str, int]:
    try:
        plain = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
        moment, _, key = plain.partition(" ")
        place = 0
        if ranked:
            key, _, number = key.rpartition(" ")
            place = int(number) if len(number) == 1 else int("no rank")
        at = datetime.fromisoformat(moment)
    except (binascii.Error, ValueError):
        raise Refusal(ErrorCode.INVALID, "not a cursor of this list", "cursor") from None
    if at.tzinfo is None or at.year not in _YEARS or len(key) > _KEY_CHARS or not key or not key.isprintable():
        raise Refusal(ErrorCode.INVALID, "not a cursor of this list", "cursor")
    return at, key, place
