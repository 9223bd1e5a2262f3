"""Bodies of the circles' routes. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from app.api.play.bodies import OptionValues
from app.rest.bodies import Id, Name, RequestBody, ResponseBody, Slug, Text200, printable

JoinCode = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}$"), Field(examples=["40571836"])]
Notice = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), AfterValidator(printable)]


class FoundCircle(RequestBody):
    """A circle to found."""

    name: Name = Field(examples=["河北路老友"])


class ChangeCircle(RequestBody):
    """The fields to change; absent fields stay. Only the owner changes the name; managers may change the notice."""

    name: Name | None = None
    notice: Notice | None = Field(None, examples=["周六晚八点开局"])


class CircleOut(ResponseBody):
    """A circle as its members see it. `applications`: how many wait for an answer."""

    id: str
    name: str
    code: str = Field(description="Eight digits to apply with.", examples=["40571836"])
    notice: str
    created_at: datetime
    role: Literal["owner", "manager", "member"] = Field(description="Mine.")
    members: int
    applications: int


class CirclesOut(ResponseBody):
    """The circles I am in."""

    items: list[CircleOut]


class ApplyToCircle(RequestBody):
    """Ask to be let in."""

    code: JoinCode
    message: Text200 = ""


class AppliedOut(ResponseBody):
    """The circle's managers decide now."""

    id: str
    name: str


class ApplicantOut(ResponseBody):
    """An applicant."""

    id: str
    name: str
    avatar: str
    message: str
    created_at: datetime


class ApplicantsOut(ResponseBody):
    """A page of applicants."""

    items: list[ApplicantOut]
    cursor: str | None


class PlayedOut(ResponseBody):
    """A member's totals in the circle."""

    rounds: int
    wins: int
    net: int
    last_played_at: datetime


class MemberOut(ResponseBody):
    """A member; `played` is null before their first round here."""

    id: str
    name: str
    avatar: str
    role: Literal["owner", "manager", "member"]
    joined_at: datetime
    played: PlayedOut | None


class MembersOut(ResponseBody):
    """A page of members."""

    items: list[MemberOut]
    cursor: str | None


class ChangeRole(RequestBody):
    """The role a member gets."""

    role: Literal["manager", "member"]


class TransferCircle(RequestBody):
    """The member to whom the circle is handed over."""

    user: Id


class BanFromCircle(RequestBody):
    """The player to ban, and the reason."""

    user: Id
    reason: Text200 = ""


class BannedOut(ResponseBody):
    """A banned user."""

    id: str
    name: str
    avatar: str
    reason: str
    created_at: datetime


class BansOut(ResponseBody):
    """A page of bans."""

    items: list[BannedOut]
    cursor: str | None


class SeparatePair(RequestBody):
    """Two members who never sit at one table of the circle."""

    a: Id
    b: Id


class PairMemberOut(ResponseBody):
    """One of a pair."""

    id: str
    name: str


class PairOut(ResponseBody):
    """Two members who are kept apart."""

    a: PairMemberOut
    b: PairMemberOut


class PairsOut(ResponseBody):
    """All pairs of a circle; at most 200."""

    items: list[PairOut]


class SaveTemplate(RequestBody):
    """A room template (玩法) with all its options; absent values get today's default."""

    name: Name = Field(examples=["常规八盘"])
    variant: Slug = Field(examples=["tianjin"])
    rules: OptionValues = Field(default_factory=dict)
    settings: OptionValues = Field(default_factory=dict)


class TemplateOut(ResponseBody):
    """A room template, every option filled in."""

    id: str
    name: str
    variant: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    created_at: datetime


class TemplatesOut(ResponseBody):
    """All templates of a circle; at most 30."""

    items: list[TemplateOut]


class BoardRowOut(ResponseBody):
    """A place on the circle's board. Equal nets share a rank."""

    rank: int
    user_id: str
    name: str
    avatar: str
    rounds: int
    wins: int
    net: int


class BoardOut(ResponseBody):
    """A circle's board of a period by the calendar of Asia/Shanghai."""

    period: Literal["day", "week", "month", "quarter", "all"]
    since: datetime | None
    items: list[BoardRowOut]


class DissolveRoom(RequestBody):
    """Why."""

    reason: Text200 = ""
