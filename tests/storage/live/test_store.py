"""Background tasks of a node: a bug in one is logged, and it goes on."""

import asyncio

import pytest

from app.storage.live import store
from app.storage.live.store import keep_running
from tests.integration.waiting import PATIENCE_S


async def test_background_work_that_breaks_down_is_told_and_begins_anew(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_AGAIN_S", 0.0)
    runs: list[int] = []
    again = asyncio.Event()

    async def heartbeat() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise KeyError("a bug")
        again.set()
        await asyncio.Event().wait()

    working = asyncio.create_task(keep_running(heartbeat))
    await asyncio.wait_for(again.wait(), PATIENCE_S)
    assert len(runs) == 2 and "heartbeat ended" in caplog.text and "a bug" in caplog.text
    working.cancel()
    assert await asyncio.gather(working, return_exceptions=True) != [None]
