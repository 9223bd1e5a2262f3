"""The visible parts of every event by viewer, one row per class: this file is the contract of secrecy."""

import typing
from typing import Any

import pytest

from app.kernel import events as ev
from app.kernel.actions import PASS
from app.kernel.errors import InvariantViolation
from app.kernel.ledger import Line
from app.kernel.melds import Meld
from app.kernel.seats import EVERYTHING, SPECTATOR
from app.kernel.shapes.counts import hand_of
from app.kernel.table import evolve_table
from app.kernel.views import faces, fold, is_public_event, open_tiles, project, reveal, view

STARTED = ev.RoundStarted(
    "toy", (("base", 1),), 1, 3, 0, 5, "c0ffee", ("", "a", ""), ("1m", "2m"), (3, 4), "5eed",
)  # fmt: skip
STARTED_SEEN = ev.RoundStarted("toy", (("base", 1),), 1, 3, 0, 5, "c0ffee", ("", "a", ""))
COVER = ev.MeldMade(1, 0, "cover", 3, "own", face_down=True, tiles=("5m",) * 3)
LATE = ev.MeldMade(2, 1, "kong_late", 4, "own", None, None, True, ("5p",) * 4)
OPEN_KONG = ev.MeldMade(2, 1, "kong_concealed", 4, "own", tiles=("5p",) * 4)

PUBLIC: list[Any] = [
    ev.PhaseBegan("turn", 0, 50),
    ev.DiceRolled(0, (3, 4), "break"),
    ev.TileFlipped("indicator", "5m", 50),
    ev.TileDiscarded(1, "5m"),
    ev.TileLaid(1, 0, "5m", "kong_added"),
    ev.TileRobbed(1, "5m", (0, 2), "win"),
    OPEN_KONG,
    ev.MeldMade(2, 1, "chow", 3, "row", 1, "4m", tiles=("4m", "5m", "6m")),
    ev.MeldExtended(1, 0, "kong_exposed", 4, "5m", "row", ("5m",) * 4, 2),
    ev.AnswersRevealed("sit_pull", (True, 0, 2)),
    ev.SeatPassed(1),
    ev.Marked(1, "dead_hand", True),
    ev.Marked(None, "wilds", ("5m", "6m")),
    ev.PointsMoved((Line("pong", "X-1", 0, 1, 2),)),
    ev.Won(1, "5m", "discard", 0, 20, ev.Reading((("x", 20),), 20)),
    ev.HandsRevealed((("1m",), (), ()), ((), (), ()), (None, None, None)),
    ev.RoundEnded("won", (1,), 1, "5eed", ("1m", "2m")),
]
"""Everybody sees these exactly alike."""

HIDDEN: list[tuple[Any, int | None, Any, Any]] = [
    (STARTED, None, STARTED_SEEN, STARTED_SEEN),
    (ev.HandDealt(2, 2, ("1m", "5z"), "5z"), 2, ev.HandDealt(2, 2, ("1m", "5z"), "5z"), ev.HandDealt(2, 2)),
    (
        ev.TileDrawn(1, "tail", True, 49, "5m"), 1,
        ev.TileDrawn(1, "tail", True, 49, "5m"), ev.TileDrawn(1, "tail", True, 49),
    ),
    (COVER, 1, COVER, ev.MeldMade(1, 0, "face_down", 3, "own", face_down=True)),
    (LATE, 2, LATE, ev.MeldMade(2, 1, "face_down", 4, "own", face_down=True)),
    (ev.Answered(1, PASS, True), 1, ev.Answered(1, PASS, True), None),
    (ev.HoldEnded(), None, None, None),
    (ev.Marked(1, "lock", ("147m",), True), 1, ev.Marked(1, "lock", ("147m",), True), None),
]  # fmt: skip
"""Event, owner, the owner's face, everybody else's."""


def test_every_event_class_stands_in_one_of_the_tables() -> None:
    told = {type(event) for event in PUBLIC} | {type(row[0]) for row in HIDDEN}
    assert told == set(typing.get_args(ev.Event))


@pytest.mark.parametrize("event", PUBLIC, ids=lambda event: type(event).__name__)
def test_a_public_event_is_its_own_face(event: Any) -> None:
    assert is_public_event(event)
    owner, own, public = faces(event)
    assert owner is None and own is event and public is event


@pytest.mark.parametrize(("event", "owner", "own", "public"), HIDDEN, ids=lambda value: type(value).__name__)
def test_a_secret_event_has_two_faces(event: Any, owner: int | None, own: Any, public: Any) -> None:
    assert is_public_event(event) == (public is not None)
    assert faces(event) == (owner, own, public)
    for viewer in (0, 1, 2, SPECTATOR):
        assert project(event, viewer) == (own if viewer == owner else public)
    assert project(event, EVERYTHING) is event


def _table() -> Any:
    table = evolve_table(None, STARTED)
    for event in (
        ev.HandDealt(0, 4, ("1m", "1m", "5z", "2s"), "2s"), ev.HandDealt(1, 4, ("5m", "5m", "5m", "9s")),
        ev.HandDealt(2, 4, ("7p",) * 4), ev.PhaseBegan("turn", 0, 50), COVER, ev.Marked(1, "lock", True, True),
        ev.TileDiscarded(0, "5z"), ev.TileDrawn(1, "head", False, 49, "3m"),
    ):  # fmt: skip
        table = evolve_table(table, event)
    return table


def test_a_seat_sees_its_own_tiles_and_backs_of_the_others() -> None:
    table = _table()
    mine, theirs = view(table, 1).seats[1], view(table, 0).seats[1]
    assert mine.hand == hand_of(("9s", "3m")) and mine.drawn == "3m"
    assert mine.melds == (Meld("cover", ("5m",) * 3, 3, face_down=True),)
    assert theirs.hand is None and theirs.count == 2 and theirs.drawn is None
    assert theirs.melds == (Meld("face_down", (), 3, face_down=True),)
    assert view(table, 1).mark("lock", 1) is True and view(table, 0).mark("lock", 1) is None


def test_a_spectator_sees_no_hand_and_everything_sees_all() -> None:
    table = _table()
    assert all(seat.hand is None for seat in view(table, SPECTATOR).seats)
    assert view(table, EVERYTHING) is table


def test_after_the_reveal_all_hands_lie_open_to_everybody() -> None:
    melds = tuple([seat.melds for seat in _table().seats])
    end = ev.HandsRevealed((("1m", "1m", "2s"), ("9s", "3m"), ("7p",) * 4), melds, (None, None, None))
    table = evolve_table(_table(), end)
    for viewer in (0, 2, SPECTATOR):
        seen = view(table, viewer)
        assert seen.seats[1].hand == hand_of(("9s", "3m")) and seen.seats[1].melds == melds[1]


def test_the_tick_counts_what_everybody_saw_and_nothing_else() -> None:
    table = _table()
    for event, counts in (
        (ev.Answered(1, PASS), 0), (ev.HoldEnded(), 0), (ev.Marked(1, "lock", None, True), 0),
        (ev.TileDiscarded(1, "3m"), 1), (ev.Marked(1, "dead_hand", True), 1), (ev.PointsMoved(()), 1),
    ):  # fmt: skip
        after = fold(table, event)
        assert after.tick == table.tick + counts
        table = after


def test_open_tiles_are_those_the_viewer_sees_outside_hands() -> None:
    """Rows, melds, flipped and laid tiles; a cover counts for its owner only."""
    table = _table()
    for event in (ev.TileFlipped("indicator", "7z", 49), ev.TileLaid(1, 0, "9s", "kong_added")):
        table = evolve_table(table, event)
    assert open_tiles(view(table, 0)) == open_tiles(view(table, SPECTATOR)) == hand_of(("5z", "7z", "9s"))
    assert open_tiles(view(table, 1)) == hand_of(("5z", "7z", "9s", "5m", "5m", "5m"))


def test_a_reveal_shows_all_hands_and_melds_and_needs_a_whole_table() -> None:
    table = _table()
    shown = reveal(table, (None, ("9s",), None))
    assert shown.hands == (("1m", "1m", "2s"), ("3m", "9s"), ("7p",) * 4)
    assert shown.melds[1] == table.seats[1].melds and shown.waits == (None, ("9s",), None)
    with pytest.raises(InvariantViolation):
        reveal(view(table, 1), (None, None, None))
