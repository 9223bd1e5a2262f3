"""Deal and opening (开牌) on the real machine, line by line."""

import pytest

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.tiles import KINDS
from app.variants.tangshan import VARIANT
from tests.variants.tangshan.deal import deal, setup_for, wall_for


@pytest.mark.parametrize(("players", "left"), [(2, 103), (3, 87), (4, 71)])
def test_deal_gives_sixteen_and_the_dealer_seventeen(players: int, left: int) -> None:
    """TS-1.1, TS-1.2, TS-1.6, TS-2.1, TS-2.2, TS-2.3: hands, and a wall of one end."""
    game = deal(players=players, dealer=1)
    assert [game.seat(seat).count for seat in range(players)] == [17 if seat == 1 else 16 for seat in range(players)]
    assert game.table.left == left
    assert len(game.state.wall) == 136 and set(game.state.wall) == set(KINDS)
    assert game.state.next_tile == game.state.wall[136 - left]


def test_tiles_are_dealt_in_fours_from_the_dealer() -> None:
    """TS-2.6, TS-1.3: four times four to each in turn order from the dealer, then one to the dealer."""
    wall = tuple(kind for kind in KINDS for _ in range(4))
    game = deal(players=4, dealer=2, wall=wall)
    dealt = {event.seat: event for event in game.of(ev.HandDealt)}
    assert dealt[2].tiles == (*wall[0:4], *wall[16:20], *wall[32:36], *wall[48:52], wall[64])
    assert dealt[3].tiles == (*wall[4:8], *wall[20:24], *wall[36:40], *wall[52:56])
    assert dealt[1].tiles[-4:] == wall[60:64]
    assert dealt[2].drawn == wall[64] and dealt[1].drawn is None


def test_a_wall_with_a_fifth_copy_is_our_own_bug() -> None:
    """TS-1.2: four of each kind, nothing else."""
    wall = list(wall_for(4, 0, {}, ""))
    wall[wall.index("1m")] = "2m"
    with pytest.raises(InvariantViolation):
        VARIANT.start(setup_for(wall=tuple(wall)))


def test_opening_goes_round_once_from_the_dealer() -> None:
    """TS-3.1, TS-3.4: dealer first, each in turn order passes once, then the dealer's first turn."""
    game = deal(players=3, dealer=1).play("opening")
    assert [event.seat for event in game.of(ev.SeatPassed)] == [1, 2, 0]
    began = [(event.phase, event.seat) for event in game.of(ev.PhaseBegan)]
    assert began == [("opening", 1), ("opening", 2), ("opening", 0), ("turn", 1)]


def test_lit_winds_are_replaced_in_the_opening() -> None:
    """TS-3.2, TS-7.4, flow 1: 16 become 12 + 1, one wall tile is used before the dealer's first discard."""
    game = deal(hands={1: "1234z9s"}, draws="9s").play("quiet\n1 light winds")
    assert game.seat(1).count == 13 and game.hand(1).count("99s") == 1
    assert game.table.left == 70
    assert game.points == (-32, 96, -32, -32)
    assert game.decision(0) is None and game.table.phase == "opening"


def test_a_player_goes_on_in_the_opening_with_the_new_tile() -> None:
    """TS-3.1, TS-3.2: any number and order; the replacement completes a triplet that is covered next."""
    game = deal(hands={0: "1234z55m"}, draws="5m").play("0 light winds")
    assert game.offers(0) == ["cover 5m", "pass"]
    game.play("0 cover 5m\nopening")
    assert game.melds(0) == ["winds 1234z", "cover 555m"]


def test_no_win_kong_or_addition_in_the_opening() -> None:
    """TS-3.3: a dealt win, a fourth cover tile and a fourth dragon wait for the first turn."""
    game = deal(hands={0: "5566777z2222p444s888s"})
    assert game.offers(0) == ["light dragons", "cover 2p", "cover 4s", "cover 8s", "cover 7z", "pass"]
    game.play("0 light dragons\n0 cover 2p")
    assert game.offers(0) == ["cover 4s", "cover 8s", "pass"]
    game.play("opening")
    assert game.offers(0) == ["cover 4s", "cover 8s", "kong_concealed 2p", "xi_add 5z", "xi_add 6z", "xi_add 7z"]


def test_the_dealer_may_win_with_the_dealt_hand_at_the_ordinary_price() -> None:
    """TS-3.4, TS-9.2: no heavenly win."""
    game = deal(hands={0: "123456789m123p345s22z"}).play("opening\n0 win")
    assert game.points == (120, -40, -40, -40)
    assert game.of(ev.Won)[0].origin == "draw"


def test_every_opening_step_lasts_its_hold_and_looks_the_same() -> None:
    """TS-3.1, TS-14.5: with or without anything to lay, chosen or automatic, others see the same at the same time."""
    able = deal(hands={1: "555m"})
    dull = deal(hands={1: "55m"})
    for game in (able, dull):
        game.play("quiet")
    assert able.decision(1) is not None and dull.decision(1) is None
    able.play("1 pass")
    assert [type(event) for event in able.entry] == [ev.Answered], "the pass shows before the hold is over"
    able.play("hold")
    dull.play("hold")
    assert able.entry == dull.entry


def test_a_fresh_hold_follows_every_opening_action() -> None:
    """TS-3.1, TS-14.5: after the last possible action the automatic pass does not come at once."""
    game = deal(hands={0: "555m"}).play("hold\n0 cover 5m")
    assert game.decision(0) is None and [decision.clock for decision in game.open] == ["hold"]
    game.play("hold")
    assert game.of(ev.SeatPassed)[0].seat == 0


def test_thinking_longer_than_the_hold_keeps_the_opening_waiting() -> None:
    """TS-3.1, TS-15.1: the hold alone does not pass for a seat that may still lay; its time-out does."""
    game = deal(hands={0: "555m"}).play("hold")
    assert not game.of(ev.SeatPassed) and game.offers(0) == ["cover 5m", "pass"]
    game.play("0 timeout")
    assert [type(event) for event in game.entry] == [ev.Answered, ev.SeatPassed, ev.PhaseBegan]
