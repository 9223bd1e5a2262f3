"""Clients that have nothing but their frames, and random people around a table of any game. Nothing is tested here."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from app.kernel.table import TableState
from app.kernel.text.notation import plain_view, read_view
from app.kernel.variant import Variant
from app.kernel.views import view
from app.tables import asks
from app.tables.actor import Table
from app.tables.frames import Frame
from app.variants import VARIANTS
from tests.laws.toy import TOY
from tests.tables.doubles import Client
from tests.tables.world import World, settle

Had = tuple[tuple[int, int], TableState | None]
"""A client's state: the number it saw last, and its fold."""
CALM = {"claim_hold_ms": 0, "think_s": 60, "claim_s": 15}
GAMES: dict[str, Variant[Any]] = {"toy": TOY, **VARIANTS}
LIKED = ("pong", "kong", "extend", "ready", "cover", "light")
"""Random people take these offers rather than a discard, so that much happens."""


class Folder(Client):
    """A client that goes on folding from what a sync said."""

    @classmethod
    def come(cls, table: Table, user: str, had: Had | None = None, **options: Any) -> Folder:
        """A player connects: with an empty page, or with their earlier state."""
        client = cls(user)
        if had is not None:
            client.seq, client.table = had
        client.attach(table, last=None if had is None else had[0], **options)
        return client

    def offer(self, frame: Frame) -> bool:
        if frame.kind == "sync":
            shown = frame.face.data["view"]
            self.table = None if shown is None else read_view(shown)
        return super().offer(frame)

    @property
    def had(self) -> Had:
        return self.seq, self.table

    @property
    def events(self) -> dict[tuple[int, int], Any]:
        """The player's frames, by number."""
        return {frame.seq: frame.face.data for frame in self.frames if frame.kind == "events" and frame.seq is not None}


def everything(table: Table, viewer: int) -> dict[str, Any] | None:
    """The table's own projection for a viewer."""
    return None if table.log.round is None else plain_view(view(table.log.round.table, viewer))


async def begun(
    world: World, variant: Variant[Any], rules: dict[str, object] | None = None, **settings: Any
) -> tuple[Table, list[Folder]]:
    """A round of this game with all chairs taken."""
    table = await world.table(variant=variant, rules=rules or {}, settings={**CALM, **settings})
    clients = [Folder.come(table, name) for name in "abcd"[: table.log.match.spec.players]]
    for client in clients:
        client.ask(table, asks.Ready())
    await settle()
    return table, clients


def choose(client: Client, table: Table, rng: Random) -> str:
    """Play something of what one is asked, seldom a win."""
    assert client.decision is not None
    verbs = [option["verb"] for option in client.decision["options"]]
    liked = [n for n, verb in enumerate(verbs) if verb in LIKED]
    others = [n for n, verb in enumerate(verbs) if verb != "win"] or [0]
    return client.play(table, rng.choice(liked) if liked and rng.random() < 0.8 else rng.choice(others))


async def step(world: World, table: Table, clients: Sequence[Client], rng: Random) -> bool:
    """Somebody who is asked plays, or all are ready for the next round. Is a round being played now?"""
    asked = [client for client in clients if client.decision is not None]
    if asked:
        choose(rng.choice(asked), table, rng)
    else:
        for client in clients:
            client.ask(table, asks.Ready())
    await settle()
    await world.advance(0)
    return table.log.round is not None
