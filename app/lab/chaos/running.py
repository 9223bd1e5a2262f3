"""A server of our own for a while: `mj up` as a child on a free port, with its data in a folder that we give it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.embedded.places import ROOT, StartError

_MAIN = "import sys; from app.cli.main import main; sys.exit(main(sys.argv[1:]))"
_START_S = 300.0
"""Most of a start is computing: on a busy machine a minute is soon over."""


class Running:
    """A running server. It describes itself in its `run.json`."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path, log: Path) -> None:
        self.process = process
        self.folder = folder
        self.log = log

    def facts(self) -> dict[str, Any]:
        """`url`, `nodes` (name → process id), `valkey_url`, `database_url`."""
        found: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return found

    @property
    def url(self) -> str:
        """The address at which it serves."""
        return str(self.facts()["url"])

    def kill(self, node: str, number: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to a node's process; its id."""
        pid = int(self.facts()["nodes"][node])
        os.kill(pid, number)
        return pid

    def kill_store(self, name: str) -> int:
        """`kill -9` of an embedded store, Valkey or Postgres; its process id."""
        pid = int(self.facts()["stores"][name])
        os.kill(pid, signal.SIGKILL)
        return pid

    def kill_all(self) -> None:
        """`kill -9` of everything at once: the supervisor, its nodes and its stores."""
        facts = self.facts()
        for pid in (*facts["nodes"].values(), *facts["stores"].values(), self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        self.process.wait()

    def stop(self, patience_s: float = 40.0) -> int:
        """Stop it as Ctrl-C does. Returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@contextlib.contextmanager
def own_server(
    *, nodes: int = 1, folder: Path | None = None, options: dict[str, str] | None = None, root: Path = ROOT,
    port: int = 0, arguments: tuple[str, ...] = (),
) -> Iterator[Running]:  # fmt: skip
    """Start a server and stop it at the end; without `folder` its data are thrown away. `options`: MJ_… without MJ_.
    `arguments`: further ones of `mj up`.
    `root`: the source tree that serves.

    Raises StartError, with its output, when it does not come up.
    """
    own = None if folder else Path(tempfile.mkdtemp(prefix="mj-own-"))
    data = folder or own or Path()
    data.mkdir(parents=True, exist_ok=True)
    if own is not None:
        own.chmod(0o755)  # an unprivileged Postgres must reach its data
    (data / "run.json").unlink(missing_ok=True)
    running = _start(data, nodes, options or {}, root, ("--port", str(port), *arguments))
    try:
        _wait(running)
        yield running
    finally:
        running.stop()
        if own is not None:
            shutil.rmtree(own, ignore_errors=True)


def _start(data: Path, nodes: int, options: dict[str, str], root: Path, arguments: tuple[str, ...]) -> Running:
    log = data / "server.log"
    settings = {f"MJ_{name.upper()}": value for name, value in options.items()}
    with log.open("ab") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-c", _MAIN, "up", "--data", str(data), "--nodes", str(nodes)), *arguments,
            ],
            cwd=root, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            env={**os.environ, "PYTHONPATH": str(root), **settings},
        )  # fmt: skip
    return Running(process, data, log)


def _wait(running: Running) -> None:
    until = time.monotonic() + _START_S
    while not (running.folder / "run.json").exists():
        if running.process.poll() is not None or time.monotonic() > until:
            said = running.log.read_text("utf-8", "replace")[-1500:]
            raise StartError(f"the server does not come up; it said:\n{said}")
        time.sleep(0.02)
