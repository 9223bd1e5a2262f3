"""The place of a table: the same answer for every caller, and the policy for a table on the move."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from app.service.locate import TRIES, Elsewhere, Gone, Here, Locator, Unowned
from app.storage.live.nodes.nodes import Node
from app.storage.live.nodes.placement import Place
from app.storage.live.wire.link import StoreUnavailable

ME = Node("n1", "aa", "/n/n1", 0, 10)
OTHER = Node("n2", "bb", "/n/n2", 0, 10)


@dataclass
class Running:
    """Stands for a table; `gone` once it was given up."""

    gone: str | None = None


@dataclass
class World:
    """Which tables run here, which can be opened, and what the live store says of the others."""

    places: dict[str, Place] = field(default_factory=dict)
    here: dict[str, Running] = field(default_factory=dict)
    openable: dict[str, Running] = field(default_factory=dict)
    lease: bool = True
    asked: int = 0

    def find(self, table_id: str) -> Any:
        return self.here.get(table_id)

    async def open(self, table_id: str) -> Any:
        return self.openable.get(table_id)

    async def place(self, table_id: str) -> Place | None:
        self.asked += 1
        return self.places.get(table_id)

    def locator(self) -> Locator:
        return Locator(self, self, lambda: ME, lambda: self.lease)


async def test_of_a_table_that_runs_here_nobody_need_be_asked() -> None:
    world = World(here={"T": Running()})
    found = await world.locator().look("T")
    assert found == Here(world.here["T"]) and world.asked == 0
    assert await world.locator().node("T") == ME


@pytest.mark.parametrize(
    ("place", "answer"),
    [
        (Place(ME, True), "here"),
        (Place(OTHER, True), Elsewhere(OTHER)),
        (Place(OTHER, False), Unowned(OTHER)),
        (None, Gone()),
    ],
)
async def test_a_node_whose_heartbeat_was_not_seen_asks_about_its_own_tables(place: Place | None, answer: Any) -> None:
    world = World(here={"T": Running()}, lease=False)
    world.places.update({"T": place} if place is not None else {})
    assert await world.locator().look("T") == (Here(world.here["T"]) if answer == "here" else answer)


async def test_a_table_that_nobody_runs_is_opened_here_and_clients_are_sent_to_its_home() -> None:
    world = World(places={"T": Place(OTHER, False)}, openable={"T": Running()})
    assert await world.locator().node("T") == OTHER
    assert await world.locator().open("T") == Here(world.openable["T"])


async def test_a_table_of_ours_that_waits_for_an_operator_is_ours_to_open() -> None:
    world = World(places={"T": Place(ME, True)})
    assert await world.locator().look("T") == Unowned(ME)


async def test_a_table_that_is_on_the_move_for_too_long_is_a_store_that_does_not_answer() -> None:
    world = World(places={"T": Place(ME, False)}, openable={"T": Running("moved")})
    with pytest.raises(StoreUnavailable):
        await world.locator().open("T")
    assert world.asked == TRIES


async def test_a_table_that_is_gone_has_no_node() -> None:
    assert await World().locator().node("T") is None
    assert await World().locator().open("T") == Gone()
