"""Bodies of the circles' routes. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from app.api.inputs import Asked, Id, Name, Shown, Slug, Text200, printable
from app.api.play.bodies import OptionValues

JoinCode = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}$"), Field(examples=["40571836"])]
Notice = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), AfterValidator(printable)]


class CircleAsked(Asked):
    """A circle to found."""

    name: Name = Field(examples=["河北路老友"])


class CircleChange(Asked):
    """What to change; what is absent stays. The name is the owner's, the notice also the managers'."""

    name: Name | None = None
    notice: Notice | None = Field(None, examples=["周六晚八点开局"])


class Circle(Shown):
    """A circle as its members see it. `applications`: how many wait for an answer."""

    id: str
    name: str
    code: str = Field(description="Eight digits to apply with.", examples=["40571836"])
    notice: str
    created_at: datetime
    role: Literal["owner", "manager", "member"] = Field(description="Mine.")
    members: int
    applications: int


class Circles(Shown):
    """The circles I am in."""

    items: list[Circle]


class Application(Asked):
    """Ask to be let in."""

    code: JoinCode
    message: Text200 = ""


class Applied(Shown):
    """The circle's managers decide now."""

    id: str
    name: str


class Applicant(Shown):
    """Somebody who waits for an answer."""

    id: str
    name: str
    avatar: str
    message: str
    created_at: datetime


class Applicants(Shown):
    """A page of applicants."""

    items: list[Applicant]
    cursor: str | None


class Played(Shown):
    """What a member played in the circle."""

    rounds: int
    wins: int
    net: int
    last_played_at: datetime


class Member(Shown):
    """A member; `played` is null before his first round here."""

    id: str
    name: str
    avatar: str
    role: Literal["owner", "manager", "member"]
    joined_at: datetime
    played: Played | None


class Members(Shown):
    """A page of members."""

    items: list[Member]
    cursor: str | None


class RoleChange(Asked):
    """The role a member gets."""

    role: Literal["manager", "member"]


class Heir(Asked):
    """The member to whom the circle is handed over."""

    user: Id


class BanAsked(Asked):
    """Whom never to let in (again), and why."""

    user: Id
    reason: Text200 = ""


class Banned(Shown):
    """Somebody who is banned."""

    id: str
    name: str
    avatar: str
    reason: str
    created_at: datetime


class Bans(Shown):
    """A page of bans."""

    items: list[Banned]
    cursor: str | None


class PairAsked(Asked):
    """Two members who never sit at one table of the circle."""

    a: Id
    b: Id


class PairMember(Shown):
    """One of a pair."""

    id: str
    name: str


class Pair(Shown):
    """Two members who are kept apart."""

    a: PairMember
    b: PairMember


class Pairs(Shown):
    """All pairs of a circle; at most 200."""

    items: list[Pair]


class TemplateAsked(Asked):
    """A room template (玩法) with all its options; what is absent gets today's default."""

    name: Name = Field(examples=["常规八盘"])
    variant: Slug = Field(examples=["tianjin"])
    rules: OptionValues = Field(default_factory=dict)
    settings: OptionValues = Field(default_factory=dict)


class Template(Shown):
    """A room template, every option filled in."""

    id: str
    name: str
    variant: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    created_at: datetime


class Templates(Shown):
    """All templates of a circle; at most 30."""

    items: list[Template]


class BoardRow(Shown):
    """A place on the circle's board. Equal nets share a rank."""

    rank: int
    user_id: str
    name: str
    avatar: str
    rounds: int
    wins: int
    net: int


class Board(Shown):
    """A circle's board of a period by the calendar of Asia/Shanghai."""

    period: Literal["day", "week", "month", "quarter", "all"]
    since: datetime | None
    items: list[BoardRow]


class DissolveAsked(Asked):
    """Why."""

    reason: Text200 = ""
