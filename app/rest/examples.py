"""Sample values by field name: the examples of REST's OpenAPI page, players' and operators' alike.

One table instead of an example at every field; a field with an example of its own keeps it. Values only, no shapes.
"""

from __future__ import annotations

from typing import Any, Final

_USER: Final = "7k2m9qv4c0x1b8nd"
_ROOM: Final = "e6zja3vcp70mkr36"
_ROUND: Final = f"{_ROOM}.1.3"
_AT: Final = "2026-11-30T12:00:00Z"
_SECRET: Final = "nXvQ2r0cY7aTq4Zk9uJw1LdE8mSb5hGf6PiRoVtByUx"

EXAMPLES: Final[dict[str, Any]] = {
    **dict.fromkeys(("id", "user", "a", "b", "user_id", "host", "host_id", "reporter_id", "reported_id"), _USER),
    **dict.fromkeys(("room", "room_id"), _ROOM),
    **dict.fromkeys(("round", "round_id"), _ROUND),
    **dict.fromkeys(
        ("created_at", "closed_at", "started_at", "ended_at", "joined_at", "last_played_at", "last_used_at", "last_at",
         "since", "expires_at", "revoked_at", "disabled_at", "failing_since", "next_at",
         "delivered_at", "deleted_at", "lifted_at", "reserved_at", "until", "at"),
        _AT,
    ),
    **dict.fromkeys(("access_token", "refresh_token", "device_token", "ticket", "token"), _SECRET),
    **dict.fromkeys(("name", "reporter", "reported"), "老王"),
    **dict.fromkeys(("password", "old_password"), "correct horse battery"),
    **dict.fromkeys(("reason", "text", "message", "notice"), "周六晚八点开局"),
    **dict.fromkeys(("close_reason", "end_reason"), "finished"),
    **dict.fromkeys(("rank", "level", "seat", "source", "target", "n", "dealer", "times", "round_no", "played"), 1),
    "series": 1,
    **dict.fromkeys(("rounds", "rounds_day"), 8),
    **dict.fromkeys(("circle", "circle_id"), "c1r7w0m4k9x2e5tz"),
    "rules": {"base": 1, "rounds": 8},
    **dict.fromkeys(("net", "points", "a_to_b", "b_to_a"), 18),
    "match_id": f"{_ROOM}.1", "template": "t3b8n5q1y6v0h2kd", "code": "748448", "variant": "tianjin",
    "settings": {"think_s": 15, "claim_s": 8, "spectators": "members"}, "spectators": 0, "avatar": "f3a91c",
    "kind": "private", "phase": "playing", "season": "2026Q4", "period": "week", "outcome": "won", "role": "member",
    "names": ["3", "end"], "document": {"kind": "round", "round_no": 3},
    "label": "nightly report", "scopes": ["read"], "actor": "boss", "action": "dissolve", "subject": _ROOM,
    "status": 200, "cursor": "MjAyNi0xMS0zMFQxMjowMDowMFogYWJj", "patterns": ["zhuo_wu"], "win_rate": 0.25,
    "wins": 2, "dealer_rounds": 3, "pattern": "zhuo_wu", "threshold": 150, "level_name": "一万", "minutes": 60,
    "devices": 1, "sessions": 1, "sanctions": ["mute"], "imposed_by": "boss", "tables": 12, "done": True,
    "note": "the room is closed already (voted)", "ids": [_USER], "ws_path": "/n/n1/v1/ws",
    "data": {"profile": {"id": _USER, "name": "老王"}, "rounds": []},
    "record": {"format": 1, "variant": "tianjin", "rules_version": 1, "rules": {"base": 1}, "entries": []},
    "table": {"ok": True, "frozen": None, "entries": 41}, "live": {"tables": 12}, "archive": {"users": 1042},
    "results": [{"value": 6, "patterns": [["zhuo_wu", 3]]}], "facts": {"sit": True}, "detail": {"error": "forbidden"},
    "list": "hands", "slug": "tianjin", "rooms": 9, "players": 4, "members": 24, "applications": 2, "days": 30,
    "rules_version": 1, "clause": "TJ-13.1", "low": 1, "high": 100, "label_zh": "旁观", "label_en": "Spectators",
    "help_zh": "每番几分", "help_en": "Points per fan", "choices": ["off", "members", "all"],
    "choice_labels": ["不允许", "仅成员", "所有人"], "name_zh": "天津麻将", "name_en": "Tianjin mahjong",
    "kinds": ["1m", "2m", "3m"], "dice": 4, "first_dealer": "random",
    "clocks": {"answer": 15}, "auto_ready_s": 15, "pattern_names": {"zhuo_wu": "捉五"},
    "reason_names": {"win": "胡牌"}, "names_en": {"捉五": "Catch 5"},
    "round_facts": {"sit": True}, "seat_facts": {"pull": 1},
}  # fmt: skip
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "object": (dict,),
    "array": (list,),
}  # fmt: skip


def add_examples(schema: dict[str, Any]) -> None:
    """Give the properties of a model's JSON schema their examples; pydantic's `json_schema_extra`."""
    for name, told in schema.get("properties", {}).items():
        if name in EXAMPLES and not {"examples", "$ref", "enum", "const"} & told.keys() and _fits(told, EXAMPLES[name]):
            told["examples"] = [EXAMPLES[name]]


def _fits(told: dict[str, Any], value: Any) -> bool:
    """Is it of a type that the property may have? A list of other models has its examples there."""
    kinds = [part for part in told.get("anyOf", [told]) if "enum" not in part]
    if any("$ref" in part.get("items", {}) for part in kinds):
        return False
    types = [_TYPES.get(part.get("type", ""), ()) for part in kinds]
    return any(type(value) in allowed for allowed in types)
