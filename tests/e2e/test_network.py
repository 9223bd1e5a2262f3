"""A bad connection: reload, offline, silence, another tab, a new version, a server that dies. Nothing is lost."""

import json
import socket
import time

import pytest
from playwright.sync_api import Route, WebSocketRoute

from app.lab.chaos.running import Running
from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

GONE_MS = 20_000
"""A lost line is shown within this time."""


def _discard_last(person: Person) -> str:
    """Tap the last tile twice; its kind."""
    tile = person.find(".hand .tilebtn").last
    kind = str(tile.get_attribute("data-tile"))
    tile.click()
    person.find(".hand .tilebtn[aria-pressed=true]").click()
    return kind


def _row(person: Person) -> list[str]:
    names = person.find(".r-me svg").evaluate_all("(all) => all.map((x) => x.getAttribute('aria-label'))")
    return [str(name) for name in names]


def test_a_reload_in_mid_round_shows_the_same_hand_and_plays_on(people: People) -> None:
    person = people((360, 640))
    person.open_room("guizhou")
    person.start()
    person.my_turn()
    before = sorted(person.hand())
    person.page.reload()
    person.see(".hand .tilebtn")
    assert sorted(person.hand()) == before
    person.my_turn()
    table = person.table()
    _discard_last(person)
    person.see_move(table)


def test_a_discard_made_offline_happens_once_when_the_line_is_back(people: People) -> None:
    person = people()
    person.open_room("guizhou")
    person.start()
    person.my_turn()
    before, table = _row(person), person.table()
    person.context.set_offline(True)
    person.see(".banner[role=alert]")
    person.page.evaluate("() => { document.querySelector('.dock').style.visibility = 'visible'; }")
    _discard_last(person)
    person.page.wait_for_timeout(300)
    assert person.table() == table
    person.context.set_offline(False)
    person.page.wait_for_selector(".banner[role=alert]", state="detached")
    person.see_move(table)
    after = _row(person)
    assert after[: len(before)] == before
    assert len(after) - len(before) in (0, 1), "one discard, which somebody may have taken"


def test_a_line_that_is_silent_counts_as_lost(people: People) -> None:
    person = people()
    silent: list[bool] = []

    def route(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda message: None if silent else server.send(message))
        server.on_message(lambda message: None if silent else line.send(message))

    person.page.route_web_socket("**/v1/ws", route)
    person.page.clock.install()
    person.open_room("guizhou")
    silent.append(True)
    person.page.clock.fast_forward(GONE_MS)
    person.see(".banner[role=alert]")
    silent.clear()
    person.page.clock.fast_forward(10_000)
    person.page.wait_for_selector(".banner[role=alert]", state="detached")


def test_the_newer_tab_has_the_seat(people: People) -> None:
    person = people()
    person.open_room("guizhou")
    newer = person.context.new_page()
    newer.goto(person.page.url)
    newer.locator(".wait .code").wait_for()
    person.see(".gone[data-reason=replaced]")
    person.click(".gone .main")
    person.see(".wait .code")
    newer.locator(".gone[data-reason=replaced]").wait_for()


def test_a_new_version_asks_for_a_reload(people: People) -> None:
    person = people()
    person.page.route_web_socket("**/v1/ws", lambda line: line.close(code=4008, reason="version"))
    room = person.rest("POST", "/rooms", {"variant": "guizhou"})
    person.page.evaluate("(id) => { location.hash = `#/table/${id}`; }", room["id"])
    person.see(".gone[data-reason=version]")


def test_an_event_nobody_knows_asks_for_a_reload(people: People) -> None:
    person = people()

    def route(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def told(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["kind"] == "events" and frame["data"]["events"]:
                frame["data"]["events"][0]["type"] = "tile_painted"
            line.send(json.dumps(frame))

        server.on_message(told)

    person.page.route_web_socket("**/v1/ws", route)
    person.open_room("guizhou")
    person.click("[data-do=fill]")
    person.click(".wait [data-do=ready]")
    person.see(".gone[data-reason=version]")


def test_a_server_that_dies_is_survived_without_a_reload(people: People, server: Running) -> None:
    person = people()
    person.allowed = {502, 503}
    person.open_room("tangshan")
    person.start()
    person.page.evaluate("() => { window.same = true; }")
    before = sorted(person.hand())
    person.watch_for(".banner[role=alert]")
    server.kill(next(iter(server.facts()["nodes"])))
    person.wait_to_see(".banner[role=alert]")
    person.page.wait_for_selector(".banner[role=alert]", state="detached")
    assert person.page.evaluate("() => window.same")
    assert sorted(person.hand()) == before or len(before) != len(person.hand())
    person.play_round(rare=False)


def test_a_socket_that_does_not_open_is_given_up_and_another_ticket_asked_for(people: People) -> None:
    """R3: a ticket that leads to a node which does not listen costs a second, not the seat."""
    person = people()
    asked: list[float] = []
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # takes the connection, never answers

        def ticket(route: Route) -> None:
            asked.append(time.monotonic())
            given = route.fetch()
            body = given.json()
            if len(asked) <= 2:
                body["ws_path"] = f"http://127.0.0.1:{deaf.getsockname()[1]}/n/gone/v1/ws"
            route.fulfill(response=given, json=body)

        person.page.route("**/v1/rooms/*/ticket", ticket)
        person.open_room("guizhou")
    person.start()
    person.my_turn()
    assert len(asked) == 3
    assert asked[1] - asked[0] > 1.0, "it was given a second"
    assert asked[2] - asked[0] < 8.0, "and no more than that, with the pauses between"
