"""Secret tokens: making them, and the hash that is stored. Their owners are stored elsewhere."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """A token nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> bytes:
    """The stored hash of a secret token. No salt: the token has more bits than anybody can try."""
    return hashlib.sha256(secret.encode()).digest()
