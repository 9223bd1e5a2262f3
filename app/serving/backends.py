"""Nodes as the front sees them: where each listens, whether it serves, and the connections that end when it stops."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping

_LOOK_EVERY_S = 0.5
_ANSWERS_WITHIN_S = 1.5
_ASKED_AGAIN_S = 0.5
_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"


class Backend:
    """A node behind the front. `up`: its supervisor reports that it serves; `stalled`: it does not answer us.

    Connections to a node that stops serving, for either reason, are cut at once: their clients go elsewhere.
    """

    def __init__(self, name: str, port: int, up: bool = True) -> None:
        self.name = name
        self.port = port
        self.note = "starting"
        """The reason why a node is not up: a word for `/readyz`."""
        self.leaving = False
        """It was asked to stop: its connections stay until it closes them; no new request is sent there."""
        self.since = time.monotonic()
        """When its process began, or, while it does not answer, when it was last asked in vain for the first time."""
        self._up = up
        self._stalled = False
        self._lines: set[asyncio.WriteTransport] = set()

    @property
    def up(self) -> bool:
        """True while the node's process serves."""
        return self._up

    @up.setter
    def up(self, up: bool) -> None:
        self._up = up
        self._stalled = self.leaving = False
        self.since = time.monotonic()
        if not up:
            self._cut()

    @property
    def serves(self) -> bool:
        """True while a request may be sent there."""
        return self._up and not self._stalled

    @property
    def silent_s(self) -> float:
        """For how long the process has given no sign: not begun to serve, or not answered. 0 while it answers."""
        return 0.0 if self.serves else time.monotonic() - self.since

    @property
    def state(self) -> str:
        """One word or two for people: `up`, `not answering`, or the note."""
        if not self._up:
            return self.note
        return "not answering" if self._stalled else "leaving" if self.leaving else "up"

    @contextlib.contextmanager
    def holding(self, line: asyncio.WriteTransport) -> Iterator[None]:
        """While inside, `line` is a connection to this node."""
        self._lines.add(line)
        try:
            yield
        finally:
            self._lines.discard(line)

    def _cut(self) -> None:
        for line in tuple(self._lines):
            line.abort()

    async def watch(self, say: Callable[[str], None], others: bool = True) -> None:
        """Until cancelled: ask the node for its health; one that gives no answer for two seconds is left alone.

        `others`: are there nodes to which its players can go?
        """
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            if not self._up:
                continue
            began = time.monotonic()
            answers = await self._answers(_ANSWERS_WITHIN_S) or await self._answers(_ASKED_AGAIN_S)
            if answers and self._stalled:
                self._stalled = False
                say(f"Node {self.name} answers again, after {time.monotonic() - self.since:.0f} s.")
            elif not answers and self._up and not self._stalled:
                self.since = began
                self._stalled = True
                say(f"Node {self.name} does not answer{'; its players are sent to other nodes' if others else ''}.")
                self._cut()

    async def _answers(self, patience_s: float) -> bool:
        writer = None
        try:
            async with asyncio.timeout(patience_s):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(_HEALTH)
                return (await reader.readline()).startswith(b"HTTP/1.1 ")
        except (OSError, ValueError):  # a time-out is an OSError; ValueError: an endless line
            return False
        finally:
            if writer is not None:
                writer.transport.abort()


def states(backends: Mapping[str, Backend]) -> dict[str, str]:
    """Every node's state in words, by name."""
    return {name: backend.state for name, backend in backends.items()}
