"""Translates requests of protocol v1 into asks of a table: one row per kind. Judges only the spelling of an action; the
table decides whether an ask is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.kernel.actions import Action
from app.kernel.errors import MalformedInput
from app.kernel.text.notation import action_of
from app.protocol.v1 import client
from app.protocol.v1.client import BadFrame
from app.protocol.v1.errors import CloseCode
from app.refusal import ErrorCode
from app.tables import asks
from app.tables.frames import Reason

_ASKS: Final[dict[str, Callable[[Any], asks.Ask]]] = {
    "ready": lambda data: asks.Ready(data.entropy),
    "unready": lambda data: asks.Unready(),
    "autoplay": lambda data: asks.Autoplay(data.on),
    "auto_win": lambda data: asks.AutoWin(data.on),
    "dissolve": lambda data: asks.Dissolve(),
    "vote": lambda data: asks.Vote(data.yes),
    "pause": lambda data: asks.Pause(),
    "unpause": lambda data: asks.Unpause(),
    "leave": lambda data: asks.Leave(),
    "seat": lambda data: asks.ChangeSeat(data.seat),
    "kick": lambda data: asks.Kick(data.seat),
    "readmit": lambda data: asks.Readmit(data.user),
    "fill": lambda data: asks.Fill(),
    "phrase": lambda data: asks.Phrase(data.code),
    "sync": lambda data: asks.Sync(),
    "hints": lambda data: asks.Hints(),
    "why_not": lambda data: asks.WhyNot(),
}

FAREWELLS: Final[dict[Reason, CloseCode]] = {
    "replaced": CloseCode.REPLACED,
    "moved": CloseCode.MOVED,
    "closed": CloseCode.ROOM_CLOSED,
    "kicked": CloseCode.KICKED,
    "restart": CloseCode.RESTART,
}
"""Why a table sends a connection away → the close code."""


def read_ask(message: client.Message) -> asks.Ask:
    """A request of a room's socket as an ask. Raises BadFrame. (`hello` and `ping` are the connection's own.)"""
    data = client.read_data(message, client.ROOM_KINDS)
    if message.kind == "act":
        return asks.Play(data.round, data.decision, _action(message, data.action))
    return _ASKS[message.kind](data)


def _action(message: client.Message, offered: client.OfferedAction) -> Action:
    try:
        return action_of(offered.verb, offered.tiles, offered.choice)
    except MalformedInput as error:
        raise BadFrame(ErrorCode.MALFORMED, str(error), message.id) from None
