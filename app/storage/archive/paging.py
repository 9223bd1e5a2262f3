"""Keyset pages: a list goes on after the last row seen, named by an opaque cursor. No offsets."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, literal, tuple_

from app.refusal import ErrorCode, Refusal

Row = dict[str, Any]
Page = tuple[list[Row], str | None]
"""Rows, and the cursor of the next page (None: this was the last)."""


def after(cursor: str | None, at: ColumnElement[Any], key: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    """Conditions for the page after `cursor`, newest first by (`at`, `key`). Raises Refusal invalid, field cursor."""
    if cursor is None:
        return []
    moment, last = _read(cursor)
    return [tuple_(at, key) < tuple_(literal(moment, at.type), literal(last, key.type))]


def page(rows: Sequence[Any], limit: int, at: str, key: str) -> Page:
    """Make a page of at most `limit` out of rows of which one more was asked for. `at`, `key`: names of the columns."""
    plain = [dict(row) for row in rows]
    if len(plain) <= limit:
        return plain, None
    last = plain[limit - 1]
    return plain[:limit], _cursor(last[at], last[key])


def _cursor(moment: datetime, key: str) -> str:
    return base64.urlsafe_b64encode(f"{moment.isoformat()} {key}".encode()).decode().rstrip("=")


def _read(cursor: str) -> tuple[datetime, str]:
    try:
        plain = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
        moment, _, key = plain.partition(" ")
        at = datetime.fromisoformat(moment)
    except (binascii.Error, ValueError):
        raise Refusal(ErrorCode.INVALID, "not a cursor of this list", "cursor") from None
    if at.tzinfo is None or not key or not key.isprintable():
        raise Refusal(ErrorCode.INVALID, "not a cursor of this list", "cursor")
    return at, key
