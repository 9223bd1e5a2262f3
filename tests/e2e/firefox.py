"""A headless Firefox, spoken to by WebDriver BiDi: the few commands that a test of the page needs.

Firefox speaks the protocol itself, so there is no driver beside it; the socket is that of our own dependency.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_START_S = 60
_PREFS = 'user_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("toolkit.telemetry.enabled", false);\n'

_GAVE_UP = "can’t establish a connection to the server at ws"
"""The page gives up on a socket that does not open within a second, and asks again: on a busy machine that happens."""


class Firefox:
    """One page of one browser. `faults`: every error that the page logged."""

    def __init__(self, line: ClientConnection) -> None:
        self._line, self._last = line, 0
        self.faults: list[str] = []
        self.tell("session.new", capabilities={})
        self.tell("session.subscribe", events=["log.entryAdded"])
        self.page = self.tell("browsingContext.getTree")["contexts"][0]["context"]

    def tell(self, method: str, **params: Any) -> Any:
        """A command and its result. Raises AssertionError with the browser's words when it fails."""
        self._last += 1
        self._line.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            told = json.loads(self._line.recv(timeout=_START_S))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.faults += [said for said in [str(told["params"]["text"])] if _GAVE_UP not in said]
            if told.get("id") == self._last:
                assert told["type"] == "success", told
                return told["result"]

    def go(self, url: str, width: int, height: int) -> None:
        """Open a page in a window of this size."""
        self.tell("browsingContext.setViewport", context=self.page, viewport={"width": width, "height": height})
        self.tell("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def run(self, expression: str) -> Any:
        """What an expression of the page gives; a promise is awaited. Plain values only."""
        target = {"context": self.page}
        told = self.tell("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told.get("exceptionDetails", {}).get("text")
        return told["result"].get("value")

    def when(self, condition: str, limit_s: float) -> None:
        """Wait until an expression of the page is true."""
        until = time.monotonic() + limit_s
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < until, f"never: {condition}; {self.faults}"
            time.sleep(0.05)


@contextmanager
def firefox(path: str) -> Iterator[Firefox]:
    """A fresh browser with an empty profile; it ends with the block."""
    with tempfile.TemporaryDirectory(prefix="mj-firefox-") as profile:
        Path(profile, "user.js").write_text(_PREFS)
        words = [path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            with connect(f"{_address(process)}/session", max_size=None, open_timeout=_START_S) as line:
                yield Firefox(line)
        finally:
            process.terminate()
            process.wait(_START_S)


def _address(process: subprocess.Popen[str]) -> str:
    """Where it listens, as it says; what it says later is read and thrown away."""
    assert process.stderr is not None
    for said in process.stderr:
        if found := _LISTENS.search(said):
            threading.Thread(target=lambda: [None for _ in process.stderr or ()], daemon=True).start()
            return found[1]
    raise AssertionError("Firefox ended before it listened")
