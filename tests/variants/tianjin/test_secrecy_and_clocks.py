"""Secrets, and the actions of silence and 托管. The laws over whole rounds are in tests/laws."""

from app.kernel import events as ev
from app.kernel.play.commands import TimeOut
from app.kernel.seats import SPECTATOR
from app.kernel.shapes.counts import hand_of
from app.kernel.tiles import parse_tiles
from app.kernel.views import project, view
from app.variants.tianjin.offers import Began, Position, silent_choice, turn_offers
from app.variants.tianjin.winning import wilds_of
from tests.variants.tianjin.deal import deal


def _position(hand: str, drawn: str | None, indicator: str = "1z", began: Began = "draw", left: int = 9) -> Position:
    return Position(hand_of(parse_tiles(hand)), drawn, (), wilds_of(indicator), False, began, left, True)


def _default(hand: str, drawn: str | None, indicator: str = "1z") -> str:
    return silent_choice(_position(hand, drawn, indicator)).tiles[0]


def test_what_lies_on_the_table_is_public_and_hands_are_not() -> None:
    """TJ-16.1, TJ-16.2: dice, indicator, wilds, rows, melds with kinds, sizes, live tiles, marks; no hand, no draw."""
    game = deal(indicator="1z", D="1111m2z", R="9s", sit=True, pull=(1, 2, 0), draws="9p")
    game.play("D kong 1m / D discard 2z").quiet()
    seen = view(game.table, SPECTATOR)
    assert [len(roll.faces) for roll in seen.shown.dice] == [2, 2] and seen.shown.flips[0].tile == "1z"
    assert seen.seats[0].melds[0].kind == "kong_concealed" and seen.seats[0].melds[0].tiles == ("1m",) * 4
    assert seen.seats[0].row == ("2z",) and seen.mark("dead_hand", 0) is True and seen.mark("wilds") == ("1z", "2z")
    assert [seat.count for seat in seen.seats] == [10, 14, 13, 13] and seen.left == game.table.left
    assert seen.shown.answers[0].values == (True, 1, 2, 0)
    assert all(seat.hand is None and seat.drawn is None for seat in seen.seats)
    started = project(game.events[0], 2)
    assert isinstance(started, ev.RoundStarted) and (started.wall, started.dice, started.seed) == (None, None, None)


def test_the_pause_after_a_discard_does_not_tell_whether_anybody_can_claim() -> None:
    """TJ-16.3: with and without a possible claim the entry is the same for the others, and a hold is open."""
    with_claim = deal(D="5p", O="55p").play("D discard 5p")
    without = deal(D="5p", O="56p", L="4p").play("D discard 5p")
    assert (with_claim.asked(), without.asked()) == ("OH", "H")
    assert with_claim.events[-1] == without.events[-1] == ev.TileDiscarded(0, "5p")
    assert [d.id for d in with_claim.open if d.seat is None] == [d.id for d in without.open]


def test_an_answer_within_the_hold_waits_for_its_end() -> None:
    """TJ-16.3: a claim made at once shows nothing before the hold is over, and a pass nothing at all."""
    game = deal(D="5p", O="55p").play("D discard 5p")
    asked = game.decision("O")
    assert asked is not None
    events = game.send(TimeOut(asked.id))
    assert [project(event, 1) for event in events] == [None] and game.asked() == "H"
    assert isinstance(game.end_hold()[-1], ev.TileDrawn)


def test_a_claimer_may_think_longer_than_the_hold() -> None:
    """TJ-16.3, TJ-17.1: the hold alone does not end the decision; its timeout is a pass."""
    game = deal(D="5p", O="55p").play("D discard 5p")
    assert game.end_hold() == (ev.HoldEnded(),)
    assert game.asked() == "O"
    asked = game.decision("O")
    assert asked is not None and asked.on_timeout == asked.on_autoplay == asked.options[-1]
    assert isinstance(game.send(TimeOut(asked.id))[-1], ev.TileDrawn)


def test_at_settlement_everybody_sees_all_hands_and_the_reading() -> None:
    """TJ-16.4."""
    game = deal(indicator="5z", R="46m123p222789s66z", draws="5m").play("D timeout / R win")
    for viewer in (0, 3, SPECTATOR):
        seen = view(game.table, viewer)
        assert [seat.hand for seat in seen.seats] == [seat.hand for seat in game.table.seats]
        assert seen.ending.wins[0].reading.groups


def test_silence_discards_the_drawn_tile_unless_it_is_wild() -> None:
    """TJ-17.3: else the last candidate in the order m, p, s, z; a wild only if nothing else is left."""
    assert _default("123m456p789s1177z", "4p") == "4p"
    assert _default("123m456p78s11223z", "1z") == "3z"
    assert _default("123m456p78s1122z", "2z") == "8s"
    assert _default("11122z", "2z") == "2z"
    assert _default("123m456p9s", None) == "9s"


def test_a_timeout_never_wins_and_autoplay_always_does() -> None:
    """TJ-17.1, TJ-17.2: also on 天和 and on the last live tile; neither makes a pong or a kong."""
    game = deal(indicator="1z", D="456m123p222789s7z7z")
    asked = game.decision("D")
    assert asked is not None and asked.on_timeout is not None and asked.on_autoplay is not None
    assert (asked.on_timeout.verb, asked.on_autoplay.verb) == ("discard", "win")
    asked = deal(indicator="9p", D="1111m").decision("D")
    assert asked is not None and asked.on_autoplay == asked.on_timeout
    last = _position("46m123p222789s77z5m", "5m", indicator="1z", left=0)
    assert [option.verb for option in turn_offers(last)] == ["win", "pass"] and silent_choice(last).verb == "pass"


def test_a_seat_that_left_is_played_on_and_the_round_is_settled_normally() -> None:
    """TJ-2.7, TJ-17.2: a whole round by autoplay of all four ends, and a win that is offered is taken."""
    game = deal(indicator="5z", R="46m123p222789s66z", draws="5m")
    while game.open:
        choice = game.open[0]
        if choice.on_autoplay is not None and choice.on_autoplay.verb == "win":
            game.play("R autoplay")
        else:
            game.send(TimeOut(choice.id))
    assert game.table.ending.ended is not None and game.table.ending.ended.winners == (1,)
