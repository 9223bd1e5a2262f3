"""The scope that a personal token needs for each operation. What is not listed is refused to every personal token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi.routing import APIRoute

from app.refusal import ErrorCode, Refusal
from app.storage.archive.people.personal_tokens import TokenScope

_PLAY: Final = (
    "rooms_create_room", "rooms_join", "rooms_ticket", "rooms_leave", "rooms_quick_match", "rooms_invite_bot",
)  # fmt: skip
_READ: Final = (
    "me_profile", "me_events", "me_blocks", "rooms_room_state", "rooms_room_by_code", "rooms_my_room",
    "rooms_players", "rooms_lobby", "rooms_lobby_ticket",
    "history_my_matches", "history_my_rounds", "history_my_dealings", "history_my_statistics",
    "history_match_detail", "history_export_match", "history_round_detail", "history_record",
    "ladder_the_best", "ladder_my_standing",
    "circles_my_circles", "circles_circle_detail", "circles_circle_lobby", "circles_member_list", "circles_templates",
    "circles_matches", "circles_leaderboard", "circles_member_statistics", "circles_dealings",
)  # fmt: skip
_CIRCLE: Final = (
    "circles_apply", "circles_change_circle", "circles_dissolve_room", "circles_applications", "circles_approve",
    "circles_reject", "circles_remove", "circles_bans", "circles_ban", "circles_unban", "circles_save",
    "circles_replace", "circles_drop", "circles_pairs", "circles_keep_apart", "circles_let_together",
    "circles_webhooks", "circles_remove_webhook", "circles_resume_webhook", "circles_webhook_deliveries",
    "circles_replay_delivery",
)  # fmt: skip
SCOPE_OF: Final[Mapping[str, TokenScope]] = {
    **dict.fromkeys(_PLAY, "play"), **dict.fromkeys(_READ, "read"), **dict.fromkeys(_CIRCLE, "circle"),
}  # fmt: skip
"""Operation → the scope that it needs. A ticket for a table's socket, also to watch, needs `play`, for the lobby's
`read`."""

NEVER: Final = frozenset({
    "accounts_make_account", "accounts_recovery_codes_left", "accounts_make_recovery_codes",
    "me_change_profile", "me_delete_me", "me_my_sessions", "me_end_other_sessions",
    "me_end_session", "me_export", "me_block", "me_unblock", "me_report", "me_my_tokens", "me_make_token",
    "me_revoke_token", "me_my_bots", "me_declare_bot", "history_share", "circles_found_circle",
    "circles_dissolve_circle", "circles_transfer", "circles_set_role", "circles_add_webhook",
})  # fmt: skip
"""Operations for signed-in people that no personal token may ever do: they change the account, or give rights away."""


def operation_id(route: APIRoute) -> str:
    """The name of an operation, here and for generated clients: `rooms_create_room`."""
    return f"{route.tags[0]}_{route.name}"


def refuse_out_of_scope(operation: str, scopes: frozenset[str]) -> None:
    """Raises Refusal forbidden when a token with these scopes may not do this operation."""
    needed = SCOPE_OF.get(operation)
    if needed is None:
        raise Refusal(ErrorCode.FORBIDDEN, "no personal token may do this", reason="personal_token")
    if needed not in scopes:
        raise Refusal(ErrorCode.FORBIDDEN, f"this token lacks the scope `{needed}`", reason="scope")
