"""The common part of all tables: the metadata and the kinds of column. Ids are short texts made by `new_id`."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Column, DateTime, ForeignKey, MetaData, Text, func
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData()

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 16
"""80 random bits: ids are not guessable, and not the secret that protects anything."""


def new_id() -> str:
    """A fresh id: 16 characters of Crockford's base 32, from the system's randomness."""
    return "".join([secrets.choice(_ALPHABET) for _ in range(ID_LENGTH)])


def id_column() -> Column[str]:
    """The primary key."""
    return Column("id", Text, primary_key=True)


def refers(name: str, target: str, *, null: bool = False, key: bool = False, cascade: bool = False) -> Column[str]:
    """A foreign key to `table.column`; `cascade`: is deleted with its owner."""
    ondelete = "CASCADE" if cascade else None
    return Column(name, Text, ForeignKey(target, ondelete=ondelete), nullable=null, primary_key=key)


def moment(name: str, *, null: bool = False, now: bool = False) -> Column[datetime]:
    """A point in time with its zone; `now`: set by the database."""
    return Column(name, DateTime(timezone=True), nullable=null, server_default=func.now() if now else None)


def document(name: str, *, null: bool = False) -> Column[Any]:
    """A JSONB value."""
    return Column(name, JSONB, nullable=null)
