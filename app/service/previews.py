"""One line about a shared round, for the preview of its link.

Anybody with the code may read all of the round anyway.
"""

from __future__ import annotations

from typing import Any, Final

from app.refusal import Refusal
from app.storage.archive.engine import AWAY, Archive
from app.storage.archive.play import history, shares
from app.variants import VARIANTS

_OUTCOMES: Final = {"won": "", "exhausted": "荒庄", "void": "作废", "failed": "作废"}


async def replay_line(archive: Archive, code: str) -> str | None:
    """The game, the number of the round, and what each seat won or lost.

    None: there is no such share code, or the archive does not answer now.
    """
    try:
        async with archive.read() as db:
            told = await history.round_for_authorised(db, await shares.shared_round(db, code))
    except Refusal:
        return None
    except AWAY:
        return None
    return line_of(told)


def line_of(told: dict[str, Any]) -> str:
    """`天津麻将 第 3 局：老王 +24，小刘 −8`. `told`: a round with its seats."""
    variant = VARIANTS.get(told["variant"])
    seats = [f"{_name(seat)} {_signed(seat['net'])}" for seat in told["seats"]]
    game = variant.meta.name_zh if variant else told["variant"]
    outcome = _OUTCOMES.get(told["outcome"], "")
    return f"{game} 第 {told['round_no']} 局{outcome and f'（{outcome}）'}：{'，'.join(seats)}"


def _name(seat: dict[str, Any]) -> str:
    return f"电脑{seat['seat'] + 1}" if seat["bot"] else str(seat["name"])


def _signed(net: int) -> str:
    return f"+{net}" if net > 0 else f"−{-net}" if net < 0 else "0"
