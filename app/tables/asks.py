"""Requests of people and orders of operators, as values: the gateway translates frames into these.

No checks beyond types stand here: whether an ask is accepted is judged by the match and the round.
"""

from __future__ import annotations

from typing import Final, Literal
from zlib import crc32

import msgspec

from app.kernel.actions import Action
from app.kernel.immutable import immutable

Company = Literal["any", "apart", "own"]


@immutable
class Play:
    """Choose an offered action of decision `decision` in round `round_no`."""

    round_no: int
    decision: str
    action: Action


@immutable
class Ready:
    """Ready (准备) for the next round, with a contribution to the shuffle (at most 64 characters; None: empty)."""

    entropy: str | None = None


@immutable
class Unready:
    """Take readiness back."""


@immutable
class Autoplay:
    """Switch 托管 on or off for one's own seat."""

    on: bool


@immutable
class AutoWin:
    """Switch "win automatically" on or off; seen by its seat only."""

    on: bool


@immutable
class Dissolve:
    """Host before the first round (or after the match): at once. Otherwise opens the vote (申请解散)."""


@immutable
class Vote:
    """Answer the open vote."""

    yes: bool


@immutable
class Pause:
    """Agree to a pause before the next deal; it begins when all have agreed."""


@immutable
class Unpause:
    """Take the agreement back, or end the pause."""


@immutable
class Leave:
    """Give up the seat; in a running match autoplay goes on in it to the end of the round."""


@immutable
class ChangeSeat:
    """Move to an empty seat before the match."""

    seat: int


@immutable
class Kick:
    """Host, before the match: empty a seat."""

    seat: int


@immutable
class Readmit:
    """Host: let a person whom the host has kicked enter the room again."""

    user: str


@immutable
class Fill:
    """Host, before the match, if the room allows it: bots on all empty seats."""


@immutable
class Phrase:
    """Say a quick phrase or emote by its code."""

    code: str


@immutable
class Sync:
    """Send me everything again."""


@immutable
class Hints:
    """Ask for one's own waits: answered in the `ack`."""


@immutable
class WhyNot:
    """Ask why what one's own tiles suggest is not offered now: answered in the `ack`."""


Ask = (
    Play | Ready | Unready | Autoplay | AutoWin | Dissolve | Vote | Pause | Unpause | Leave | ChangeSeat | Kick
    | Readmit | Fill | Phrase | Sync | Hints | WhyNot
)  # fmt: skip


_encode: Final = msgspec.json.Encoder().encode


def content_of(ask: Ask) -> int:
    """A number for what is asked, the same on every node and never 0: tells a repetition from another request (A1)."""
    return crc32(_encode(ask), crc32(type(ask).__name__.encode())) or 1


@immutable
class OrderReserve:
    """REST: hold a seat (`seat`: the wish) until the person connects, for a while; a returning person's own.

    `marks`: see `SeatState.marks`. `company` at a ranked table: `any`; `apart` from people with a mark in common; or
    `own`, where everybody else has one in common.
    """

    user: str
    name: str
    avatar: str = ""
    seat: int | None = None
    marks: tuple[str, ...] = ()
    company: Company = "any"
    bot_account: bool = False


@immutable
class OrderDissolve:
    """Operator or circle manager: the running round is void, the room closes. Idempotent."""

    reason: str
    by: str = "operator"


@immutable
class OrderRemove:
    """Take a user out, as by `Leave`; `kicked`: their sockets are closed as kicked, and they may not come back (S8)."""

    user: str
    kicked: bool = False


@immutable
class OrderReadmit:
    """Let a kicked user enter the room again, whoever kicked them."""

    user: str


@immutable
class OrderMute:
    """A user's phrases are not passed on: for `for_s` seconds, or (None) until the table moves or ends."""

    user: str
    on: bool
    for_s: float | None = None


@immutable
class OrderFreeze:
    """Stop everything on this table until it is released or dissolved. Kept in the log."""

    reason: str


@immutable
class OrderRelease:
    """Go on with a frozen table: fold its log anew and give every open clock its full time."""


@immutable
class OrderAnnounce:
    """A notice to everybody at the table."""

    text: str


@immutable
class OrderInspect:
    """The whole table; `everything` shows hidden tiles (audited by the caller)."""

    everything: bool = False


@immutable
class OrderFill:
    """Bots on all empty seats, against the room's own setting too (demo, quick match)."""


@immutable
class OrderHandOver:
    """Release the table to the next node that asks; sockets are closed with `detail` (`moved` or `restart`)."""

    restart: bool = True


Order = (
    OrderReserve | OrderDissolve | OrderRemove | OrderReadmit | OrderMute | OrderFreeze | OrderRelease
    | OrderAnnounce | OrderInspect | OrderFill | OrderHandOver
)  # fmt: skip
