"""Bodies of the operators' routes. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from app.admin.answers import Asked, Id, Label, Reason, Shown, WithReason
from app.storage.archive.operators.scopes import AdminRole, Scope

Password = Annotated[str, StringConstraints(min_length=12, max_length=128)]
Minutes = Annotated[int, Field(ge=1, le=5_256_000)]


class SignInAsked(Asked):
    """Name and password; `scopes` narrows the token, or asks for `inspect`, which no token has unasked."""

    name: Label
    password: Annotated[str, StringConstraints(max_length=128)]
    scopes: Annotated[list[Scope], Field(max_length=8)] | None = None
    reason: Reason | None = Field(None, description="Why, where it is not just the beginning of a shift.")


class OperatorShown(Shown):
    """Who I am and what my token lets me do."""

    name: str
    role: AdminRole
    scopes: list[Scope]


class TokenGiven(Shown):
    """A token; it is shown this once."""

    token: str
    scopes: list[Scope]
    expires_at: datetime | None


class TokenAsked(WithReason):
    """An API token of my own, with some of my scopes, and why."""

    label: Label = Field(examples=["nightly report"])
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=8)]
    days: Annotated[int, Field(ge=1, le=366)] | None = Field(
        None, description="Good for so long; absent: until revoked."
    )


class TokenShown(Shown):
    """A token, without its secret."""

    id: str
    label: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class Tokens(Shown):
    """My tokens, newest first."""

    items: list[TokenShown]


class AccountAsked(WithReason):
    """A new operator, and why."""

    name: Label
    role: AdminRole
    password: Password


class AccountChange(WithReason):
    """What to change, and why; what is absent stays. A disabled operator's tokens do nothing."""

    role: AdminRole | None = None
    password: Password | None = None
    disabled: bool | None = None


class AccountShown(Shown):
    """An operator."""

    id: str
    name: str
    role: AdminRole
    created_at: datetime
    disabled_at: datetime | None


class Accounts(Shown):
    """All operators."""

    items: list[AccountShown]


class AuditLine(Shown):
    """A call. `status` 0: it began; else how it ended."""

    id: int = Field(examples=[4711])
    at: datetime
    actor: str
    action: str
    subject: str
    reason: str
    status: int
    detail: dict[str, Any]


class AuditLog(Shown):
    """Calls, newest first. Ask with `before` = the last `id` for more."""

    items: list[AuditLine]


class SeatSeen(Shown):
    """Who sits there; a bot has neither id nor name."""

    user: str
    name: str
    bot: bool
    online: bool


class LiveRoom(Shown):
    """A running table without hidden tiles."""

    id: str
    code: str
    variant: str
    phase: str
    round_no: int
    played: int
    rounds: int
    host: str | None
    seats: list[SeatSeen | None]
    frozen: bool
    spectators: int


class LiveRooms(Shown):
    """A page of running tables, by id."""

    items: list[LiveRoom]
    cursor: str | None


class RoomSeen(Shown):
    """A room as it was agreed, and its table while it runs."""

    id: str
    kind: str
    variant: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    circle_id: str | None
    host_id: str | None
    ranked: bool
    created_at: datetime
    closed_at: datetime | None
    close_reason: str | None
    live: LiveRoom | None


class Inspection(Shown):
    """A running table as its owner knows it; with `everything`, hidden tiles too."""

    table: dict[str, Any]


class Done(Shown):
    """`done` false: there was nothing (left) to do; `note` says why."""

    done: bool
    note: str = ""


class KickAsked(WithReason):
    """Whom to take out of the room."""

    user: Id


class SanctionAsked(WithReason):
    """For how long: absent means until it is lifted."""

    minutes: Minutes | None = None


class BanAsked(SanctionAsked):
    """`devices`: also every device he signed in from."""

    devices: bool = False


class Imposed(Shown):
    """The sanctions that were imposed."""

    ids: list[str]


class SanctionShown(Shown):
    """A ban or a mute."""

    id: str
    kind: str
    user_id: str | None
    name: str | None
    of_device: bool
    reason: str
    imposed_by: str
    created_at: datetime
    until: datetime | None
    lifted_at: datetime | None
    in_force: bool


class Sanctions(Shown):
    """A page of sanctions, newest first."""

    items: list[SanctionShown]
    cursor: str | None


class UserFound(Shown):
    """A user, for a list."""

    id: str
    name: str
    avatar: str
    registered: bool
    created_at: datetime
    deleted_at: datetime | None


class Users(Shown):
    """People whose name begins like that."""

    items: list[UserFound]


class UserSeen(UserFound):
    """A user with what holds him."""

    devices: int
    sessions: int
    sanctions: list[str]
    room: str | None


class ReportShown(Shown):
    """A player's report about another one."""

    id: str
    reason: str
    text: str
    round_id: str | None
    created_at: datetime
    reporter_id: str
    reporter: str
    reported_id: str
    reported: str


class Reports(Shown):
    """A page of reports nobody has handled."""

    items: list[ReportShown]
    cursor: str | None


class Announcement(WithReason):
    """A notice to rooms: all live ones when `rooms` is absent."""

    text: Reason = Field(examples=["二十分钟后维护"])
    rooms: Annotated[list[Id], Field(max_length=100)] | None = Field(None, examples=[["e6zja3vcp70mkr36"]])


class Announced(Shown):
    """How many rooms it went to."""

    rooms: int


class NodeShown(Shown):
    """A server process."""

    name: str
    alive: bool
    draining: bool
    tables: int


class Nodes(Shown):
    """All nodes that beat lately."""

    items: list[NodeShown]


class AdjustAsked(WithReason):
    """Points to add to (or take from) a player's ladder."""

    user: Id
    points: Annotated[int, Field(ge=-10_000_000, le=10_000_000)]


class Adjusted(Shown):
    """The new total."""

    points: int


class RecordSeen(Shown):
    """A round's record (牌谱)."""

    record: dict[str, Any]


class Counters(Shown):
    """How much there is of everything, live and in the archive."""

    live: dict[str, int]
    archive: dict[str, int]
