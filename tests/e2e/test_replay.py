"""Replays: a link from a settlement works for strangers, a seat's view hides what it did not see, steps have links."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

STEPS = 12
"""Fewer than any round has: of 1,500 the shortest had 23."""


def test_a_shared_round_is_replayed_by_a_stranger(people: People) -> None:
    person = people()
    room = person.open_room("tangshan")
    person.start()
    person.play_round()
    _wait_for_the_archive(person, f"{room['id']}.1.1")
    person.watch_for("#toast")
    person.click("[data-do=share]")
    person.wait_to_see("#toast", "链接")
    link = person.page.evaluate("() => navigator.clipboard.readText()")
    stranger = people((390, 844))
    stranger.page.goto(link)
    stranger.see(".replay")
    expect(stranger.find(".open-hand")).to_have_count(3)
    first = int(stranger.find(".player input").input_value())
    for _ in range(STEPS):
        stranger.page.keyboard.press("ArrowRight")
    step = int(stranger.find(".player input").input_value())
    assert step == first + STEPS
    stranger.find(".br select").first.select_option("1")
    expect(stranger.find(".open-hand"), "from one seat the others show backs").to_have_count(0)
    hand = stranger.find(".hand .qt").count()
    stranger.watch_for("#toast")
    stranger.click(".br .icon[aria-label=分享]")
    stranger.wait_to_see("#toast", "链接")
    stranger.page.goto(stranger.page.evaluate("() => navigator.clipboard.readText()"))
    stranger.page.reload()
    stranger.see(".replay")
    assert stranger.find(".player input").input_value() == str(step)
    assert stranger.find(".hand .qt").count() == hand
    stranger.click(".player .btn")
    assert stranger.see(".sheet .fair").inner_text().startswith("洗牌校验通过")
    _see_it_in_a_page_of_others(stranger, link)


def _see_it_in_a_page_of_others(stranger: Person, link: str) -> None:
    """From the seat that the page chose, with no way to another screen and no session made for it."""
    origin, code = re.findall(r"^(.*)/replay/([a-z0-9]{12})", link)[0]
    stranger.page.goto(
        f"{origin}/healthz"
    )  # any page without a policy: a browser keeps those of the net from this machine
    stranger.page.set_content(f'<iframe src="{origin}/embed/{code}?seat=1&step=3" width="700" height="400"></iframe>')
    frame = stranger.page.frame_locator("iframe")
    expect(frame.locator(".replay")).to_be_visible()
    assert frame.locator(".player input").input_value() == "3"
    expect(frame.locator(".open-hand, [data-do=back]")).to_have_count(0)


def _wait_for_the_archive(person: Person, round_id: str) -> None:
    """Sharing waits some seconds for it; on a busy machine it may take longer."""
    person.when(
        "async (id) => (await import('/static/api.js')).get(`/rounds/${id}`).then(() => true, () => false)", round_id
    )


def test_my_history_leads_to_the_match_its_ledger_and_its_replay(people: People) -> None:
    person = people((360, 640))
    person.open_room("tianjin", {"rounds": 1})
    person.start()
    person.play_round()
    change = person.find(".sheet .seats .dl").first.inner_text()
    for told in ("matches", "statistics"):
        person.when(f"async () => (await (await import('/static/api.js')).get('/me/{told}')).items.length > 0")
    person.go("#/statistics")
    assert person.text(".stat dl")
    person.click("a.tab-link:has-text('对局')")
    person.click(".row-link")
    assert person.text(".seats-line .me b") == change
    person.click(".round summary")
    if change != "0":
        assert re.search(r"TJ-\d", person.text(".round .rows small"))
    person.click(".round a:has-text('回放')")
    person.see(".replay")
    person.click(".player .icon:nth-child(2)")
    before = person.find(".player input").input_value()
    person.page.wait_for_function("(x) => document.querySelector('.player input').value !== x", arg=before)
