"""Secret tokens: how they are made, and what is kept of them. Who they belong to stands elsewhere."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """A token nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> bytes:
    """What is kept of a secret token. No salt: it has more bits than anybody can try."""
    return hashlib.sha256(secret.encode()).digest()
