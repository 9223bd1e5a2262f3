"""A table whose server is the test: any scene is put on at once, and what the page asks for is noted.

Everything else is real: the page, its modules, REST. Only the table's socket ends here.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute

from tests.e2e.person import PATIENCE_MS, Person
from tests.e2e.scenes import Scene


class Stage:
    """One person's table. `asked` holds the requests of the page, oldest first."""

    def __init__(self, person: Person, slug: str) -> None:
        self.person = person
        self.asked: list[dict[str, Any]] = []
        self.refuse: str | None = None
        self.hints: list[dict[str, Any]] = []
        self.reasons: list[dict[str, Any]] = []
        """The answer to `why_not`."""
        self.answers = True
        self.spectator = False
        """The person watches: no seat, no question."""
        self.silence: dict[str, Any] | None = None
        """The offer that the open question's clock would take."""
        self.kept = False
        """As after a reload between rounds: the settled view is gone, the match remembers the ledger."""
        self._line: WebSocketRoute | None = None
        self._round, self._n = 0, 0
        self._scene: Scene | None = None
        person.page.route_web_socket("**/v1/ws", self._open)
        person.see("main")
        self.room = person.rest("POST", "/rooms", {"variant": slug})

    def _open(self, line: WebSocketRoute) -> None:
        """Take the table's line; the lobby's, before any scene is on, hears nothing."""
        if self._scene is None:
            return
        self._line = line
        line.on_message(self._heard)

    def _heard(self, message: str | bytes) -> None:
        frame = json.loads(message)
        kind, ref = frame["kind"], frame["id"]
        self.asked.append(frame)
        if kind == "ping":
            self.tell("pong", t=frame["data"]["t"])
        elif kind == "hello":
            self.tell("ack", ref=ref)
            self._sync()
        elif kind == "hints":
            self.tell("ack", ref=ref, hints=self.hints)
        elif kind == "why_not":
            self.tell("ack", ref=ref, reasons=self.reasons)
        elif self.refuse:
            self.tell("error", ref=ref, code=self.refuse, message=self.refuse)
        elif self.answers:
            self.tell("ack", ref=ref)

    def tell(self, kind: str, **data: Any) -> None:
        """Send a frame."""
        frame: dict[str, Any] = {"v": 1, "kind": kind, "data": data}
        if kind in ("events", "prompt", "sync"):
            self._n += kind == "events"
            frame["seq"] = [self._round, self._n]
        if self._line is not None:
            self._line.send(json.dumps(frame))

    def _sync(self) -> None:
        scene = self._scene
        assert scene is not None
        me = {"seat": None if self.spectator else scene.seat, "user": f"u{scene.seat}"}
        room = {**self.room, "ranked": False, "spectators": "off"}
        view = None if self.kept else scene.view
        self.tell("sync", room=room, match=scene.match_view(), view=view, prompt=prompt(scene, self.silence), me=me)

    def put_on(self, scene: Scene) -> None:
        """Show a scene, as after a long absence, with the waits that the page asks for then."""
        self._scene, self.hints = scene, scene.hints
        before = len(self.requests("hints"))
        self.asked = [frame for frame in self.asked if frame["kind"] != "act"]
        self._round, self._n = self._round + 1, 1
        if self._line is None:
            self.person.page.evaluate("(id) => { location.hash = `#/table/${id}`; }", self.room["id"])
        else:
            self._sync()
        sign = ".overlay:not([hidden]) .sheet" if scene.view["phase"] == "over" else ".seat.me .plate"
        self.person.see(sign)
        if scene.view["phase"] != "over" and scene.view["seats"][scene.seat]["hand"] and not self.spectator:
            self._until(lambda: len(self.requests("hints")) > before, "hints")
        self.person.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))")

    def requests(self, kind: str) -> list[dict[str, Any]]:
        """The data of all requests of a kind."""
        return [frame["data"] for frame in self.asked if frame["kind"] == kind]

    def act(self) -> dict[str, Any]:
        """The last choice; waits for it."""
        found: dict[str, Any] = self.wait_for("act")[-1]["action"]
        return found

    def wait_for(self, kind: str) -> list[dict[str, Any]]:
        """The data of all requests of a kind, once there is one."""
        self._until(lambda: bool(self.requests(kind)), kind)
        return self.requests(kind)

    def _until(self, asked: Callable[[], bool], kind: str) -> None:
        until = time.monotonic() + PATIENCE_MS / 1000
        while not asked():
            assert time.monotonic() < until, f"nobody asked for {kind}"
            self.person.page.wait_for_timeout(20)


def prompt(scene: Scene, silence: dict[str, Any] | None = None) -> dict[str, Any]:
    """A scene's open question as a prompt."""
    asked = scene.decision and {**scene.decision, "silence": silence}
    return {"decision": asked, "hints": None}
