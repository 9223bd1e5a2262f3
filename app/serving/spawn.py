"""One node's process: started on a listening socket of ours, with its settings; waited for, signalled, reaped.

The supervisor of `mj up` and the test kit's cluster both start nodes here. Neither restarts nor fronts are known here.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from dataclasses import dataclass

from app.embedded.places import ROOT
from app.serving.serve import pack
from app.settings import Settings

_READY = b"ready\n"
_OWNER = "MJ_OWNER_DATABASE_URL"


@dataclass(eq=False)
class SpawnedNode:
    """A node's process. It stops by itself when the socket between us closes, so also when we die."""

    process: asyncio.subprocess.Process
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    @property
    def pid(self) -> int:
        """The process's id."""
        return self.process.pid

    @property
    def running(self) -> bool:
        """True while the process is not known to have ended."""
        return self.process.returncode is None

    async def serves(self) -> bool:
        """Wait until the node accepts connections (True) or ends (False)."""
        with contextlib.suppress(ConnectionError):
            return await self._reader.readline() == _READY
        return False

    async def ended(self) -> int:
        """Wait for the end of the process and reap it. Returns its exit status, -N for signal N."""
        status = await self.process.wait()
        self._writer.transport.abort()
        return status

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; nothing happens when the process has ended."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    async def stop(self, patience_s: float) -> int:
        """Ask the node to drain and end; kill it after `patience_s` seconds. Returns its exit status."""
        self.signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self.ended(), patience_s)
        self.signal(signal.SIGKILL)
        return await self.ended()


async def spawn_node(settings: Settings, listen: socket.socket) -> SpawnedNode:
    """Start a node with these settings; it accepts on `listen`, which stays open here as well. See `serves`.

    Raises OSError where the machine has no process or descriptor left for it.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "app.serving.serve", str(listen.fileno())),
                env={**_environment(), "PYTHONPATH": str(ROOT)},
                cwd=ROOT,
                stdin=theirs.fileno(),
                pass_fds=[listen.fileno()],
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            raise
    reader, writer = await asyncio.open_connection(sock=ours)
    writer.write(pack(settings))
    return SpawnedNode(process, reader, writer)


def _environment() -> dict[str, str]:
    """Ours, but for the address of the tables' owner, which nodes have no use for."""
    return {name: value for name, value in os.environ.items() if name != _OWNER}
