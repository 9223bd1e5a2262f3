"""Bodies of the people's routes. Shapes and bounds only."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from app.rest.bodies import Id, Name, Reason, RequestBody, ResponseBody, Text200
from app.storage.archive.people.personal_tokens import TokenScope

DeviceToken = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{32,128}$")]
Secret = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,128}$")]
Password = Annotated[str, StringConstraints(min_length=8, max_length=128)]
AvatarSeed = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}$")]


class ProfileOut(ResponseBody):
    """A user as they see themselves."""

    id: str = Field(examples=["7k2m9qv4c0x1b8nd"])
    name: str = Field(examples=["雀友4821"])
    avatar: str = Field(description="Seed from which clients draw the avatar.", examples=["f3a91c"])
    registered: bool = Field(description="Has a name and password; false: a guest, known by their device only.")
    created_at: datetime
    bot: bool = Field(False, description="Declared a bot account by its owner: played by a program.")


class SessionOut(ResponseBody):
    """Tokens and who they are for. Use the access token for calls, the refresh token once for the next pair."""

    user: ProfileOut
    access_token: str
    refresh_token: str
    expires_in: int = Field(description="Seconds the access token is good for.", examples=[900])


class GuestSessionOut(SessionOut):
    """A guest's tokens. Keep `device_token`: it is the only way back to this guest."""

    device_token: str


class SignInAsGuest(RequestBody):
    """Sign in with the device, or as a new guest."""

    device_token: DeviceToken | None = Field(None, description="From an earlier sign-in on this device.")
    name: Name | None = Field(None, description="Name of a new guest; made up when absent.", examples=["老王"])


class RefreshTokens(RequestBody):
    """The refresh token to use up."""

    refresh_token: Secret


class RevokeTokens(RequestBody):
    """Sign out: this session, or (with an access token) all of them on all devices."""

    refresh_token: Secret
    everywhere: bool = False


class LivingSessionOut(ResponseBody):
    """A session that has not ended. `by_device`: its device signs in without a password."""

    id: str
    created_at: datetime
    last_used_at: datetime = Field(description="When its tokens were last refreshed.")
    by_device: bool
    current: bool = Field(description="The session of this very call.")


class LivingSessionsOut(ResponseBody):
    """My sessions, newest first; at most 100."""

    items: list[LivingSessionOut]


class DeleteMe(RequestBody):
    """Proof of identity: an account's password, or a guest's device token."""

    password: Annotated[str, StringConstraints(max_length=128)] | None = None
    device_token: DeviceToken | None = None


class MakeAccount(RequestBody):
    """Make the signed-in guest an account."""

    name: Name = Field(examples=["天津老王"])
    password: Password


class ProvePassword(RequestBody):
    """The password of one's own account."""

    password: Annotated[str, StringConstraints(max_length=128)]


class RecoveryCodesOut(ResponseBody):
    """Fresh recovery codes; they are shown this once."""

    codes: list[str] = Field(examples=[["7K2M-9QV4-CWX5B"]])


class RecoveryLeftOut(ResponseBody):
    """The number of unused recovery codes."""

    left: int = Field(examples=[10])


class Recover(RequestBody):
    """A recovery code of the account, and its new password."""

    name: Name
    code: Annotated[str, StringConstraints(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9 -]+$")] = Field(
        examples=["7K2M-9QV4-CWX5B"]
    )
    password: Password


class SignIn(RequestBody):
    """Sign in with name and password, and optionally let this device sign in from now on."""

    name: Name
    password: Annotated[str, StringConstraints(max_length=128)]
    device_token: DeviceToken | None = None


class ChangeProfile(RequestBody):
    """The fields to change; absent fields stay."""

    name: Name | None = Field(None, examples=["老王"])
    avatar: AvatarSeed | None = None
    password: Password | None = Field(None, description="A new password; needs `old_password`.")
    old_password: Annotated[str, StringConstraints(max_length=128)] | None = None


class MakeToken(RequestBody):
    """A personal token: its name, what it may do, and for how many days."""

    label: Reason = Field(examples=["my bot"])
    scopes: Annotated[list[TokenScope], Field(min_length=1, max_length=3)] = Field(examples=[["play", "read"]])
    days: Annotated[int, Field(ge=1, le=366)] = Field(90, description="Days until it ends.")


class PersonalTokenOut(ResponseBody):
    """A personal token, without the secret."""

    id: str
    label: str
    scopes: list[TokenScope] = Field(examples=[["play", "read"]])
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None = Field(description="To the minute; null: not used yet.")


class PersonalTokensOut(ResponseBody):
    """My personal tokens, newest first."""

    items: list[PersonalTokenOut]


class TokenMadeOut(PersonalTokenOut):
    """The new token. The only time that it is shown."""

    token: str


class DeclareBot(RequestBody):
    """Name and password of the account that is played by a program from now on."""

    name: Name = Field(examples=["牌搭子"])
    password: Annotated[str, StringConstraints(max_length=128)]


class BlockPlayer(RequestBody):
    """The player to block."""

    user: Id


class PersonOut(ResponseBody):
    """Another user."""

    id: str
    name: str
    avatar: str


class PeopleOut(ResponseBody):
    """A list of people."""

    items: list[PersonOut]


class ReportPlayer(RequestBody):
    """Report a player to the operators."""

    user: Id
    reason: Literal["cheating", "collusion", "abuse", "name", "other"]
    text: Text200 = ""
    round: Id | None = Field(None, description="A round in which it happened; one of the reporter's own.")


class ReportFiledOut(ResponseBody):
    """The operators have it."""

    id: str


class ExportOut(ResponseBody):
    """All that is kept about a user."""

    data: dict[str, Any]
