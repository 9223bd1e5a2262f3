"""Two worlds in which two kinds of tiles that one viewer cannot see have changed places: the viewer gets the same bytes
(E5).

The whole way, from the public API to the socket and back. `tests/laws` checks this law for the games' own faces in many
rounds; here it is the table, the gateway, the gallery and REST around them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from app.kernel.shapes.counts import tiles_of
from app.kernel.variant import Setup
from app.lab.clients.client import Api, Refused
from app.tables import asks
from app.tables.actor import Table
from app.tables.clocks.clock import SystemEntropy
from app.variants import VARIANTS
from tests.integration.nodes import QUICK, RunningNode, people
from tests.integration.waiting import eventually
from tests.reliability.live import Tab, until

GAME = "guizhou"
_PASSING = (
    (r'"[a-z_]+_ms": -?\d+', '"ms": 0'), (r'"q\d+"', '"q"'), (r"\d{4}-\d\d-\d\dT[^\"']+", "TIME"),
    (r"'[a-z_]+_ms': -?\d+", "'ms': 0"),
)  # fmt: skip
"""Values that differ every time: clocks, our own request ids, dates."""


_SLOW = ("saving", "countdown")
"""Frames that are sent besides when the store takes long to answer."""


@dataclass
class Heard:
    """The output to the viewer, spectators and REST in one world, without values that differ every time."""

    table: Table
    texts: dict[str, str] = field(default_factory=dict)

    def note(self, who: str, text: str, room: dict[str, Any]) -> None:
        """Keep a viewer's frames."""
        for pattern, instead in _PASSING:
            text = re.sub(pattern, instead, text)
        self.texts[who] = text.replace(room["id"], "ROOM").replace(room["code"], "CODE")


async def _world(node: RunningNode, apis: list[Api], watchers: list[Api], seats: tuple[int, int], tile: str) -> Heard:
    """A round as far as the first discard, of `tile`, by the first of the `seats`; what the second one heard of it."""
    dealer, viewer = seats
    settings = {**QUICK, "think_s": 60, "claim_s": 15, "spectators": "all"}
    room = await eventually(lambda: _created(apis[0], settings), bool)
    assert room is not None
    for api in apis[1:]:
        await api.join(room["code"])
    *tabs, watching = [await _let_in(api, room["id"]) for api in (*apis, watchers[0])]
    for tab in tabs:
        await tab.answer(await tab.say("ready", {"entropy": "x"}))
    table = node.process.registry.find(room["id"])
    assert table is not None
    await until(lambda: table.log.round is not None)
    heard = Heard(table)
    if tile:
        await _discards(tabs[dealer], tile)
        for tab in (tabs[viewer], watching):
            await tab.until(lambda frame: "tile_discarded" in json.dumps(frame))
        late, again = [await _let_in(api, room["id"]) for api in (watchers[1], apis[viewer])]
        for name, tab in (("seat", tabs[viewer]), ("spectator", watching), ("late", late), ("again", again)):
            heard.note(name, "\n".join([json.dumps(frame) for frame in tab.frames if frame["kind"] not in _SLOW]), room)
        for name, api in (("he", apis[viewer]), ("a stranger", watchers[1])):
            heard.note(f"REST to {name}", await _rest(api, room), room)
        late.vanish()
        again.vanish()
    for tab in (*tabs, watching):
        tab.vanish()
    await node.process.rooms.order(room["id"], asks.OrderDissolve("next world"))
    return heard


async def _let_in(api: Api, room: str) -> Tab:
    """One after the other, so that they come in the same order in every world."""
    tab = await Tab.open(api, room)
    await tab.until(lambda frame: frame["kind"] == "sync")
    return tab


async def _created(host: Api, settings: dict[str, object]) -> dict[str, Any] | None:
    try:
        return await host.create_room(GAME, {"players": 4}, settings)
    except Refused as refused:
        assert refused.code == "conflict", "the last room holds the player for a moment"
        return None


async def _discards(tab: Tab, tile: str) -> None:
    asked = [frame["data"]["decision"] for frame in tab.frames if frame["kind"] == "prompt"]
    if not asked or asked[-1] is None:
        frame = await tab.until(lambda frame: frame["kind"] == "prompt" and frame["data"]["decision"] is not None)
        asked = [frame["data"]["decision"]]
    action = {"verb": "discard", "tiles": tile}
    answer = await tab.answer(await tab.say("act", {"round": 1, "decision": asked[-1]["id"], "action": action}))
    assert answer["kind"] == "ack", answer


async def _rest(api: Api, room: dict[str, Any]) -> str:
    said = ""
    for path in (f"/rooms/{room['id']}", "/me/room", "/lobby", f"/codes/{room['code']}", f"/matches/{room['id']}.1"):
        try:
            said += json.dumps(await api.call("GET", path)) + "\n"
        except Refused as refused:
            said += f"{refused}\n"
    return said


def _to_exchange(table: Table) -> tuple[tuple[int, int], str, tuple[str, str]]:
    """Dealer and viewer; a discard that nobody can take; two kinds that the viewer does not see, the dealer holding
    more of the first."""
    assert table.log.round is not None
    shown = table.log.round.table
    dealer = shown.facts.dealer
    viewer = (dealer + 2) % 4
    hands = [tiles_of(seat.hand or 0) for seat in shown.seats]
    hidden = [kind for kind in VARIANTS[GAME].meta.kinds if kind not in hands[viewer]]
    by_dealer = sorted(hidden, key=lambda kind: (-hands[dealer].count(kind), kind))
    kinds = by_dealer[0], by_dealer[-1]
    thrown = [
        kind for kind in sorted(set(hands[dealer]) - set(kinds))
        if all(hand.count(kind) < 2 for place, hand in enumerate(hands) if place != dealer)
    ]  # fmt: skip
    return (dealer, viewer), thrown[0], kinds


async def test_e5_with_two_hidden_kinds_exchanged_nobody_who_sees_neither_gets_another_byte(
    node: RunningNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SystemEntropy, "seed", lambda self: "5e" * 32)  # the same deal, again and again
    game = VARIANTS[GAME]
    async with people(node.url, 4) as apis, people(node.url, 2) as watchers:
        seats, tile, (one, two) = _to_exchange((await _world(node, apis, watchers, (0, 0), "")).table)
        there = {one: two, two: one}

        def exchanged(setup: Setup) -> Any:
            return game.start(replace(setup, wall=tuple([there.get(kind, kind) for kind in setup.wall])))

        first = await _world(node, apis, watchers, seats, tile)
        monkeypatch.setitem(VARIANTS, GAME, replace(game, start=exchanged))  # type: ignore[arg-type]
        other = await _world(node, apis, watchers, seats, tile)
    walls = [json.loads(world.table.log.entries[_deal(world.table)])["events"][0]["wall"] for world in (first, other)]
    assert walls[0] != walls[1] and len(walls[0]) == len(walls[1]), "they are two worlds"
    assert "tile_discarded" in first.texts["seat"] and len(first.texts) == 6
    for who, said in first.texts.items():
        assert other.texts[who] == said, who


def _deal(table: Table) -> int:
    return next(n for n, raw in enumerate(table.log.entries) if b'"round_started"' in raw)
