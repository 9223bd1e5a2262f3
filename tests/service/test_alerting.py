"""Alerts are sent to those who host: once for what comes together, again when it does not arrive (A16)."""

import asyncio
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from app.service.sending.alerting import Alerting, sender
from app.storage.live.rooms.alerts import Alert


class Post:
    """Takes messages, or loses the first few; and a clock that notes how long was waited."""

    def __init__(self, lost: int = 0) -> None:
        self.lost = lost
        self.messages: list[tuple[str, str]] = []
        self.waited: list[float] = []
        self.done = asyncio.Event()

    async def send(self, title: str, text: str) -> bool:
        if self.lost:
            self.lost -= 1
            return False
        self.messages.append((title, text))
        self.done.set()
        return True

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)


async def _after(post: Post, alerts: list[Alert]) -> None:
    live: Any = SimpleNamespace()  # sending asks nothing of the store
    alerting = Alerting(live, "n1", post.send, post.sleep)
    for alert in alerts:
        alerting.raised(alert)
    running = asyncio.create_task(alerting.run())
    await post.done.wait()
    running.cancel()


async def test_alerts_that_come_together_are_one_message() -> None:
    post = Post()
    await _after(post, [Alert(f"t{n}", "frozen", "a bug", n) for n in range(23)])
    assert [title for title, _ in post.messages] == ["雀桌 n1: 23 alert(s)"]
    lines = post.messages[0][1].splitlines()
    assert lines[0] == "table t0 (frozen): a bug" and lines[-1] == "and 3 more" and len(lines) == 21


async def test_a_message_that_does_not_arrive_is_sent_again_with_growing_pauses() -> None:
    post = Post(lost=2)
    await _after(post, [Alert("t", "frozen", "a bug", 1)])
    assert post.waited[:3] == [5.0, 5.0, 30.0] and len(post.messages) == 1


async def test_a_webhook_gets_it() -> None:
    got: list[bytes] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *said: Any) -> None:
            """Nothing to the terminal."""

    server = HTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=server.serve_forever, daemon=True).start()
    send = sender(f"json://127.0.0.1:{server.server_port}/hook")
    assert send is not None and await send("title", "table t (frozen): a bug")
    server.shutdown()
    server.server_close()
    assert b"table t (frozen): a bug" in got[0]


def test_an_address_that_nobody_knows_is_refused() -> None:
    assert sender("") is None
    with pytest.raises(ValueError, match="MJ_ALERT_URL"):
        sender("nonsense")
