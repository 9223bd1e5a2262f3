"""Installed on a device: opens without a network, says so, comes back by itself; links are handed on with a preview."""

import json

import pytest

from tests.e2e.conftest import People

pytestmark = pytest.mark.browser


def test_without_a_network_the_page_opens_says_so_and_comes_back_by_itself(people: People) -> None:
    person = people((390, 844), worker=True)
    person.see(".lobby .game")
    person.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    person.when("async () => (await caches.keys()).length > 0 && (await caches.match('/')) !== undefined")
    person.page.reload()
    person.see(".lobby .game")
    person.context.set_offline(True)
    person.see(".offline")
    person.page.reload()
    assert "没有网络" in person.text(".gone [role=alert]")
    assert "恢复后自动继续" in person.text(".offline")
    person.see(".gone a[href='#/']")
    person.context.set_offline(False)
    person.see(".lobby .game")
    person.page.wait_for_selector(".offline", state="detached")


def test_nothing_of_the_api_is_kept_by_the_worker(people: People) -> None:
    person = people(worker=True)
    person.see(".lobby .game")
    person.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    person.page.reload()
    person.see(".lobby .game")
    person.when("async () => (await caches.match('/')) !== undefined")
    kept = person.page.evaluate(
        "async () => (await (await caches.open('quezhuo')).keys()).map((x) => new URL(x.url).pathname)"
    )
    assert "/" in kept
    assert [path for path in kept if path != "/" and not path.startswith("/static/v-")] == []


def test_a_link_with_a_preview_leads_to_the_room(people: People) -> None:
    host, guest = people(), people((390, 844))
    room = host.open_room("guizhou")
    host.click("[data-do=copy]")
    link = str(host.page.evaluate("() => navigator.clipboard.readText()"))
    assert link == f"{host.url}/join/{room['code']}"
    guest.page.goto(link)
    guest.see(".wait .chairs")
    assert guest.page.url.endswith(f"/#/table/{room['id']}")


def test_a_phone_hands_the_link_to_its_own_apps(people: People) -> None:
    person = people((390, 844))
    person.page.add_init_script(
        "window.given = []; navigator.canShare = () => true; navigator.share = async (x) => void window.given.push(x);"
    )
    person.go("#/")
    room = person.open_room("guizhou")
    person.click("[data-do=copy]")
    person.when("() => window.given.length === 1")
    given = person.page.evaluate("() => window.given[0]")
    assert given["url"].endswith(f"/join/{room['code']}"), json.dumps(given)
