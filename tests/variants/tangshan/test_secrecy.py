"""Secrets from others: a cover's tiles and its pending points, locks, possible claims."""

import json

import pytest

from app.kernel import events as ev
from app.kernel.seats import EVERYTHING, SPECTATOR
from app.kernel.text.notation import plain_event, plain_view
from app.kernel.views import project, view
from app.variants.tangshan import VARIANT
from tests.variants.tangshan.deal import Game, deal

COVERED = "555m"


def covering() -> Game:
    """Seat 1 has covered 5m, the dealer has discarded 1z, nobody took it."""
    return deal(hands={0: "1z", 1: COVERED}).play("quiet\n1 cover 5m\nopening\n0 discard 1z")


def frames(game: Game, viewer: int) -> list[str]:
    """Everything the viewer was sent so far, as text."""
    faces = [project(event, viewer) for event in game.events]
    return [json.dumps(plain_event(face), ensure_ascii=False, sort_keys=True) for face in faces if face is not None]


@pytest.mark.parametrize("viewer", [0, 2, 3, SPECTATOR])
def test_a_cover_is_three_backs_to_everybody_else(viewer: int) -> None:
    """TS-14.1, TS-14.3: seat, meld id and three backs: no kind, no class, no amount."""
    game = covering()
    made = [event for event in game.events if isinstance(event, ev.MeldMade)]
    shown = [project(event, viewer) for event in made]
    assert shown == [ev.MeldMade(1, 0, "face_down", 3, "own", face_down=True)]
    assert view(game.table, viewer).seats[1].melds[0].tiles == ()


@pytest.mark.parametrize("viewer", [0, 2, 3, SPECTATOR])
def test_a_reconnecting_opponent_finds_neither_tile_nor_points_of_a_cover(viewer: int) -> None:
    """Flow 5, TS-14.3, TS-14.4: the snapshot counts backs, running totals leave pending covers out."""
    game = covering()
    sync = plain_view(view(game.table, viewer))
    assert sync["points"] == [0, 0, 0, 0] and sync["lines"] == []
    assert sync["seats"][1]["melds"] == [{"kind": "face_down", "tiles": "", "count": 3, "face_down": True}]
    assert sync["seats"][1]["count"] == 13 and sync["seats"][1]["hand"] is None
    if viewer != 0:
        assert '"5m' not in json.dumps(sync)


def test_the_owner_sees_his_own_cover() -> None:
    """TS-14.3: the owner may see their own."""
    game = covering()
    assert view(game.table, 1).seats[1].melds[0].tiles == ("5m",) * 3


@pytest.mark.parametrize("viewer", [0, 2, 3, SPECTATOR])
def test_covers_of_different_worth_look_alike_until_the_end(viewer: int) -> None:
    """TS-14.1, TS-14.3: covering 2m or east out of one hand gives others the same frames, byte for byte."""
    worlds = []
    for cover in ("2m", "1z"):
        game = deal(hands={0: "9s", 1: "2222m1111z"}, draws="8s 8p 8m").play(f"quiet\n1 cover {cover}\nopening")
        game.play("0 discard 9s\nquiet\n1 discard 8s\nquiet\n2 discard 8p\nquiet")
        worlds.append(frames(game, viewer))
    assert worlds[0] == worlds[1]


def test_a_kong_reveals_its_cover_and_is_paid_at_once() -> None:
    """TS-14.2, TS-14.5: both kinds of kong are public with all four tiles."""
    game = deal(hands={0: "5m", 1: COVERED}).play("quiet\n1 cover 5m\nopening\n0 discard 5m\n1 kong_exposed 5m\nquiet")
    seen = view(game.table, 3)
    assert seen.seats[1].melds[0].tiles == ("5m",) * 4
    assert seen.points == (-4, 8, -2, -2)
    own = deal(hands={0: "5555m"}).play("opening\n0 cover 5m\n0 kong_concealed 5m")
    assert view(own.state.table, SPECTATOR).seats[0].melds[0].tiles == ("5m",) * 4


def test_public_facts_are_public() -> None:
    """TS-14.2: counts, discards, pongs, pair claims, lit sets, additions and the wall's length."""
    game = deal(hands={0: "5m", 1: "5m", 2: "1234z"}).play("quiet\nquiet\n2 light winds\nopening\n0 discard 5m")
    game.play("1 pair_claim 5m\nquiet")
    seen = view(game.table, SPECTATOR)
    assert seen.seats[1].melds[0].tiles == ("5m", "5m") and seen.seats[2].melds[0].tiles == ("1z", "2z", "3z", "4z")
    assert [seat.count for seat in seen.seats] == [16, 15, 13, 16] and seen.left == 70


def test_a_declined_kong_looks_like_nothing_to_others() -> None:
    """TS-14.5: with and without a possible claim the window gives the same frames to a bystander."""
    able = deal(hands={0: "5m", 1: COVERED}).play("quiet\n1 cover 5m\nopening\n0 discard 5m\n1 pass\nhold")
    dull = deal(hands={0: "5m", 1: "666m5m"}).play("quiet\n1 cover 6m\nopening\n0 discard 5m\nquiet")
    faces = [[project(event, 3) for event in game.events] for game in (able, dull)]
    visible = [[face for face in seen if face is not None and not isinstance(face, ev.HandDealt)] for seen in faces]
    assert visible[0] == visible[1]


def test_a_lock_and_an_answer_go_to_their_seat_alone() -> None:
    """TS-10.7, TS-14.1: offers, answers before resolution and pass locks are secret."""
    game = deal(dealer=1, hands={0: "44456m66p123456789s", 1: "4m"}).play("opening\n1 discard 4m")
    tick = game.table.tick
    game.play("0 pass")
    assert [type(event) for event in game.entry] == [ev.Answered, ev.Marked]
    for viewer in (1, 2, 3, SPECTATOR):
        assert [project(event, viewer) for event in game.entry] == [None, None]
        assert view(game.table, viewer).mark("lock", 0) is None
    assert view(game.table, 0).mark("lock", 0) == ("1m",)
    assert game.table.tick == tick, "private answers do not move the ids that others see"


def test_the_end_shows_every_cover_before_its_payment() -> None:
    """TS-14.5, TS-14.6: reveal, then the covers' lines; all hands can be checked."""
    game = covering().play("abort")
    assert view(game.table, 3).seats[1].melds[0].tiles == ("5m",) * 3
    won = deal(hands={0: "5m", 1: COVERED, 2: "46m123789p123456s77z"})
    won.play("quiet\n1 cover 5m\nopening\n0 discard 5m\n2 win\nhold")
    booked = [event for event in won.events if isinstance(event, ev.HandsRevealed | ev.PointsMoved)]
    assert [type(event) for event in booked] == [ev.PointsMoved, ev.HandsRevealed, ev.PointsMoved]
    assert {line.reason for line in booked[2].lines} == {"cover"}


def test_wall_and_seed_stay_with_the_server_until_the_end() -> None:
    """TS-14.1, TS-14.4: not in the first event, not in a snapshot; the end opens them."""
    game = covering()
    started = project(game.events[0], 0)
    assert isinstance(started, ev.RoundStarted) and started.wall is None and started.seed is None
    assert all("5eed" not in frame for viewer in (0, SPECTATOR) for frame in frames(game, viewer))
    assert "5eed" in frames(game, EVERYTHING)[0]
    game.play("abort")
    assert "5eed" in frames(game, 0)[-1]


def test_hints_come_from_the_own_view_alone() -> None:
    """TS-14.1: the advisor is given a view in which everything else is missing."""
    game = deal(dealer=1, hands={0: "44456m66p123456789s", 1: "4m"}).play("opening\n1 discard 4m")
    for seat in (0, 2):
        assert VARIANT.advise(view(game.table, seat), seat) == VARIANT.advise(game.table, seat)
