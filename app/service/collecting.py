"""The garbage collector of a node: it looks in idle moments, not in the middle of a step.

What a step makes dies by its last reference before an idle moment comes, and the values of the kernel are no concern of
the collector at all (`kernel/immutable.py`). So there is little to look at, and less that stays.
"""

from __future__ import annotations

import asyncio
import gc
import time
from typing import Any, Final

from app.tables.clocks.timing import Timing

_THRESHOLDS: Final = (5_000, 3, 500)
"""For a loop that is never idle. A look at 5,000 new objects stops everything for some 2 ms, at 25,000 for 20 ms."""
_LOOK_S: Final = 0.02
_IDLE_S: Final = 0.002
"""The loop is idle when a timer of it comes no later than this."""
_WORTH_IT: Final = 200
"""New objects for which a look is worth its while."""


class Collecting:
    """Begun once a process. `pauses`: how long the collector stopped everything, each time."""

    def __init__(self) -> None:
        self.pauses = Timing()
        self._began = 0.0

    def begin(self) -> None:
        """All that was imported stays for good, and the collector skips it: it took a sixth of a recovery."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_THRESHOLDS)
        gc.callbacks.append(self._note)

    async def run(self) -> None:
        """Look at the new objects whenever nothing else is to do, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LOOK_S
            await asyncio.sleep(_LOOK_S)
            if loop.time() - due < _IDLE_S and gc.get_count()[0] > _WORTH_IT:
                gc.collect(0)

    def _note(self, phase: str, _about: dict[str, Any]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.pauses.add(time.perf_counter() - self._began)
