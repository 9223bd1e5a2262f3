"""Kongs that lie face down, at live tables of every game, before people, spectators and late comers (E2, E4, E6).

That `project` and `view` are right is tested with the games; here it is what the table really sends, as JSON text.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from app.kernel.variant import Variant
from app.tables.actor import Table
from app.variants import VARIANTS
from tests.tables.doubles import Client
from tests.tables.world import World, settle
from tests.variants.concealed import CASES, Case

Plain = dict[str, Any]


def scripted(slug: str) -> Variant[Any]:
    """The game, dealt from the case's wall."""
    game = VARIANTS[slug]
    return replace(game, start=lambda setup: game.start(CASES[slug].wall(setup)))


class Seen(NamedTuple):
    """A round in which the dealer laid a concealed kong and a few discards followed."""

    world: World
    table: Table
    dealer: int
    clients: list[Client]
    watcher: Client


async def _played(slug: str) -> Seen:
    world = World(variants={slug: scripted(slug)})
    settings = {"spectators": "all", "think_s": 60, "claim_s": 15, "claim_hold_ms": 0}
    table = await world.table(variant=scripted(slug), settings=settings)
    watcher = Client("w").attach(table, role="spectator")
    clients = await world.dealt(table)
    assert table.log.round is not None
    dealer = table.log.round.table.facts.dealer
    laid = thrown = 0
    for _ in range(80):
        asked = [place for place, client in enumerate(clients) if client.decision is not None]
        if asked:
            option = _choice(clients[asked[0]], CASES[slug], asked[0] == dealer)
            verb = clients[asked[0]].decision["options"][option]["verb"]  # type: ignore[index]
            laid, thrown = laid + (verb == CASES[slug].verb), thrown + (verb == "discard" and laid > 0)
            clients[asked[0]].play(table, option)
            await settle()
        else:
            await world.advance(0)
        if thrown >= 6:
            break
    assert laid == 1 and thrown >= 6 and table.log.round is not None and not table.log.round_over
    return Seen(world, table, dealer, clients, watcher)


def _choice(client: Client, case: Case, deals: bool) -> int:
    """The dealer lays the kong as soon as possible; else nobody takes anything, and the last tile offered is thrown."""
    assert client.decision is not None
    options = client.decision["options"]
    if deals:
        for place, option in enumerate(options):
            if option["verb"] == case.verb and option.get("tiles") == case.tile:
                return place
    for verb in ("pass", "discard"):
        fitting = [n for n, o in enumerate(options) if o["verb"] == verb and o.get("tiles") != case.tile]
        if fitting:
            return fitting[-1]
    return 0


@pytest.mark.parametrize("slug", list(CASES))
async def test_e2_everybody_else_is_shown_of_a_concealed_kong_what_the_rule_says_and_no_more(slug: str) -> None:
    _, table, dealer, clients, watcher = await _played(slug)
    case, others = CASES[slug], [*[c for place, c in enumerate(clients) if place != dealer], watcher]
    late = [Client("v").attach(table, role="spectator"), Client(others[0].person.user).attach(table)]
    await settle()
    for viewer in (*others, *late):
        told = _told(viewer)
        made = [_meld(event) for event in _events(viewer) if event["type"] == "meld_made"]
        assert made == ([case.shown] if viewer in others else [])
        assert (case.tile in told) == ("tiles" in case.shown), "a tile that lies face down has no name"
    for viewer in late:
        assert viewer.synced is not None
        (meld,) = viewer.synced["view"]["seats"][dealer]["melds"]
        assert _meld(meld) == case.shown
    assert case.tile in _told(clients[dealer]), "its owner knows it"


@pytest.mark.parametrize("slug", list(CASES))
async def test_e2_after_a_takeover_too_everybody_else_is_shown_no_more(slug: str) -> None:
    """Then all that they see comes from the fold of the log, and nothing from what was sent before."""
    world, table, dealer, clients, _ = await _played(slug)
    await world.crash()
    taken = await world.registry.open(table.table_id)
    assert taken is not None
    others = [client.person.user for place, client in enumerate(clients) if place != dealer]
    viewers = [Client("w").attach(taken, role="spectator"), *[Client(user).attach(taken) for user in others]]
    await settle()
    for viewer in viewers:
        assert viewer.synced is not None
        shown = viewer.synced["view"]["seats"]
        assert [_meld(meld) for meld in shown[dealer]["melds"]] == [CASES[slug].shown]
        own = viewer.synced["me"]["seat"]
        assert [seat["hand"] is not None for seat in shown] == [place == own for place in range(4)]
        assert (CASES[slug].tile in _told(viewer)) == ("tiles" in CASES[slug].shown)


@pytest.mark.parametrize("slug", list(CASES))
async def test_e6_what_others_draw_and_hold_is_sent_as_a_number(slug: str) -> None:
    _, table, dealer, clients, watcher = await _played(slug)
    for viewer, seat in [*[(client, place) for place, client in enumerate(clients)], (watcher, None)]:
        drawn = [event for event in _events(viewer) if event["type"] == "tile_drawn"]
        assert {event["seat"] for event in drawn} >= {(dealer + 1) % 4, (dealer + 2) % 4}
        assert all((event.get("tile") is not None) == (event["seat"] == seat) for event in drawn)
        dealt = [event for event in _events(viewer) if event["type"] == "hand_dealt"]
        assert len(dealt) >= 4 and all(bool(event.get("tiles")) == (event["seat"] == seat) for event in dealt)
        again = Client(viewer.person.user).attach(table, role="player" if seat is not None else "spectator")
        await settle()
        assert again.synced is not None
        hands = [shown["hand"] is not None for shown in again.synced["view"]["seats"]]
        assert hands == [place == seat for place in range(4)]


@pytest.mark.parametrize("slug", list(CASES))
async def test_e4_no_frame_of_anybody_tells_a_run_of_the_wall_or_a_seed_to_come(slug: str) -> None:
    """In any form: everything except letters and digits is taken out of the text before the search."""
    _, table, _, clients, watcher = await _played(slug)
    start = next(event for raw in table.log.entries for event in json.loads(raw).get("events", ())
                 if event["type"] == "round_started")  # fmt: skip
    wall, seed = start["wall"], table.log.match.seed
    assert len(seed) == 64 and start["seed"] == seed
    runs = [wall[at : at + 16] for at in range(0, len(wall) - 14, 2)]
    for viewer in (*clients, watcher):
        said = re.sub("[^0-9a-z]", "", _told(viewer))
        assert seed not in said and not [run for run in runs if run in said]
        assert table.log.match.commitment in said


async def test_e6_what_is_answered_in_secret_is_sent_to_nobody_before_all_have_answered() -> None:
    """Sit and pull (坐庄, 拉庄): three have answered, and nobody has been sent anything of it."""
    world = World(variants={"tianjin": VARIANTS["tianjin"]})
    table = await world.table(variant=VARIANTS["tianjin"], settings={"spectators": "all", "think_s": 60})
    watcher = Client("w").attach(table, role="spectator")
    clients = await world.dealt(table)
    asked = [client for client in clients if client.decision is not None]
    assert len(asked) == 4 and {client.decision["clock"] for client in asked} == {"answer"}  # type: ignore[index]
    for answered, client in enumerate(asked[:3]):
        heard = {viewer: len(viewer.frames) for viewer in (*clients, watcher) if viewer is not client}
        before = _shown(table, watcher), _shown(table, asked[3])
        client.play(table, -1)
        await settle()
        assert {viewer: len(viewer.frames) for viewer in heard} == heard, f"after {answered} answers"
        assert (_shown(table, watcher), _shown(table, asked[3])) == before
    asked[3].play(table, -1)
    await settle()
    assert [event["values"] for event in _events(watcher) if event["type"] == "answers_revealed"]


def _meld(plain: Plain) -> Plain:
    """A frame's fields of a meld besides its owner."""
    return {key: plain[key] for key in ("kind", "count", "tiles", "face_down") if plain.get(key)}


def _shown(table: Table, viewer: Client) -> str:
    place = next((n for n, s in enumerate(table.log.match.seats) if s.person == viewer.person), None)
    return repr(
        table.viewers.spectators.snapshot({}).face.data if place is None else table.viewers.sync(place).face.data
    )


def _told(viewer: Client) -> str:
    """All frames to a viewer, as text."""
    return json.dumps([frame.face.data for frame in viewer.frames])


def _events(viewer: Client) -> list[Plain]:
    return [event for data in viewer.kinds("events") for event in data["events"]]
