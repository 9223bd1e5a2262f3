"""Bodies of rooms and of the descriptions of variants. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints

from app.kernel.variant import Option
from app.rest.bodies import Id, Name, RequestBody, ResponseBody, Slug

OptionValues = dict[Annotated[str, StringConstraints(max_length=40)], bool | int | str]
"""Options by name; which there are: `GET /v1/variants`."""


class CreateRoom(RequestBody):
    """A room to create: a variant with its rules, or a template of a circle."""

    variant: Slug | None = Field(None, examples=["tianjin"])
    rules: OptionValues = Field(default_factory=dict, description="Options (房规) that differ from their defaults.")
    settings: OptionValues = Field(default_factory=dict, description="Table settings that differ from their defaults.")
    circle: Id | None = Field(None, description="Make it a room of this circle.")
    template: Id | None = Field(None, description="Take variant, rules and settings from this template of the circle.")
    spectators: Literal["off", "members", "all"] | None = Field(None, description="Short for the setting.")


class QuickMatch(RequestBody):
    """A seat at a public table."""

    variant: Slug = Field(examples=["tianjin"])
    players: Annotated[int, Field(ge=2, le=4)] | None = Field(None, description="Where the variant leaves a choice.")
    rules: OptionValues = Field(default_factory=dict, description="A preset: only tables with just these rules match.")


class JoinRoom(RequestBody):
    """A seat that is wished for; the first free one when absent."""

    seat: Annotated[int, Field(ge=0, le=3)] | None = None


class InviteBot(RequestBody):
    """The name of a bot account."""

    bot: Name = Field(examples=["牌搭子"])


class SeatOut(ResponseBody):
    """A seat's occupant."""

    user: str
    name: str
    avatar: str
    bot: bool
    bot_account: bool = Field(False, description="A program plays this account, by its owner's word.")
    online: bool
    reserved_at: datetime | None = Field(
        None,
        description="Since when the seat waits for its player; free again after 60 s. Null: the player connected.",
    )


class LiveTableOut(ResponseBody):
    """The running table of a room, as everybody may see it."""

    phase: str = Field(description="waiting, playing, between or ended.", examples=["waiting"])
    round_no: int
    played: int
    rounds: int
    seats: list[SeatOut | None]
    frozen: bool
    spectators: int


class RoomOut(ResponseBody):
    """A room: its agreement, and its table while there is one."""

    id: str = Field(examples=["7k2m9qv4c0x1b8nd"])
    code: str | None = Field(description="Six digits to give to friends; null when the room is closed.")
    kind: Literal["private", "circle", "public"]
    variant: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    circle: str | None
    host: str | None
    ranked: bool
    created_at: datetime
    closed_at: datetime | None
    close_reason: str | None
    live: LiveTableOut | None


class MyRoomOut(ResponseBody):
    """The room in which I hold a seat, if any."""

    room: RoomOut | None


class RoomListOut(ResponseBody):
    """Rooms that are open now."""

    items: list[RoomOut]


class TicketOut(ResponseBody):
    """Connect to `ws_path` and say `hello` with the ticket within `expires_in` seconds; it works once."""

    ticket: str
    ws_path: str = Field(examples=["/n/n1/v1/ws"])
    expires_in: int = Field(examples=[30])


class LevelOut(ResponseBody):
    """A rank of the ladder: reached at `threshold` points; null for the lowest."""

    level: int
    name: str
    threshold: int | None


class OptionOut(ResponseBody):
    """One option of a room, for forms: `int` from `low` to `high`, `choice` one of `choices`, or `bool`."""

    name: str
    kind: str
    default: bool | int | str
    label_zh: str
    label_en: str
    low: int | None
    high: int | None
    choices: list[int | str]
    choice_labels: list[str]
    help_zh: str
    help_en: str
    clause: str


class VariantOut(ResponseBody):
    """A game (玩法) with everything a form or a settlement panel needs."""

    slug: str
    name_zh: str
    name_en: str
    rules_version: int
    players: list[int] = Field(examples=[[4]])
    kinds: list[str] = Field(description="Kinds of tile in play, four copies each.")
    dice: int = Field(description="Dice that the shuffle throws, after the wall and before the random seat.")
    first_dealer: Literal["random", "owner_or_first"] = Field(description="Whether the shuffle draws the first dealer.")
    options: list[OptionOut]
    clocks: dict[str, int] = Field(description="Seconds of a decision's clock where the table has no setting for it.")
    auto_ready_s: int | None
    pattern_names: dict[str, str]
    reason_names: dict[str, str]
    names_en: dict[str, str] = Field(description="Chinese name → English of the game's names; others stay Chinese.")
    ladder: list[LevelOut]


class VariantsOut(ResponseBody):
    """All games, and the options of a table, which are the same for all."""

    variants: list[VariantOut]
    settings: list[OptionOut]


_TEXT: Final = {"zh": "过：什么也不做。", "en": "Pass: do nothing."}


class TextOut(ResponseBody):
    """A text in Chinese and English."""

    zh: str = Field(examples=["碰之后只能打牌。"])
    en: str = Field(examples=["After a pong you only discard."])


class OfferOut(ResponseBody):
    """An offer explained: what it does, what it costs, and the clause that allows it."""

    does: TextOut
    costs: TextOut
    clause: str


class SilenceOut(ResponseBody):
    """The consequence of no answer in time."""

    text: TextOut
    clause: str


class RulesBlockOut(ResponseBody):
    """A clause by its id, or lines without one: a paragraph, a table. Chinese, lightly marked up as Markdown."""

    clause: str | None = Field(examples=["TJ-5.4"])
    text: str = Field(examples=["没有吃。"])


class RulesSectionOut(ResponseBody):
    """The part of a rules page under one heading."""

    title: str = Field(examples=["5. 行牌"])
    blocks: list[RulesBlockOut]


class RulesOut(ResponseBody):
    """The rules of a game, and its texts for people who learn it."""

    slug: str
    rules_version: int
    sections: list[RulesSectionOut]
    digest_en: str = Field(
        description="The game in one screen of English; each line cites its clauses.",
        examples=["- No chow (TJ-5.4)."],
    )
    reasons: dict[str, TextOut] = Field(
        description="Code of a reason of `why_not` → sentence.", examples=[{"after_pong": _TEXT}]
    )
    offers: dict[str, OfferOut] = Field(
        description="Verb of an action, with `.choice` if that is a word → explanation.",
        examples=[{"pass": {"does": _TEXT, "costs": _TEXT, "clause": "TJ-5.11"}}],
    )
    silence: dict[str, SilenceOut] = Field(
        description="Clock of a decision → what follows when no answer comes.",
        examples=[{"claim": {"text": _TEXT, "clause": "TJ-17.1"}}],
    )


class ScoreEntries(RequestBody):
    """Hands or situations to settle, all of one list of the calculator."""

    list_name: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,32}$")] = Field(alias="list", examples=["hands"])
    entries: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=50)] = Field(
        examples=[[{"indicator": "1z", "hand": "123456p12789s77z", "drawn": "3s", "melds": [], "rules": {}}]]
    )


class ScoresOut(ResponseBody):
    """One result per entry, in order; its content depends on the list."""

    results: list[dict[str, Any]]


def option_out(option: Option) -> dict[str, Any]:
    """The fields of `OptionOut`."""
    bounded = option.kind == "int"
    return {
        "name": option.name, "kind": option.kind, "default": option.default, "label_zh": option.label_zh,
        "label_en": option.label_en, "low": option.low if bounded else None, "high": option.high if bounded else None,
        "choices": list(option.choices), "choice_labels": list(option.choice_labels), "help_zh": option.help_zh,
        "help_en": option.help_en, "clause": option.clause,
    }  # fmt: skip
