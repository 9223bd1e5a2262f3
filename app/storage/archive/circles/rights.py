"""Rights in a circle (亲友圈) by role: one table. Pure; no other code decides by a role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

Role = Literal["owner", "manager", "member"]
Permission = Literal[
    "see", "leave", "open_room", "see_code", "approve", "remove", "ban", "unban", "set_role", "transfer", "edit",
    "notice", "templates", "apart", "dissolve_room", "dissolve_circle",
    "webhooks",
]  # fmt: skip

ROLES: Final[tuple[Role, ...]] = get_args(Role)

_ALL: Final = frozenset(ROLES)
_BELOW_OWNER: Final = frozenset({"manager", "member"})
_MEMBERS: Final = frozenset({"member"})
_NOBODY: Final[frozenset[str]] = frozenset()
_YES: Final = _ALL
"""For permissions that are used on nobody in particular."""

RIGHTS: Final[Mapping[Permission, tuple[frozenset[str], frozenset[str], frozenset[str]]]] = {
    # permission         owner         manager   member
    "see":              (_YES,         _YES,     _YES),
    "leave":            (_NOBODY,      _YES,     _YES),
    "open_room":        (_YES,         _YES,     _YES),
    "see_code":         (_YES,         _YES,     _YES),
    "approve":          (_YES,         _YES,     _NOBODY),
    "remove":           (_BELOW_OWNER, _MEMBERS, _NOBODY),
    "ban":              (_BELOW_OWNER, _MEMBERS, _NOBODY),
    "unban":            (_YES,         _YES,     _NOBODY),
    "set_role":         (_BELOW_OWNER, _NOBODY,  _NOBODY),
    "transfer":         (_BELOW_OWNER, _NOBODY,  _NOBODY),
    "edit":             (_YES,         _NOBODY,  _NOBODY),
    "notice":           (_YES,         _YES,     _NOBODY),
    "templates":        (_YES,         _YES,     _NOBODY),
    "apart":            (_YES,         _YES,     _NOBODY),
    "dissolve_room":    (_YES,         _YES,     _NOBODY),
    "dissolve_circle":  (_YES,         _NOBODY,  _NOBODY),
    "webhooks":         (_YES,         _YES,     _NOBODY),
}  # fmt: skip
"""Permission → for owner, manager, member: the roles of those it may be used on. An owner hands over before leaving."""


def may(role: Role, permission: Permission, target: Role | None = None) -> bool:
    """Whether a member of `role` may do this, to a member of role `target` where the action has a target."""
    allowed = RIGHTS[permission][ROLES.index(role)]
    return bool(allowed) if target is None else target in allowed
