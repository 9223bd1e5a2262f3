"""The garbage collector looks when the loop is idle, and its halts are counted."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from app.service.collecting import Collecting


class Circle:
    """Refers to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collecting() -> Iterator[Collecting]:
    thresholds, callbacks = gc.get_threshold(), list(gc.callbacks)
    collector = Collecting()
    collector.begin()
    yield collector
    gc.set_threshold(*thresholds)
    gc.callbacks[:] = callbacks
    gc.unfreeze()


async def test_circles_of_a_step_are_gone_soon_after_it_though_no_threshold_was_passed(collecting: Collecting) -> None:
    circles, gone = [Circle() for _ in range(500)], asyncio.Event()
    last = weakref.ref(circles[-1], lambda _: gone.set())
    del circles
    assert last() is not None, "nothing looks in the middle of a step"
    before = collecting.pauses.cumulative()[-1][1]
    looking = asyncio.create_task(collecting.run())
    async with asyncio.timeout(10):
        await gone.wait()
    looking.cancel()
    assert collecting.pauses.cumulative()[-1][1] > before and collecting.pauses.sum_s > 0
