"""The law of frames: a seat's faces of each entry are those that `project` gives of its events, byte for byte.

Frames may be shared or kept on the way; two viewers get the same bytes only when they see the same.
"""

from random import Random

import msgspec
import pytest

from app.kernel.seats import SPECTATOR
from app.kernel.text.notation import plain_event
from app.kernel.views import project
from app.tables.actor import Table
from app.tables.log.audience import audience
from app.tables.log.entries import read_entry
from app.variants import VARIANTS
from tests.reliability.folding import GAMES, Folder, begun, step
from tests.tables.world import World


def _projected(table: Table, viewer: int) -> dict[tuple[int, int], bytes]:
    """The events of each entry of the page, as the viewer may know them, by the viewer's own numbers."""
    found: dict[tuple[int, int], bytes] = {}
    number = 0
    for n, raw in enumerate(table.log.entries):
        entry = read_entry(raw, n)
        told = audience(entry)
        seen = [face for event in entry.events if (face := project(event, viewer)) is not None]
        assert told.everybody or viewer in told.seats or not seen, "nobody is sent what they are not told of"
        if told.everybody or viewer in told.seats:
            number += 1
            found[table.log.match.round_no, number] = msgspec.json.encode([plain_event(face) for face in seen])
    return found


@pytest.mark.parametrize("slug", list(GAMES))
async def test_every_seat_is_sent_its_projection_of_every_entry_and_nothing_else(slug: str) -> None:
    world, rng = World(variants=GAMES if slug == "toy" else VARIANTS), Random(f"frames {slug}")
    table, clients = await begun(world, GAMES[slug], spectators="all")
    watcher = Folder.come(table, "watcher", role="spectator")
    compared = 0
    for _ in range(160):
        playing = await step(world, table, clients, rng)
        if not playing or rng.random() < 0.8:
            continue
        for viewer, client in (*enumerate(clients), (SPECTATOR, watcher)):
            expected, sent = _projected(table, viewer), client.events
            for seq, events in expected.items():
                if seq in sent:
                    assert msgspec.json.encode(sent[seq]["events"]) == events, (viewer, seq)
                    compared += 1
            assert max(expected) == client.seq, "everybody counts what they were told of"
    assert compared > 300
