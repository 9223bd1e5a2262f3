"""Options of the table itself (not of the game), and everything a table is created from.

Two frozen records per room: the variant's `Rules` and `TableSettings`. Nothing of a deployment, nothing that changes
while the table runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.variant import Option, Variant, check_options


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Clocks and manners of a table. `think_s` own turns, `claim_s` claims, `claim_hold_ms` least window."""

    think_s: int = 15
    claim_s: int = 8
    claim_hold_ms: int = 800
    autoplay_after: int = 2
    fill_with_bots: bool = False
    spectators: str = "off"


SETTINGS_OPTIONS: Final[tuple[Option, ...]] = (
    Option("think_s", "int", 15, "出牌时间（秒）", "Seconds to think in one's turn", 5, 60,
           help_zh="轮到自己时最多想这么久，到时打刚摸的牌", help_en="After that the drawn tile is discarded"),
    Option("claim_s", "int", 8, "吃碰杠胡时间（秒）", "Seconds to claim a tile", 1, 15,
           help_zh="别人打出一张，这么久不答算过", help_en="No answer in this time passes"),
    Option("claim_hold_ms", "int", 800, "出牌后停顿（毫秒）", "Shortest pause after a discard, ms", 0, 5000,
           help_zh="每张牌后都停这么久，看不出谁能要", help_en="So that no pause shows who could claim"),
    Option("autoplay_after", "int", 2, "连续超时几次后托管", "Timeouts in a row before autoplay", 1, 5,
           help_zh="连着这么多次不答，由托管代打", help_en="Then the table plays for the player"),
    Option("fill_with_bots", "bool", False, "空座由机器人补位", "Bots take empty seats",
           help_zh="开局时人不够，由电脑坐满", help_en="When players are missing at the start"),
    Option(
        "spectators", "choice", "off", "旁观", "Spectators",
        choices=("off", "members", "all"), choice_labels=("不允许", "仅成员", "所有人"), help_zh="谁可以看这一桌",
        help_en="Players who may watch this table",
    ),
)  # fmt: skip
"""The same description that variants give of their rules: forms, checks and REST share it."""


def parse_settings(raw: Mapping[str, object]) -> TableSettings:
    """Strict: raises MalformedInput naming the option that is unknown, out of range or of the wrong type."""
    return TableSettings(**check_options(SETTINGS_OPTIONS, raw))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class TableSpec:
    """The origin of a table; stored in every `match` entry. `rules` are the raw, already checked options.

    `host` is a user id, None for public tables; `circle` None for rooms outside circles. `ranked`: its rounds may
    count for the ladder (TJ-15.4), as long as no seat is ever played by a bot.
    """

    table_id: str
    code: str
    variant: str
    rules: Mapping[str, Any]
    settings: TableSettings
    players: int
    host: str | None
    host_name: str
    circle: str | None
    ranked: bool


def make_spec(
    variant: Variant[Any], *, table_id: str, code: str, rules: Mapping[str, object], settings: Mapping[str, object],
    host: str | None = None, host_name: str = "", circle: str | None = None, ranked: bool = False,
) -> TableSpec:  # fmt: skip
    """Check both records and find the number of seats: the option `players` where a variant leaves a choice.

    Raises MalformedInput naming the option (`rules.…` or `settings.…`).
    """
    meta = variant.meta
    parsed = _under("rules", variant.parse_rules, rules)
    players = int(getattr(parsed, "players", meta.players[-1]))
    return TableSpec(
        table_id, code, meta.slug, dict(rules), _under("settings", parse_settings, settings), players, host,
        host_name, circle, ranked,
    )  # fmt: skip


def _under(part: str, parse: Any, raw: Mapping[str, object]) -> Any:
    try:
        return parse(raw)
    except MalformedInput as wrong:
        raise MalformedInput(f"{part}.{wrong.field}", wrong.problem) from wrong
