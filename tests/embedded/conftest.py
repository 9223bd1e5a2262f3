"""For the tests of the launchers themselves: folders that an unprivileged Postgres can reach, and processes to kill."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.embedded.places import ROOT

Start = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A new folder that every account may enter (pytest's `tmp_path` has parents of mode 0700)."""
    made = Path(tempfile.mkdtemp(prefix="mj-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def start_python() -> Iterator[Start]:
    """Runs Python source as a process of its own; what is left of it is killed after the test."""
    started: list[subprocess.Popen[str]] = []

    def start(source: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", source]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()
