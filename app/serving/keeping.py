"""Keeping something running: started, started again when it ends, with growing pauses, until it is asked to stop.

The same loop keeps nodes and embedded stores. It never gives up on anything, and knows neither by name.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

from app.embedded.places import StartError

_PAUSES_S = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0)
_STEADY_S = 10.0
"""After this long in service the pauses begin with the first one again."""
_LEFT_OUT = 5
"""After this number of deaths in a row a process counts as left out."""


class Life(Protocol):
    """One life of a kept process."""

    async def serves(self) -> bool:
        """Wait until it serves (True) or has ended (False)."""

    async def ended(self) -> str:
        """Wait for its end and reap it. Returns how it ended, in words."""

    async def stop(self) -> None:
        """End it in order and reap it."""


class Kept:
    """Something that is kept running. `start` begins one life of it; it raises StartError or OSError where it cannot.

    `changed(up, note)` is called at every start and end of a life, and when it begins to serve. `before_restart` runs
    between two lives.
    """

    def __init__(
        self, name: str, start: Callable[[], Awaitable[Life]], say: Callable[[str], None],
        changed: Callable[[bool, str], None] = lambda up, note: None,
        before_restart: Callable[[], Awaitable[None]] | None = None, longest_pause_s: float = 60.0,
    ) -> None:  # fmt: skip
        self.name = name
        self.settled = asyncio.Event()
        """It has served once, or failed to; `failure` says how."""
        self.served = False
        self.failure = ""
        self._start = start
        self._say = say
        self._changed = changed
        self._before_restart = before_restart
        self._longest_pause_s = longest_pause_s
        self._stopping = asyncio.Event()
        self._deaths = 0

    async def run(self, life: Life | None = None) -> None:
        """Keep it until `stop`. `life`: one that serves already."""
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            while not self._stopping.is_set():
                await self._one_life(life, stopping)
                life = None
                if self._stopping.is_set():
                    return
                await asyncio.wait((stopping,), timeout=self._pause_s())
                if self._before_restart is not None and not self._stopping.is_set():
                    await self._before_restart()
        finally:
            stopping.cancel()

    def stop(self) -> None:
        """End the present life in order and begin no other; `run` returns when that is done."""
        self._stopping.set()

    async def _one_life(self, life: Life | None, stopping: asyncio.Task[Literal[True]]) -> None:
        """From the start to the end, or to the end of a stop. A life that has begun is always reaped here."""
        born = asyncio.get_running_loop().time()
        try:
            life = life or await self._start()
        except (StartError, OSError) as error:
            self._died(0.0, str(error))
            return
        ending: asyncio.Task[str] | None = None
        try:
            self._changed(False, self._note())
            ending = asyncio.create_task(self._live(life))
            await asyncio.wait((ending, stopping), return_when=asyncio.FIRST_COMPLETED)
            if ending.done():
                self._died(asyncio.get_running_loop().time() - born, ending.result())
        finally:
            if ending is None or not ending.done():
                await life.stop()
                if ending is not None:
                    await asyncio.wait((ending,))
                self._changed(False, "stopped")

    async def _live(self, life: Life) -> str:
        if await life.serves() and not self._stopping.is_set():
            if self._deaths:
                self._say(f"{self.name} serves again.")
            self.served = True
            self._changed(True, "up")
            self.settled.set()
        return await life.ended()

    def _died(self, lived_s: float, how: str) -> None:
        if self._stopping.is_set():
            return
        self._deaths = self._deaths + 1 if lived_s < _STEADY_S or not self.served else 1
        self.failure = how
        self._changed(False, self._note())
        pause_s = self._pause_s()
        what = how.rstrip(".") if how.startswith(self.name) else f"{self.name} ended ({how})"
        when = f"trying again in {pause_s:g} s" if pause_s else "starting it again"
        left_out = " It is left out until it serves." if self._deaths == _LEFT_OUT else ""
        self._say(f"{what}; {when}.{left_out}")
        self.settled.set()

    def _note(self) -> str:
        return "left out" if self._deaths >= _LEFT_OUT else "starting"

    def _pause_s(self) -> float:
        return min(_PAUSES_S[min(max(self._deaths - 1, 0), len(_PAUSES_S) - 1)], self._longest_pause_s)
