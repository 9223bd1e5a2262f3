"""The player of `mj demo`, benchmarks, `mj chaos` and integration tests: the packaged client, and what it heard.

Knows nothing of the server's insides; it chooses as a bot with its view would.
"""

from __future__ import annotations

import random
import time
from typing import Any

from app.bots import choose
from app.kernel.errors import MalformedInput
from app.kernel.play.decisions import Decision
from app.kernel.text.notation import plain_action, plain_view, read_action
from app.sdk.client import Api, Choose, Plain, Player, Refused
from app.variants import VARIANTS

__all__ = ["Api", "Choose", "Plain", "Refused", "SeatClient", "bot_choice", "plain_choice"]


class SeatClient(Player):
    """A player that keeps for later: `acked` (request → answer), `acts` (request → round), `settled`, `gaps`,
    `refused`, `latencies_s`; `byes` received, and the number of sockets lost without one, `untold`.
    """

    def __init__(self, api: Api, room_id: str, choose: Choose | None = None, rng: random.Random | None = None) -> None:
        super().__init__(api, room_id, choose or bot_choice, rng)
        self.gaps: list[tuple[tuple[int, int] | None, tuple[int, int]]] = []
        self.acked: dict[str, Plain] = {}
        self.acts: dict[str, int] = {}
        self.latencies_s: list[float] = []
        self.refused: list[Plain] = []
        self.settled: list[Plain] = []
        self.untold = 0
        self.byes: list[Plain] = []
        self._sent_at: dict[str, float] = {}

    def sending(self, message: Plain) -> None:
        """Keep when a request went out, and the rounds that acts are for."""
        if message["id"] in self._waiting:
            self._sent_at[message["id"]] = time.monotonic()
        if message["kind"] == "act":
            self.acts[message["id"]] = message["data"]["round"]

    def lost(self) -> None:
        """Count sockets that went without a word; a try to return that failed is none."""
        super().lost()
        self.untold += self.bye is None and self.close_code is not None

    def take(self, frame: Plain) -> None:
        """Note the frame, then do as every player does."""
        kind, data = frame["kind"], frame["data"]
        if kind == "events":
            self._follow((frame["seq"][0], frame["seq"][1]))
        elif kind == "ack":
            self.acked[data["ref"]] = data
            if (sent := self._sent_at.pop(data["ref"], None)) is not None:
                self.latencies_s.append(time.monotonic() - sent)
        elif kind == "error":
            self.refused.append(data)
        elif kind == "bye":
            self.byes.append(data)
        super().take(frame)
        if kind == "events":
            self._settle(data["events"])

    def _follow(self, seq: tuple[int, int]) -> None:
        expected = None if self.last is None else {(self.last[0], self.last[1] + 1), (self.last[0] + 1, 1)}
        if expected is not None and seq not in expected:
            self.gaps.append((self.last, seq))

    def _settle(self, events: list[Plain]) -> None:
        for plain in events:
            if plain["type"] == "round_ended":
                lines: list[Any] = [] if self.view is None else list(plain_view(self.view)["lines"])
                points = [] if self.view is None else list(self.view.points)
                self.settled.append({"ended": plain, "lines": lines, "points": points})


async def bot_choice(client: Player, decision: Plain) -> Plain:
    """The choice of a bot with this client's view; the first sensible option while the view is incomplete."""
    options = decision["options"]
    if client.view is None or client.seat is None:
        return plain_choice(options, client.rng)
    try:
        opened = Decision(
            decision["id"], client.seat, decision["clock"], tuple([read_action(o) for o in options]), None, None
        )  # fmt: skip
        variant = VARIANTS[client.match["variant"]]
        return plain_action(choose(variant, client.view, client.seat, opened, client.rng.getrandbits(32), "easy"))
    except MalformedInput:
        return plain_choice(options, client.rng)


def plain_choice(options: list[Plain], rng: random.Random) -> Plain:
    """Win when it is offered, else throw something, else pass."""
    if options[0]["verb"] == "win":
        return options[0]
    throws = [option for option in options if option["verb"] == "discard"]
    return rng.choice(throws) if throws else options[-1]
