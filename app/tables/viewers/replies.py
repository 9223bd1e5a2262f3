"""Frames and their data that are not entries: prompts, acks, errors, presence, countdowns. Values in, values out."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from math import inf
from typing import Final

import msgspec

from app.kernel.actions import Action
from app.kernel.play.decisions import Decision
from app.kernel.text.notation import plain_action
from app.kernel.variant import Hint, Reason
from app.refusal import MESSAGES, ErrorCode
from app.tables.frames import NO_PROMPT, Frame, Plain, plain_frame

COUNTDOWNS: Final[dict[str, str]] = {
    "ready": "ready", "next": "next_round", "kept": "seat", "held": "seat", "vote": "vote", "pause": "pause",
}  # fmt: skip
"""Match clock → what a countdown frame calls it; clocks that are not listed are not shown."""


def ack(ref: str, **data: object) -> Frame:
    """The answer to a request that was done (or had been before)."""
    return plain_frame("ack", ref=ref, **data)


def error(ref: str | None, code: ErrorCode, **data: object) -> Frame:
    """The answer to a request that changed nothing; `ref` None: about the table as a whole."""
    return plain_frame("error", ref=ref, code=code, message=MESSAGES[code], **data)


def muted(ref: str, left_s: float) -> Frame:
    """Why a phrase was not passed on, and for how long none will be; infinite: nobody knows."""
    return error(ref, ErrorCode.MUTED) if left_s == inf else error(ref, ErrorCode.MUTED, left_ms=round(left_s * 1000))


def prompt_data(decision: Decision | None, left_ms: int | None, total_ms: int | None) -> Plain:
    """A viewer's complete open decision, or that there is none."""
    if decision is None:
        return NO_PROMPT
    return {
        "decision": {
            "id": decision.id, "clock": decision.clock,
            "options": [_shown(option) for option in decision.options],
            "left_ms": total_ms if left_ms is None else left_ms, "total_ms": total_ms,
            "silence": None if decision.on_timeout is None else _shown(decision.on_timeout),
        }
    }  # fmt: skip


@lru_cache(maxsize=4096, typed=True)
def _shown(action: Action) -> msgspec.Raw:
    """An action as JSON, written once: there are few, and every prompt is made of them."""
    return msgspec.Raw(msgspec.json.encode(plain_action(action)))


def countdown(key: str, left_ms: int | None) -> Frame | None:
    """A running match clock as a frame, `left_ms` None: cancelled. None for clocks that are not shown."""
    name, _, detail = key.partition(":")
    what = COUNTDOWNS.get(name)
    if what is None:
        return None
    seat = {"seat": int(detail)} if name in ("ready", "kept", "held") else {}
    return plain_frame("countdown", what=what, left_ms=left_ms, **seat)


def presence(place: int, online: bool) -> Frame:
    """True while the seat's player is connected."""
    return plain_frame("presence", seat=place, online=online)


def plain_hints(hints: tuple[Hint, ...]) -> list[Plain]:
    """Hints as plain values."""
    return [asdict(hint) for hint in hints]


def plain_reasons(reasons: tuple[Reason, ...]) -> list[Plain]:
    """Reasons of a seat as plain values."""
    return [{"action": _shown(said.action), "code": said.code, "clause": said.clause} for said in reasons]
