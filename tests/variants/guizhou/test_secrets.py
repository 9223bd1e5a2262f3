"""Facts that nobody else may know before the end."""

from app.kernel import events as ev
from app.kernel.seats import SPECTATOR
from app.kernel.views import project, view
from tests.variants.guizhou.deal import Game, deal


def seen(game: Game, viewer: int) -> list[ev.Event]:
    """All faces this viewer was sent."""
    faces = [project(event, viewer) for event in game.events]
    return [face for face in faces if face is not None]


def test_hidden_kongs_look_alike() -> None:
    """GZ-19.1, GZ-19.3: 闷豆 and concealed 憨包豆 are four backs, without tile and without the late mark."""
    early = deal(["1s", "5555s1246799p88s"], draws="2s3s", players=2).play("0 discard 1s / quiet / 1 kong 5s")
    late = deal(["1s1s", "5555s1246799p88s"], draws="9s2s3s", players=2).play(
        "0 discard 1s / 1 discard 9s / 0 discard 1s / quiet / 1 kong 5s"
    )
    for viewer in (0, SPECTATOR):
        made = [face for game in (early, late) for face in seen(game, viewer) if isinstance(face, ev.MeldMade)]
        assert made[0] == made[1] == ev.MeldMade(1, 0, "face_down", 4, "own", face_down=True)
        assert view(early.table, viewer).seats[1].melds == view(late.table, viewer).seats[1].melds
    assert view(late.table, 1).seats[1].melds[0].kind == "kong_late"


def test_draws_hands_and_answers_are_private() -> None:
    """GZ-19.1, GZ-19.2: others see counts, the row, and nothing of who was asked or declined (GZ-19.4)."""
    game = deal(["7s", "22255577s33399p"], draws="1p", players=3).play("0 discard 7s / 1 pass / quiet")
    faces = seen(game, 2)
    assert not any(isinstance(face, ev.Answered | ev.HoldEnded) for face in faces)
    assert ev.TileDrawn(1, "head", False, 31) in faces
    assert view(game.table, 2).seats[1].hand is None
    assert view(game.table, 2).seats[1].count == 14


def test_a_tile_that_may_be_robbed_is_shown() -> None:
    """GZ-19.4, GZ-19.2."""
    game = deal(["5s", "55s"], draws="1p5s", players=2).play("0 discard 5s / 1 pong / quiet")
    game.play(f"1 discard {sorted(game.discards(1) - {'5s'})[0]} / 0 discard 1p / 1 extend 5s")
    assert ev.TileLaid(1, 0, "5s", "kong_added") in seen(game, SPECTATOR)


def test_the_end_shows_everything() -> None:
    """GZ-19.5: hands, melds, flip, readiness, every line."""
    game = deal(["5555s", "22446688p3377p9s"], draws="1s9s2p", players=2).play(
        "0 kong 5s / 0 discard 1s / quiet / 1 win"
    )
    table = view(game.table, SPECTATOR)
    assert all(seat.hand is not None for seat in table.seats)
    assert table.seats[0].melds[0].tiles == ("5s",) * 4
    assert table.shown.flips[0].tile == "2p"
    assert table.ending.waits[1] == ("9s",)
    assert table.lines == game.table.lines != ()


def test_the_offers_follow_from_what_the_seat_sees() -> None:
    """GZ-18.5: decision ids count public events only, so they are the same after a reconnect and tell nothing."""
    game = deal(["7s", "22255577s33399p", "9p"], players=3).play("0 discard 7s")
    tick = view(game.table, 2).tick
    assert {decision.id for decision in game.open} == {f"{tick}.1", f"{tick}.hold"}
