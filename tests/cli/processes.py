"""`mj up` as a process of its own in tests: what it says, what it started, and that nothing of it is left."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.embedded.places import ROOT

_MJ = "from app.cli.main import main; raise SystemExit(main())"
_MARK = "QUEZHUO_TEST_MARK"
PATIENCE_S = 120.0


class Up:
    """A server under test. Every process that descends from it is found by a mark in its environment, or, where a
    store has an environment of its own, by the data folder on its command line."""

    def __init__(self, command: list[str], env: dict[str, str], folder: Path) -> None:
        """`folder`: in which all data lie."""
        self.folder = folder
        self.mark = secrets.token_hex(8)
        self.process = subprocess.Popen(
            command, env=env | {_MARK: self.mark}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            cwd=folder,
        )  # fmt: skip
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    @classmethod
    @contextlib.contextmanager
    def started(cls, command: list[str], env: dict[str, str], folder: Path) -> Iterator[Up]:
        """A server for the length of a block; killed at its end."""
        server = cls(command, env, folder)
        try:
            yield server
        finally:
            server.process.kill()
            server.process.wait()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def until(self, words: str) -> str:
        """Read on up to a line with these words; that line. Fails when it ends first, or takes too long."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                pytest.fail(f"'{words}' never came; it said:\n" + "\n".join(self.said))
            self.said.append(line)
            if words in line:
                return line

    def facts(self) -> dict[str, Any]:
        """The content of its `run.json`."""
        found: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return found

    @property
    def url(self) -> str:
        """The address at which it serves."""
        return str(self.facts()["url"])

    def left(self) -> dict[int, str]:
        """Processes that live, or are zombies, because of this server: id → command line. Not the server itself."""
        return {pid: words for pid, words in _processes(self.mark, str(self.folder)) if pid != self.process.pid}

    def gone(self) -> None:
        """Wait for the end; fails when a process is left behind."""
        self.process.wait(PATIENCE_S)
        deadline = time.monotonic() + 30.0
        while (left := self.left()) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert left == {}, left


def up(folder: Path, *options: str) -> contextlib.AbstractContextManager[Up]:
    """`mj up` of this clone on a data folder, for the length of a block."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MJ_")}
    command = [sys.executable, "-P", "-c", _MJ, "up", "--port", "0", "--data", str(folder), *options]
    return Up.started(command, env | {"PYTHONPATH": str(ROOT)}, folder)


def _processes(mark: str, folder: str) -> Iterator[tuple[int, str]]:
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            words = " ".join(process.cmdline())
            if folder in words or process.environ().get(_MARK) == mark:
                yield process.pid, words


def zombies_of(pid: int) -> list[int]:
    """Children of this process that ended and were not reaped."""
    found = []
    for child in psutil.Process(pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if child.status() == psutil.STATUS_ZOMBIE:
                found.append(child.pid)
    return found
