"""Moves of tiles: every event moves exactly the tiles that it names, and nothing else."""

import pytest

from app.kernel import events as ev
from app.kernel.errors import InvariantViolation
from app.kernel.ledger import Line
from app.kernel.melds import Meld
from app.kernel.shapes.counts import tiles_of
from app.kernel.table import TableState, evolve_table

STARTED = ev.RoundStarted("toy", (), 1, 3, 0, 0, "", ("", "", ""), ("1m",), (), "")


def table_of(*events: ev.Event, hands: tuple[str, ...] = ("1m1m1m5m6m", "5m5m5m2p", "9s9s3p4p")) -> TableState:
    """A table of three after some events."""
    table = evolve_table(None, STARTED)
    for seat, text in enumerate(hands):
        tiles = tuple([text[at : at + 2] for at in range(0, len(text), 2)])
        table = evolve_table(table, ev.HandDealt(seat, len(tiles), tiles, tiles[-1] if seat == 0 else None))
    table = evolve_table(table, ev.PhaseBegan("turn", 0, 50))
    for event in events:
        table = evolve_table(table, event)
    return table


def hand(table: TableState, seat: int) -> str:
    """The concealed tiles of a seat as text."""
    found = table.seats[seat]
    assert found.hand is not None and found.count == len(tiles_of(found.hand))
    return "".join(tiles_of(found.hand))


PONG = ev.MeldMade(1, 0, "pong", 3, "row", 0, "5m", tiles=("5m",) * 3)


def test_a_round_begins_with_its_start() -> None:
    with pytest.raises(InvariantViolation, match="HoldEnded"):
        evolve_table(None, ev.HoldEnded())


def test_a_discard_lies_in_the_row_until_the_next_draw_and_can_be_claimed_so_long() -> None:
    table = table_of(ev.TileDiscarded(0, "5m"))
    assert table.last == (0, "5m") and table.seats[0].row == ("5m",) and hand(table, 0) == "1m1m1m6m"
    table = evolve_table(table, ev.TileDrawn(1, "head", False, 49, "7s"))
    assert table.last is None and table.turn == 1 and table.left == 49 and table.seats[1].drawn == "7s"


def test_a_claimed_discard_leaves_the_row() -> None:
    table = table_of(ev.TileDiscarded(0, "5m"), PONG)
    assert table.seats[0].row == () and hand(table, 1) == "5m2p" and table.turn == 1
    assert table.seats[1].melds == (Meld("pong", ("5m",) * 3, 3, 0, "5m"),)


def test_a_chow_takes_the_other_two_from_the_hand() -> None:
    chow = ev.MeldMade(2, 0, "chow", 3, "row", 1, "2p", tiles=("2p", "3p", "4p"))
    table = table_of(
        ev.TileDiscarded(0, "6m"), ev.TileDrawn(1, "head", False, 49, "7s"), ev.TileDiscarded(1, "2p"), chow
    )
    assert hand(table, 2) == "9s9s" and table.seats[1].row == () and table.seats[0].row == ("6m",)


def test_a_laid_tile_is_nowhere_else_and_extends_the_meld_when_nobody_robs_it() -> None:
    laid = ev.TileLaid(1, 0, "5m", "kong_added")
    table = table_of(ev.TileDiscarded(0, "5m"), PONG, laid)
    assert table.laid == laid and hand(table, 1) == "2p" and table.seats[1].melds[0].kind == "pong"
    table = evolve_table(table, ev.MeldExtended(1, 0, "kong_added", 4, "5m", "laid", ("5m",) * 4))
    assert table.laid is None and hand(table, 1) == "2p"
    assert table.seats[1].melds == (Meld("kong_added", ("5m",) * 4, 4, 0, "5m"),)


def test_a_robbed_tile_stays_laid_for_a_win_and_moves_for_a_pong() -> None:
    laid = ev.TileLaid(1, 0, "9s", "ones")
    light = ev.MeldMade(1, 0, "ones", 1, "own", tiles=("2p",))
    table = table_of(light, hands=("1m1m", "2p9s", "9s9s3p"))
    table = evolve_table(evolve_table(table, laid), ev.TileRobbed(1, "9s", (2,), "win"))
    assert table.laid == laid and hand(table, 1) == ""
    table = evolve_table(table, ev.MeldMade(2, 0, "pong", 3, "laid", 1, "9s", tiles=("9s",) * 3))
    assert table.laid is None and hand(table, 2) == "3p" and table.seats[1].row == ()


def test_a_cover_and_its_kong() -> None:
    cover = ev.MeldMade(1, 0, "cover", 3, "own", face_down=True, tiles=("5m",) * 3)
    kong = ev.MeldExtended(1, 0, "kong_exposed", 4, "5m", "row", ("5m",) * 4, 0)
    table = table_of(cover, ev.TileDiscarded(0, "5m"), kong)
    assert hand(table, 1) == "2p" and table.seats[0].row == ()
    assert table.seats[1].melds == (Meld("kong_exposed", ("5m",) * 4, 4, 0, "5m"),), "open from now on"


def test_the_drawn_tile_counts_while_one_of_its_kind_is_concealed() -> None:
    table = table_of()
    assert table.seats[0].drawn == "6m"
    kong = ev.MeldMade(0, 0, "kong_concealed", 4, "own", tiles=("1m",) * 4)
    twice = table_of(hands=("6m1m1m1m1m", "2p", "3p"))
    assert twice.seats[0].drawn == "1m" and evolve_table(twice, kong).seats[0].drawn is None
    assert evolve_table(table, ev.TileDiscarded(0, "5m")).seats[0].drawn is None


def test_points_are_sums_of_lines_and_marks_are_replaced_whole() -> None:
    table = table_of(
        ev.PointsMoved((Line("pong", "X-1", 0, 1, 2),)), ev.PointsMoved((Line("pong", "X-1", 1, 2, 5),)),
        ev.Marked(1, "lock", ("147m",), True), ev.Marked(1, "lock", ("147m", "258p"), True),
        ev.Marked(2, "lock", (), True),
    )  # fmt: skip
    assert table.points == (-2, -3, 5)
    assert table.mark("lock", 1) == ("147m", "258p") and table.mark("lock", 0) is None
    assert evolve_table(table, ev.Marked(1, "lock", None, True)).mark("lock", 1) is None


def test_the_end_keeps_winners_waits_and_the_revealed_wall() -> None:
    won = ev.Won(2, "5m", "discard", 0, 4, ev.Reading((), 4))
    end = ev.RoundEnded("won", (2,), 2, "5eed", ("1m",))
    table = table_of(ev.TileDiscarded(0, "5m"), won, end)
    assert table.phase == "over" and table.ending.wins == (won,) and table.ending.ended == end
    assert table.seats[0].row == ("5m",), "a won tile stays where it lies"
