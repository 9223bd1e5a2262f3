"""A player is told why a win, 碰 or kong that their tiles suggest is not offered."""

from dataclasses import replace

import pytest

from app.kernel.melds import Meld
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import parse_tiles
from app.kernel.variant import Reason
from app.variants.guizhou.offers import Position
from app.variants.guizhou.teaching.reasons import claim_reasons, turn_reasons

BEAN = Meld("kong_exposed", ("9s",) * 4, 4, 1, "9s")
PONG = Meld("pong", ("9s",) * 3, 3, 1, "9s")


def position(hand: str, *melds: Meld, drawn: str | None = None) -> Position:
    return Position(hand_of(parse_tiles(hand)), melds, drawn, False, False, 3, 12, ())


def said(reasons: tuple[Reason, ...]) -> list[tuple[str, str, str]]:
    return [(reason.action.verb, reason.code, reason.clause) for reason in reasons]


PLAIN = position("123p456p789p11s23s")


@pytest.mark.parametrize(
    ("where", "tile", "exempt", "expected"),
    [
        (PLAIN, "4s", False, [("win", "no_pass", "GZ-8.2")]),
        (PLAIN, "4s", True, []),
        (replace(PLAIN, declared=True), "4s", False, [("win", "declared_no_pass", "GZ-8.5")]),
        (position("123p456p11s23s", BEAN), "4s", False, [("win", "exposed_no_pass", "GZ-8.1")]),
        (replace(position("11p4447p258s123s6s"), declared=True), "1p", False, [("pong", "declared", "GZ-10.3")]),
        (
            replace(position("111p447p258s123s6s"), wall=0), "1p", False,
            [("kong", "no_replacement", "GZ-3.5"), ("pong", "no_replacement", "GZ-3.5")],
        ),
        (position("11p4447p258s123s6s"), "1p", False, []),
    ],
)  # fmt: skip
def test_about_another_players_discard(
    where: Position, tile: str, exempt: bool, expected: list[tuple[str, str, str]]
) -> None:
    """L01, L11, L20: 点豆 gives no 通行证, 报听 frees nobody, an empty wall bars 碰."""
    assert said(claim_reasons(where, tile, exempt)) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (position("123p456p11s234s", PONG), [("win", "after_pong", "GZ-4.3")]),
        (position("123p456p11s234s", PONG, drawn="4s"), []),
        (replace(position("1111p4447p258s123s", drawn="1p"), wall=0), [("kong", "no_replacement", "GZ-3.5")]),
        (replace(position("147p258p1s369s9s", PONG, drawn="1s"), declared=True), [("extend", "declared", "GZ-10.3")]),
    ],
)
def test_in_the_own_turn(where: Position, expected: list[tuple[str, str, str]]) -> None:
    assert said(turn_reasons(where)) == expected
