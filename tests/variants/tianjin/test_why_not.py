"""A player is told why a win, pong or kong that their tiles suggest is not offered."""

from dataclasses import replace

import pytest

from app.kernel.melds import Meld
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import parse_tiles
from app.kernel.variant import Reason
from app.variants.tianjin import VARIANT
from app.variants.tianjin.offers import Position
from app.variants.tianjin.teaching.reasons import claim_reasons, turn_reasons
from app.variants.tianjin.winning import wilds_of
from tests.variants.tianjin.deal import deal

PONG = Meld("pong", ("2s",) * 3, 3, 1, "2s")


def position(hand: str, drawn: str | None, *melds: Meld, indicator: str = "8m") -> Position:
    tiles = hand_of(parse_tiles(hand))
    return Position(tiles, drawn, melds, wilds_of(indicator), False, "draw" if drawn else "pong", 40, True)


def said(reasons: tuple[Reason, ...]) -> list[tuple[str, str, str]]:
    return [(reason.action.verb, reason.code, reason.clause) for reason in reasons]


PLAIN_WIN = position("123p789p45611s9m2s4s", "4s")


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (PLAIN_WIN, [("win", "too_small", "TJ-9.6")]),
        (replace(PLAIN_WIN, dead=True), [("win", "dead_hand", "TJ-7.1")]),
        (replace(PLAIN_WIN, began="replacement"), []),
        (replace(PLAIN_WIN, began="replacement", kong_bloom_plain=False), [("win", "plain_bloom", "TJ-9.7")]),
        (position("123p789p456s11s222z", "2z"), []),
        (position("1122p3377s5566z44p", "4p"), [("win", "no_pairs_hand", "TJ-9.3")]),
        (position("123p789p11s456s", None, PONG), [("win", "after_pong", "TJ-5.3")]),
        (position("123p7779p1s2s45s1z", None, PONG), [("extend", "after_pong", "TJ-5.3")]),
        (replace(position("123p7777p45s39s1z2z4z", "4z"), left=0), [("kong", "last_tile", "TJ-4.12")]),
    ],
)
def test_in_the_own_turn(where: Position, expected: list[tuple[str, str, str]]) -> None:
    assert said(turn_reasons(where)) == expected


@pytest.mark.parametrize(
    ("hand", "tile", "left", "expected"),
    [
        ("123p789p456s11s23s", "4s", 40, [("win", "no_discard_win", "TJ-5.9")]),
        ("99m147p258s1236z7z5z", "9m", 40, [("pong", "wild_pong", "TJ-5.7")]),
        ("999m147p258s123z7z", "9m", 40, [("pong", "wild_pong", "TJ-5.7")]),
        ("222m147p258s1236z", "2m", 0, [("kong", "no_replacement", "TJ-6.6")]),
        ("22m147p258s1236z7z", "2m", 40, []),
    ],
)
def test_about_another_players_discard(hand: str, tile: str, left: int, expected: list[tuple[str, str, str]]) -> None:
    assert said(claim_reasons(replace(position(hand, None), left=left), tile)) == expected


def test_a_player_with_a_plain_hand_learns_that_it_is_worth_too_little() -> None:
    """M2: the offer was just absent, though the server knew the reason."""
    game = deal(indicator="8m", D="147m258p369s12345z", R="123p789p45611s9m2s", draws="4s")
    game.play("D discard 1z")
    game.play("quiet")
    assert "win" not in game.names("R")
    assert said(VARIANT.why_not(game.state, game.number("R"))) == [("win", "too_small", "TJ-9.6")]
    assert VARIANT.why_not(game.state, game.number("O")) == ()
