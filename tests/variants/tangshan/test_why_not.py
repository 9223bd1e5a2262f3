"""A player is told why a win, claim, kong or xi that their tiles suggest is not offered."""

import pytest

from app.kernel.melds import Meld
from app.kernel.play.claims import open_window
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import parse_tiles
from app.kernel.variant import Reason
from app.variants.tangshan import VARIANT
from app.variants.tangshan.offers import position_from
from app.variants.tangshan.teaching.reasons import claim_reasons, turn_reasons
from tests.variants.tangshan.deal import WAITER, deal


def meld(kind: str, tiles: str) -> Meld:
    parsed = parse_tiles(tiles)
    taken = parsed[0] if kind in ("pong", "chow", "pair_claim") else None
    return Meld(kind, parsed, len(parsed), None if taken is None else 1, taken)  # type: ignore[arg-type]


SETTLED = (meld("pong", "999s"), meld("pong", "888s"), meld("chow", "123m"), meld("pong", "777s"),
           meld("pair_claim", "22z"))  # fmt: skip

FIVE = (*SETTLED[:4], meld("cover", "666z"))


def said(reasons: tuple[Reason, ...]) -> list[tuple[str, str, str]]:
    return [(reason.action.verb, reason.code, reason.clause) for reason in reasons]


@pytest.mark.parametrize(
    ("hand", "melds", "tile", "kind", "left", "expected"),
    [
        ("67z234p567s123m456m99p", (), "5z", "discard", 9, [("win", "xi_self_draw", "TS-9.3")]),
        ("12z234p567s123m456m99p", (), "3z", "discard", 9, [("win", "false_xi", "TS-7.1")]),
        ("1m9p234m567p345s678s11z", (), "1s", "discard", 9, [("win", "false_xi", "TS-7.1")]),
        ("333p", SETTLED, "3p", "discard", 9,
         [
             ("pong", "no_discard_left", "TS-2.5"),
             ("kong", "uncovered", "TS-5.4"),
             ("pair_claim", "pair_once", "TS-8.2"),
         ]),
        ("34p1z", SETTLED, "5p", "discard", 9, [("chow", "no_discard_left", "TS-2.5")]),
        ("15m9p3s", (*SETTLED[:4],), "9s", "discard", 9, [("kong", "no_added_kong", "TS-6.7")]),
        ("147m258p369s1235z", (meld("cover", "666z"),), "6z", "discard", 0, [("kong", "no_replacement", "TS-4.5")]),
        ("147m258p369s1235z", (meld("cover", "666z"),), "6z", "rob", 9, [("kong", "no_robbed_kong", "TS-7.8")]),
        ("8m", FIVE, "8m", "discard", 9, [("pair_claim", "no_discard_left", "TS-2.5")]),
    ],
)  # fmt: skip
def test_about_another_players_tile(
    hand: str, melds: tuple[Meld, ...], tile: str, kind: str, left: int, expected: list[tuple[str, str, str]]
) -> None:
    position = position_from(hand_of(parse_tiles(hand)), melds, ())
    window = open_window(kind, 3, tile, 4)  # type: ignore[arg-type]
    assert said(claim_reasons(position, melds, window, True, left)) == expected


@pytest.mark.parametrize(
    ("hand", "melds", "left", "barred", "expected"),
    [
        ("123456789m123p22s567z", (), 9, ("opening", "TS-3.3"), ("win", "opening", "TS-3.3")),
        ("123456789m123p22s567z", (), 9, ("after_claim", "TS-4.2"), ("win", "after_claim", "TS-4.2")),
        ("123456789m123p22s567z", (), 9, ("after_claim", "TS-4.2"), ("light", "after_claim", "TS-4.2")),
        ("1234567m258p369s1234z", (), 0, None, ("light", "no_replacement", "TS-4.5")),
        ("147m258p369s5556667z", (meld("dragons", "567z"),), 9, None, ("light", "lit_once", "TS-7.5")),
        ("3336p", SETTLED, 9, None, ("cover", "no_discard_left", "TS-2.5")),
        ("147m258p369s125566z6z6z", (), 9, None, ("kong", "cover_first", "TS-6.5")),
        ("147m258p369s19s2z6z7z", (meld("pong", "999s"),), 9, None, ("extend", "no_added_kong", "TS-6.7")),
        ("147m258p369s19s5z1z7z", (meld("dragons", "567z"),), 0, None, ("extend", "no_replacement", "TS-4.5")),
        ("3345p", (*SETTLED[:3], meld("pong", "777s"), meld("pair_claim", "33p")), 9, None, None),
        ("334455p", (*SETTLED[:3], meld("pair_claim", "22z")), 9, None, None),
        ("2z4p4p", SETTLED, 9, None, ("win", "settled_pair", "TS-8.3")),
    ],
)
def test_in_the_own_step(
    hand: str,
    melds: tuple[Meld, ...],
    left: int,
    barred: tuple[str, str] | None,
    expected: tuple[str, str, str] | None,
) -> None:
    position = position_from(hand_of(parse_tiles(hand)), melds, ())
    reasons = turn_reasons(position, melds, left, barred)
    found = [(r.action.verb, r.code, r.clause) for r in reasons]
    assert (expected in found) if expected else not found


def test_a_line_is_locked_until_the_own_next_draw() -> None:
    """TS-10.3, TS-10.4: a player who passed a win is told so at the next tile of that line."""
    game = deal(hands={**WAITER, 2: "7m"}, dealer=1)
    game.play("opening / 1 discard 4m / 0 pass / quiet")
    game.play("2 discard 7m")
    reasons = [r for r in VARIANT.why_not(game.state, 0) if r.action.verb == "win"]
    assert [(r.code, r.clause) for r in reasons] == [("locked", "TS-10.3")]
