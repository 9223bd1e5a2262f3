"""A live table with witnesses: all its output is noted with its (fake) time, so that two worlds can be compared.

Everything a person outside can notice passes one of the `Channels`; the mutants plant their leaks there or in the game.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from app.admin.tables import live_room_body
from app.api.gateway import lobby
from app.api.play.rooms import room_body
from app.kernel.actions import PASS, WIN, Action
from app.kernel.text.notation import read_action
from app.kernel.variant import Step, Variant
from app.tables import asks
from app.tables.frames import Frame
from app.tables.messages import Limits
from tests.tables.doubles import Client
from tests.tables.world import World, settle

Heard = tuple[float, str, Any, str]
"""When, the kind of frame, its seq, its data as JSON."""


def honest_frame(table: Any, viewer: int | None, frame: Frame) -> Frame:
    """The frames that the table sent."""
    return frame


def no_delay(table: Any, viewer: int | None, frame: Frame) -> float:
    """At once."""
    return 0.0


def nothing(table: Any) -> Any:
    """Nothing besides what the table says by itself."""
    return None


@dataclass(frozen=True, slots=True)
class Channels:
    """Ways out of a table; each mutant replaces one. `outside`: what REST shows, `log` a line per request."""

    frame: Callable[[Any, int | None, Frame], Frame] = honest_frame
    delay: Callable[[Any, int | None, Frame], float] = no_delay
    outside: Callable[[Any], Any] = nothing
    log: Callable[[Any], Any] = nothing


HONEST: Channels = Channels()


class Witness(Client):
    """A player or spectator who notes every frame. `seat` None: a spectator."""

    def __init__(self, live: Live, user: str, seat: int | None) -> None:
        super().__init__(user)
        self.live, self.seat = live, seat
        self.heard: list[Heard] = []
        self.honest: list[str] = []
        """The data of each frame as the table sent it, before a mutant changes it."""

    def offer(self, frame: Frame) -> bool:
        live = self.live
        sent = live.channels.frame(live.table, self.seat, frame)
        late = live.channels.delay(live.table, self.seat, frame)
        text = json.dumps(sent.face.data, sort_keys=True, ensure_ascii=False)
        self.honest.append(json.dumps(frame.face.data))
        self.heard.append((live.world.clock.now + late, sent.kind, sent.seq, text))
        return super().offer(frame)

    def farewell(self, reason: str, detail: str) -> None:
        self.honest.append("")
        self.heard.append((self.live.world.clock.now, "farewell", reason, detail))
        super().farewell(reason, detail)


_ROW: dict[str, Any] = {
    "id": "t1", "kind": "private", "variant": "toy", "rules": {}, "settings": {}, "circle_id": None, "host_id": "a",
    "ranked": False, "created_at": "2026-12-01T00:00:00Z", "closed_at": None, "close_reason": None,
}  # fmt: skip
"""The archive's row of the room, which nothing at the table changes."""
_ROUNDED_S = 0.001
"""The time left on a clock, in whole milliseconds."""

Move = tuple[int, Action] | float
"""The next step: a seat's answer, or seconds that pass."""


@dataclass
class Live:
    """One table under play, driven move by move."""

    world: World
    table: Any
    channels: Channels
    players: list[Witness] = field(default_factory=list)
    watcher: Witness = None  # type: ignore[assignment]
    lines: list[str] = field(default_factory=list)

    @classmethod
    async def begin(
        cls, game: Variant[Any], players: int, options: dict[str, object], channels: Channels = HONEST,
        spectator_delay_s: float = 0.0, settings: dict[str, object] | None = None,
    ) -> Live:  # fmt: skip
        """Everybody sits down and is ready; a spectator watches."""
        game = replace(game, meta=replace(game.meta, players=(players,)))
        world = World(variants={game.meta.slug: game}, limits=Limits(spectator_delay_s=spectator_delay_s))
        rules = {**options, "players": players} if any(o.name == "players" for o in game.meta.options) else options
        table = await world.table(
            variant=game, rules=rules, settings={"spectators": "all", "autoplay_after": 5, **(settings or {})}
        )
        live = cls(world, table, channels)
        for seat, name in enumerate("abcd"[:players]):
            live.players.append(Witness(live, name, seat).attach(table))  # type: ignore[arg-type]
        live.watcher = Witness(live, "watcher", None).attach(table, role="spectator")  # type: ignore[assignment]
        await settle()
        for client in live.players:
            await live.ask(client, asks.Ready(f"word of {client.person.user}"))
        return live

    @property
    def state(self) -> Any:
        """The round's whole state; None between rounds."""
        return self.table.log.round

    def everybody(self) -> tuple[Witness, ...]:
        """All seats, and the spectator."""
        return (*self.players, self.watcher)

    def options(self, seat: int) -> list[Action]:
        """The offers to a seat; empty when it is not asked."""
        decision = self.players[seat].decision
        return [] if decision is None else [read_action(option) for option in decision["options"]]

    def asked(self) -> dict[int, str]:
        """The seats that are asked now, and by which clock."""
        return {seat: who.decision["clock"] for seat, who in enumerate(self.players) if who.decision is not None}

    async def ask(self, client: Witness, ask: asks.Ask, ref: str = "") -> None:
        """One request, handled. Its id is a function of what was asked before, so that two worlds use the same."""
        client.ask(self.table, ask, ref or f"{client.person.user}{len(client.heard)}")
        await settle()
        if (line := self.channels.log(self.table)) is not None:
            logging.getLogger("app.tables").info("%s", line)

    async def make(self, move: Move) -> bool:
        """Make a move; False when the seat is not asked, or not offered this, in this world."""
        if isinstance(move, float):
            await self.world.advance(move)
            return True
        seat, action = move
        client = self.players[seat]
        if client.decision is None or action not in self.options(seat):
            return False
        await self.ask(client, asks.Play(client.seq[0], client.decision["id"], action))
        return True

    async def random_move(self, rng: random.Random) -> Move:
        """Choose and make a move: usually a seat answers, at times a clock runs out."""
        asked = [client for client in self.players if client.decision is not None]
        left = [ms for name in self.table.timers.clocks.names() if (ms := self.table.timers.clocks.left_ms(name))]
        move: Move
        if asked and rng.random() < 0.93:
            client = rng.choice(asked)
            assert client.seat is not None
            options = self.options(client.seat)
            rare = [option for option in options if option.verb not in ("discard", "pass", "win")]
            usual = [option for option in options if option != WIN or rng.random() < 0.2] or options
            move = client.seat, rng.choice(rare) if rare and rng.random() < 0.4 else rng.choice(usual)
        else:
            assert left, "nobody is asked and no clock runs"
            move = min(left) / 1000 + _ROUNDED_S
        assert await self.make(move), move
        return move

    def outside(self) -> str:
        """Facts about the table for those who do not sit at it: bodies of REST as they leave the server, the lobby's
        feed, figures, archive, operators' alerts, own extras."""
        world = self.world
        shown = [
            (
                asdict(summary), room_body(_ROW, summary).model_dump(mode="json"),
                live_room_body(summary).model_dump(mode="json"), dict(lobby.public(summary)),
            )
            for summary in world.rooms.summaries.values()
        ]  # fmt: skip
        facts = asdict(self.table.facts())
        known = (
            shown, facts, world.rooms.freed, world.rooms.gone, world.rooms.kept, world.rooms.claimed,
            world.store.queue, world.store.ends, world.alerts.alerts, self.channels.outside(self.table),
        )  # fmt: skip
        return json.dumps(known, sort_keys=True, default=str)


def elsewhere(game: Variant[Any], base: Any, other: Any) -> Variant[Any]:
    """The same game in a world where, from the moment `base` is reached, what is hidden is as in `other`."""

    def evolve(state: Any, event: Any) -> Any:
        after = game.evolve(state, event)
        return other if after == base else after

    def moved(step: Any) -> Any:
        return Step(step.events, other) if isinstance(step, Step) and step.state == base else step

    return replace(
        game, evolve=evolve, start=lambda setup: moved(game.start(setup)),
        decide=lambda state, open_, command: moved(game.decide(state, open_, command)),
    )  # fmt: skip


def requests_of(live: Live, viewer: int | None) -> Iterator[asks.Ask]:
    """Every kind of request, refused and accepted, that leaves the round where it is: a function of the viewer's sight.

    Acts name the viewer's own decision with actions it does not offer, all other seats' decisions, holds, past and
    made-up ones, and another round's.
    """
    client = live.watcher if viewer is None else live.players[viewer]
    round_no, tick = client.seq[0], client.table.tick if client.table is not None else 1
    own = client.decision["id"] if client.decision else ""
    offered = [] if client.decision is None else [read_action(option) for option in client.decision["options"]]
    for name in [f"{at}.{who}" for at in (tick, tick - 1) for who in (*range(len(live.players)), "hold")] + ["x"]:
        for said in (PASS, WIN):
            if name != own or said not in offered:
                yield asks.Play(round_no, name, said)
    yield asks.Play(round_no + 1, own or "1.0", PASS)
    yield asks.Ready("again")
    yield asks.Unready()
    yield from (asks.Vote(True), asks.Vote(False), asks.Unpause(), asks.ChangeSeat(0), asks.ChangeSeat(9), asks.Kick(1))
    yield from (asks.Fill(), asks.Phrase("hello"), asks.Phrase("hello"), asks.Sync(), asks.Hints(), asks.WhyNot())
    if viewer is not None:
        yield from (asks.AutoWin(True), asks.AutoWin(True), asks.AutoWin(False))


LAST: tuple[asks.Ask, ...] = (asks.Pause(), asks.Dissolve(), asks.Vote(True), asks.Autoplay(True), asks.Autoplay(False),
                              asks.Leave())  # fmt: skip
"""Requests that everybody at the table hears of; made after the others."""


@contextmanager
def listening(lines: list[str]) -> Iterator[None]:
    """Note every log line of the application."""
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    root, level = logging.getLogger("app"), logging.getLogger("app").level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def probe(live: Live, viewer: int | None) -> list[Any]:
    """All that `viewer` and the world outside notice while it asks everything, comes back, and asks aloud."""
    client = live.watcher if viewer is None else live.players[viewer]
    lines: list[str] = []
    found: list[Any] = []
    with listening(lines):
        for place, ask in enumerate(requests_of(live, viewer)):
            await live.ask(client, ask, f"probe{place // 2 * 2}" if isinstance(ask, asks.Phrase) else f"probe{place}")
        found.append(client.heard)
        for last in (None, client.seq, (client.seq[0], client.seq[1] // 2), (0, 3)):
            back = Witness(live, client.person.user, viewer)
            back.attach(live.table, role="spectator" if viewer is None else "player", last=last)
            await settle()
            found.append(back.heard)
            client = back
        if viewer is None:
            live.watcher = client
        else:
            live.players[viewer] = client
        for place, ask in enumerate(LAST):
            if client.bye is None:
                await live.ask(client, ask, f"last{place}")
    return [*found, lines, live.outside()]
