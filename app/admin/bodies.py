"""Bodies of the operators' routes. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import AfterValidator, Field, StringConstraints

from app.rest.bodies import Id, Reason, RequestBody, ResponseBody, printable
from app.storage.archive.operators.scopes import AdminRole, Scope

ReasonQuery = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(printable),
    Query(description="The reason, for the audit log."),
]
"""Why, for calls without a body."""
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64), AfterValidator(printable)]
Password = Annotated[str, StringConstraints(min_length=12, max_length=128)]
OneTimePassword = Annotated[str, StringConstraints(pattern=r"^[0-9]{6}$")]
Minutes = Annotated[int, Field(ge=1, le=5_256_000)]


class WithReason(RequestBody):
    """Why it is done; it goes into the audit log."""

    reason: Reason = Field(examples=["reported three times for abuse"])


class SignInAsOperator(RequestBody):
    """Name and password; `scopes` narrows the token, or asks for `inspect`, which no token has unasked."""

    name: Label
    password: Annotated[str, StringConstraints(max_length=128)]
    one_time_password: OneTimePassword | None = Field(
        None, description="Needed when the second factor is on.", examples=["287082"]
    )
    scopes: Annotated[list[Scope], Field(max_length=8)] | None = None
    reason: Reason | None = Field(None, description="The reason, unless it is the start of a shift.")


class OperatorOut(ResponseBody):
    """Who I am and what my token lets me do."""

    name: str
    role: AdminRole
    scopes: list[Scope]


class NewTokenOut(ResponseBody):
    """A token; it is shown this once."""

    token: str
    scopes: list[Scope]
    expires_at: datetime | None


class MakeToken(WithReason):
    """An API token of my own, with some of my scopes, and why."""

    label: Label = Field(examples=["nightly report"])
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=8)]
    days: Annotated[int, Field(ge=1, le=366)] | None = Field(
        None, description="Life of the token; absent: until revoked."
    )


class TokenOut(ResponseBody):
    """A token, without its secret."""

    id: str
    label: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class TokensOut(ResponseBody):
    """My tokens, newest first."""

    items: list[TokenOut]


class CreateOperator(WithReason):
    """A new operator, and why."""

    name: Label
    role: AdminRole
    password: Password


class ChangeOperator(WithReason):
    """The fields to change, and the reason; absent fields stay. A disabled operator's tokens do nothing."""

    role: AdminRole | None = None
    password: Password | None = None
    disabled: bool | None = None


class OperatorAccountOut(ResponseBody):
    """An operator."""

    id: str
    name: str
    role: AdminRole
    created_at: datetime
    disabled_at: datetime | None


class OperatorAccountsOut(ResponseBody):
    """All operators."""

    items: list[OperatorAccountOut]


class AuditLineOut(ResponseBody):
    """A call. `status` 0: it began; else how it ended."""

    id: int = Field(examples=[4711])
    at: datetime
    actor: str
    action: str
    subject: str
    reason: str
    status: int
    detail: dict[str, Any]
    hash: str = Field(
        description="Binds this row and all before it; `mj verify --audit` checks it.", examples=["6de32548ba6a4ff2"]
    )


class AuditLogOut(ResponseBody):
    """Calls, newest first. Ask with `before` = the last `id` for more."""

    items: list[AuditLineOut]


class LiveSeatOut(ResponseBody):
    """The occupant of a seat; a bot has neither id nor name."""

    user: str
    name: str
    bot: bool
    online: bool


class LiveRoomOut(ResponseBody):
    """A running table without hidden tiles."""

    id: str
    code: str
    variant: str
    phase: str
    round_no: int
    played: int
    rounds: int
    host: str | None
    seats: list[LiveSeatOut | None]
    frozen: bool
    spectators: int


class LiveRoomsOut(ResponseBody):
    """A page of running tables, by id."""

    items: list[LiveRoomOut]
    cursor: str | None


class RoomDetailOut(ResponseBody):
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
    live: LiveRoomOut | None


class InspectionOut(ResponseBody):
    """A running table as its owner knows it; with `everything`, hidden tiles too."""

    table: dict[str, Any]


class DoneOut(ResponseBody):
    """`done` false: there was nothing (left) to do; `note` says why."""

    done: bool
    note: str = ""


class KickPlayer(WithReason):
    """The player to take out of the room."""

    user: Id


class MutePlayer(WithReason):
    """For how long: absent means until it is lifted."""

    minutes: Minutes | None = None


class BanPlayer(MutePlayer):
    """`devices`: also every device that the user signed in from."""

    devices: bool = False


class ImposedOut(ResponseBody):
    """The sanctions that were imposed."""

    ids: list[str]


class SanctionOut(ResponseBody):
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


class SanctionsOut(ResponseBody):
    """A page of sanctions, newest first."""

    items: list[SanctionOut]
    cursor: str | None


class UserOut(ResponseBody):
    """A user, for a list."""

    id: str
    name: str
    avatar: str
    registered: bool
    created_at: datetime
    deleted_at: datetime | None


class UsersOut(ResponseBody):
    """People whose name begins like that."""

    items: list[UserOut]


class UserDetailOut(UserOut):
    """A user with the sanctions in force."""

    devices: int
    sessions: int
    sanctions: list[str]
    room: str | None


class ReportOut(ResponseBody):
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


class ReportsOut(ResponseBody):
    """A page of reports nobody has handled."""

    items: list[ReportOut]
    cursor: str | None


class Announce(WithReason):
    """A notice to rooms: all live ones when `rooms` is absent."""

    text: Reason = Field(examples=["二十分钟后维护"])
    rooms: Annotated[list[Id], Field(max_length=100)] | None = Field(None, examples=[["e6zja3vcp70mkr36"]])


class AnnouncedOut(ResponseBody):
    """The number of rooms that got the announcement."""

    rooms: int


class NodeOut(ResponseBody):
    """A server process."""

    name: str
    alive: bool
    draining: bool
    tables: int


class NodesOut(ResponseBody):
    """All nodes that beat lately."""

    items: list[NodeOut]


class AdjustLadder(WithReason):
    """Points to add to (or take from) a player's ladder."""

    user: Id
    points: Annotated[int, Field(ge=-10_000_000, le=10_000_000)]


class AdjustedOut(ResponseBody):
    """The new total."""

    points: int


class ExportedRecordOut(ResponseBody):
    """A round's record (牌谱)."""

    record: dict[str, Any]


class CountersOut(ResponseBody):
    """Totals of the live rooms and of the archive."""

    live: dict[str, int]
    archive: dict[str, int]


class AlertOut(ResponseBody):
    """An open alert of a room's table."""

    room: str
    what: Literal["frozen", "store_lost", "corrupt", "refused"]
    text: str
    at: datetime


class AlertsOut(ResponseBody):
    """Open alerts, newest first."""

    items: list[AlertOut]


class RefusedRoomOut(ResponseBody):
    """A room with refused documents: `names` are numbers of rounds, or `end`."""

    room: str
    names: list[str]


class RefusedOut(ResponseBody):
    """Rooms with documents that the archive refused, in order of id."""

    items: list[RefusedRoomOut]


class RefusedDocumentOut(ResponseBody):
    """A document that the archive refused, as it was handed over."""

    document: dict[str, Any]
