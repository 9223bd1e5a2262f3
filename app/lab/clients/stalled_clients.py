"""People who at times read nothing, for `mj bench slow`: they know when more waits for them than may. No judgement."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.api.gateway.socket import HIGH_WATER_BYTES, QUEUE_BYTES, SEND_BUFFER_BYTES
from app.lab.clients.load_clients import Person
from app.storage.live.wire.link import StoreUnavailable

CUT_S: Final = 1.0
"""A stalled client must be cut this long after its queue overflowed."""
_QUICK: Final = 165
_PACE_S: Final = (0.030, 0.052)
"""This many requests at an even pace, a bit below a socket's rate limit; then slower."""
_FULL_BYTES: Final = 2 * SEND_BUFFER_BYTES + HIGH_WATER_BYTES
"""The kernel takes no more than this: it gives at most twice what a socket asks for."""
_HEADER: Final = 4
_SOCKETS: Final = Path("/proc/net/tcp")


@dataclass
class Slow:
    """Cuts of stalled clients: seconds from overflow to cut; number of cuts without an overflow."""

    after_s: list[float] = field(default_factory=list)
    early: int = 0


@dataclass
class Reader(Person):
    """A seated client that at times does not read. It computes from its requests when its queue overflows."""

    each: dict[str, int] = field(default_factory=dict)
    """Bytes on the line of a snapshot, and of its acknowledgement."""

    def hear(self, text: bytes) -> None:
        """Note how long it is, too."""
        for kind in ("ack", "sync"):
            if f'"kind":"{kind}"'.encode() in text[:60]:
                self.each[kind] = len(text) + _HEADER
        super().hear(text)

    async def spend(self, late_s: float, seconds: float, reading: bool, kernel: int, ends: Slow) -> None:
        """Ask for snapshots; gone at the bound, come back. A cut that is due at the end is awaited.

        `kernel`: bytes that wait in the two kernels when neither end takes any more. `late_s`: begin so much later.
        """
        until = time.monotonic() + seconds
        await asyncio.sleep(late_s)
        while time.monotonic() < until:
            try:
                each = await self._begin(reading)
            except (StoreUnavailable, OSError):
                await asyncio.sleep(0.2)
                continue
            await self._ask(each, reading, kernel + HIGH_WATER_BYTES + QUEUE_BYTES, until, ends)

    async def what_the_kernel_takes(self) -> int:
        """Stop reading for once, ask for enough, look. Elsewhere than on Linux 0, so that overflows seem too early."""
        each = await self._begin(reading=False)
        assert self.line is not None and self.line.transport is not None
        for number in range(_FULL_BYTES // each + 1):
            self.line.say("sync", f"k{number}")
            await asyncio.sleep(_PACE_S[number >= _QUICK])
        mine = self.line.transport.get_extra_info("sockname")[1]
        text = await asyncio.to_thread(_SOCKETS.read_text) if _SOCKETS.exists() else ""
        self.line.close()
        return waiting(text, self.port, mine)

    async def _begin(self, reading: bool) -> int:
        """Sit down, ask once, then read nothing more, or all. Returns what an answer takes on the line, in bytes."""
        await self.sit(little=not reading)
        assert self.line is not None
        self.each.clear()
        self.line.say("sync", "first")
        while len(self.each) < 2 and not self.line.lost.done():
            await asyncio.sleep(0.005)
        if self.line.lost.done():
            raise StoreUnavailable
        if not reading:
            self.line.freeze()
        return sum(self.each.values())

    async def _ask(self, each: int, reading: bool, room: int, until: float, ends: Slow) -> None:
        """Send requests until the connection is cut; a reading client sends the same amount. The overflow is the moment
        at which the answers exceed all buffers (`room`). It is estimated early: as if every request were served at
        once, and without the actions of others.
        """
        line = self.line
        assert line is not None
        number, asked, overflow = 0, 0, None
        while not line.lost.done() and time.monotonic() < max(until, (overflow or 0.0) + 2 * CUT_S):
            line.say("sync", f"s{number}")
            number, asked = number + 1, asked + each
            if asked > room and overflow is None:
                overflow = time.monotonic()
                if reading:
                    break
            await asyncio.sleep(_PACE_S[number >= _QUICK])
        if line.lost.done() and (reading or asked < QUEUE_BYTES):
            ends.early += 1
        elif not reading and (line.lost.done() or overflow is not None):
            ends.after_s.append(0.0 if overflow is None else time.monotonic() - overflow)
        line.close()


def waiting(sockets: str, server: int, client: int) -> int:
    """Bytes in both kernels on their way from one port to the other, from the text of `/proc/net/tcp`."""
    found = 0
    for line in sockets.splitlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        ports = tuple([int(end.partition(":")[2], 16) for end in (local, remote)])
        sending, receiving = [int(size, 16) for size in queues.split(":")]
        found += sending if ports == (server, client) else receiving if ports == (client, server) else 0
    return found
