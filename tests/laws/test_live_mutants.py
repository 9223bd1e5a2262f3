"""The laws of the live table can fail: a leak planted in each way out of it is found (S1)."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from app.kernel.text.notation import plain_view
from app.kernel.variant import Hint, Variant, Wait
from app.kernel.views import view
from app.tables.frames import Face, Frame
from tests.laws import live_checks, mutants
from tests.laws.live import HONEST, Channels
from tests.laws.toy import TOY
from tests.variants.fourth.erren import VARIANT as ERREN

Game = Variant[Any]
Law = Callable[[Game, int, random.Random, Channels], Awaitable[tuple[str | None, int]]]


def _asked(table: Any) -> list[str]:
    """All open decisions, which no single person may know."""
    return [decision.id for decision in table.log.open]


def _with(frame: Frame, **more: Any) -> Frame:
    return frame._replace(face=Face({**frame.face.data, **more}))


def frame_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """An entry says how many are asked after it."""
    return _with(frame, asked=len(_asked(table))) if frame.kind == "events" else frame


def drawn_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """An entry names every seat's drawn tile."""
    return _with(frame, drawn=rest_tells(table)) if frame.kind == "events" else frame


def error_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """A refusal's sentence names the open questions."""
    return _with(frame, message=f"open are {_asked(table)}") if frame.kind == "error" else frame


def ack_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """An acknowledgement carries a number of the whole state."""
    return _with(frame, n=len(_asked(table))) if frame.kind == "ack" else frame


def prompt_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """A prompt says whether others are asked too."""
    return _with(frame, alone=len(_asked(table)) < 2) if frame.kind == "prompt" else frame


def sync_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """A returning player is sent everybody's tiles."""
    if frame.kind != "sync" or viewer is None or table.log.round is None:
        return frame
    return _with(frame, view=plain_view(table.log.round.table))


def gallery_tells(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """A spectator is shown the table as seat 0 sees it."""
    if frame.kind != "sync" or viewer is not None or table.log.round is None:
        return frame
    return _with(frame, view=plain_view(view(table.log.round.table, 0)))


def refusals_take_longer(table: Any, viewer: int | None, frame: Frame) -> float:
    """A refusal is the later the more seats are asked."""
    return len(_asked(table)) / 1000 if frame.kind == "error" else 0.0


def log_tells(table: Any) -> str:
    """A log line names what is open."""
    return f"a request was handled, open are {_asked(table)}"


def metric_tells(table: Any) -> int:
    """A gauge of open questions."""
    return len(_asked(table))


def rest_tells(table: Any) -> Any:
    """A room's REST body shows the tile drawn last."""
    state = table.log.round
    return None if state is None else [seat.drawn for seat in state.table.seats]


def record_before_the_end(table: Any) -> Any:
    """The record can be had while the round is under way."""
    state = table.log.round
    return None if state is None else [seat.hand for seat in state.table.seats]


def share_before_the_end(table: Any) -> Any:
    """A share of the round under way opens it, with all tiles."""
    return None if table.log.round is None else plain_view(table.log.round.table)


def hints_tell(game: Game) -> Game:
    """Hints count the copies that are left in the wall, not those a player has not seen."""
    last: list[Any] = []

    def decisions(state: Any) -> Any:
        last[:] = [state.table]
        return game.decisions(state)

    def advise(seen: Any, seat: int) -> tuple[Hint, ...]:
        return (Hint(None, (Wait("1s", sum([s.hand or 0 for s in last[0].seats]) % 997, None, None),)),)

    return replace(game, decisions=decisions, advise=advise)


def _same(game: Game) -> Game:
    return game


LEAKS: list[tuple[Callable[[Game], Game], Channels, Law]] = [
    (_same, Channels(frame=frame_tells), live_checks.redeal),
    (_same, Channels(frame=error_tells), live_checks.redeal),
    (_same, Channels(frame=ack_tells), live_checks.redeal),
    (_same, Channels(frame=prompt_tells), live_checks.redeal),
    (_same, Channels(frame=sync_tells), live_checks.redeal),
    (_same, Channels(frame=drawn_tells), live_checks.exchange),
    (_same, Channels(frame=gallery_tells), live_checks.redeal),
    (_same, Channels(delay=refusals_take_longer), live_checks.redeal),
    (_same, Channels(log=log_tells), live_checks.redeal),
    (_same, Channels(outside=metric_tells), live_checks.redeal),
    (_same, Channels(outside=rest_tells), live_checks.redeal),
    (_same, Channels(outside=record_before_the_end), live_checks.redeal),
    (_same, Channels(outside=share_before_the_end), live_checks.redeal),
    (hints_tell, HONEST, live_checks.redeal),
    (mutants.other_seats_are_told_apart, HONEST, live_checks.redeal),
    (mutants.numbered_over_all_prompts, HONEST, live_checks.redeal),
    (mutants.cover_paid_at_once, HONEST, live_checks.exchange),
    (mutants.answering_shows, HONEST, live_checks.late_passes),
]


def _name(place: int) -> str:
    mutate, channels, law = LEAKS[place]
    ways = (channels.frame, channels.delay, channels.outside, channels.log)
    planted = next((way for way in ways if way.__module__ == __name__), mutate)
    return f"{planted.__name__.strip('_')}-{law.__name__}-{place}"


@pytest.mark.parametrize("place", range(len(LEAKS)), ids=_name)
async def test_a_leak_planted_in_a_way_out_is_found(place: int) -> None:
    """Each is found within some rounds of the toy."""
    mutate, channels, law = LEAKS[place]
    rng = random.Random(f"leak {place}")
    for _ in range(150):
        found, _ = await law(mutate(TOY), 3, rng, channels)
        if found is not None:
            return
    raise AssertionError("the leak is not found")


@pytest.mark.parametrize("law", [live_checks.redeal, live_checks.late_passes, live_checks.exchange])
@pytest.mark.parametrize("game", [TOY, ERREN], ids=["toy", "erren"])
async def test_without_a_leak_nothing_is_found(game: Game, law: Law) -> None:
    rng = random.Random("no leak")
    for _ in range(3):
        assert (await law(game, 2, rng, HONEST))[0] is None
