"""Answers whose shape differs by connection: the library makes a dict of some, a line of our own gives them as sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def pairs(answer: dict[bytes, bytes] | list[Any]) -> Iterable[tuple[bytes, bytes]]:
    """Names with their values, of an answer that lists both in turn."""
    return answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
