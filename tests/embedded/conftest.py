"""For the tests of the launchers themselves: processes to kill."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from app.embedded.places import ROOT

Start = Callable[[str], "subprocess.Popen[str]"]


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
