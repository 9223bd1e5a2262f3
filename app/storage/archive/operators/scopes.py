"""Rights of operators: one table from role to scopes. Pure; no other code decides by a role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

Scope = Literal["read", "moderate", "operate", "export", "ladder", "inspect", "audit", "accounts"]
"""read: rooms, users, nodes, counters, reports, without hidden tiles · moderate: kick, mute, ban, reports · operate:
dissolve, freeze, release, drain, announce · export: records · ladder: adjust points · inspect: hidden tiles of running
tables · audit: the log of calls · accounts: operators' accounts."""

AdminRole = Literal["viewer", "moderator", "operator", "admin"]

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
ROLE_SCOPES: Final[Mapping[AdminRole, frozenset[Scope]]] = {
    "viewer": frozenset({"read"}),
    "moderator": frozenset({"read", "moderate"}),
    "operator": frozenset({"read", "moderate", "operate", "export"}),
    "admin": frozenset(SCOPES),
}
EXPLICIT: Final[frozenset[Scope]] = frozenset({"inspect"})
"""Scopes that a token has only when it was asked for by name."""


def granted(role: AdminRole, asked: Iterable[str] | None) -> frozenset[Scope]:
    """The scopes of a token: those asked for that the role has; all of the role but the explicit ones when None."""
    if asked is None:
        return ROLE_SCOPES[role] - EXPLICIT
    wanted = set(asked)
    return frozenset([scope for scope in ROLE_SCOPES[role] if scope in wanted])
