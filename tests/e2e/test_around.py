"""Around the table: who one is, the form's refusals, history and its filters, dealing, circles in charge, replays."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest

from app.lab.chaos.running import Running
from app.lab.clients.client import Api, SeatClient, bot_choice
from app.variants import VARIANTS
from tests.e2e.conftest import People
from tests.e2e.person import Person
from tests.integration.waiting import eventually

pytestmark = pytest.mark.browser

_PAGE = 20
"""Matches that the history shows at once."""


def _played(url: str, variant: str, matches: int, rules: dict[str, Any]) -> str:
    """Some matches played over sockets by one guest and others; the guest's device token.

    Each match has other others, the first of whom opens its room: nobody opens more rooms than a player may.
    """
    devices: list[str] = []

    async def play() -> None:
        one = Api(url)
        devices.append(await one.sign_in())
        for number in range(matches):
            host, *more = [Api(url) for _ in range(rules.get("players", 4) - 1)]
            apis = [host, one, *more]
            for api in (host, *more):
                await api.sign_in()
            room = await host.create_room(variant, rules, {"claim_hold_ms": 0})
            for api in apis[1:]:
                await api.join(room["code"])
            seats = [SeatClient(api, room["id"], bot_choice, random.Random(number)) for api in apis]
            await asyncio.gather(*[seat.run() for seat in seats])
            await host.call("POST", f"/rooms/{room['id']}/leave")
            for api in apis:
                await eventually(lambda api=api: api.call("GET", "/me/room"), lambda now: now["room"] is None)  # type: ignore[misc]
            for api in (host, *more):
                await api.__aexit__()
        await one.__aexit__()

    with ThreadPoolExecutor(1) as elsewhere:  # this thread has the browser's loop
        elsewhere.submit(lambda: asyncio.run(play())).result()
    return devices[0]


def _become(person: Person, device: str) -> None:
    """Sign this browser in as the guest of a device."""
    person.see(".lobby .game")
    person.page.evaluate(
        "(d) => localStorage.setItem('quezhuo.session', JSON.stringify({device_token: d, expires_at: 0, user: {}}))",
        device,
    )


def test_a_new_guest_is_asked_once_what_to_call_him(people: People) -> None:
    person = people((360, 640))
    person.see(".naming input").fill("河东小周")
    person.click(".naming [type=submit]")
    person.page.wait_for_function("() => document.querySelector('.meb b').textContent === '河东小周'")
    assert person.find(".naming").count() == 0
    person.go("#/")
    person.see(".lobby .game")
    assert person.text(".meb b") == "河东小周"
    assert person.find(".naming").count() == 0


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_every_option_of_the_form_reaches_the_room(people: People, slug: str) -> None:
    person = people()
    games = person.rest("GET", "/variants")["variants"]
    place = [game["slug"] for game in games].index(slug)
    options = games[place]["options"]
    person.click(f".pickgame button:nth-child({place + 1})")
    wanted: dict[str, Any] = {}
    for option in options:
        name, field = option["name"], f".create [name={option['name']}]"
        if option["kind"] == "bool":
            person.click(f".create label.sw[for=f-{name}]")
            wanted[name] = not option["default"]
        elif option["kind"] == "choice":
            person.click(f".create .f:has([name={name}]) .seg label:last-child")
            wanted[name] = option["choices"][-1]
        else:
            wanted[name] = min(option["high"], option["default"] + 2)
            person.find(field).fill(str(wanted[name]))
    person.click(".create [type=submit]")
    person.see(".wait .code")
    assert person.rest("GET", f"/rooms/{person.page.url.split('/')[-1]}")["rules"] == wanted


def test_what_makes_no_sense_together_is_refused_before_it_is_sent(people: People) -> None:
    person = people((390, 844))
    person.click("[data-k=create]")
    sent: list[str] = []
    person.page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    person.click(".create summary")
    person.find(".create [name=claim_s]").fill("3")
    person.find(".create [name=claim_hold_ms]").fill("4000")
    person.click(".create [type=submit]")
    assert "停顿" in person.text(".create [data-wrong=claim_hold_ms]")
    person.find(".create [name=claim_hold_ms]").fill("500")
    person.find(".create [name=claim_hold_ms]").blur()
    person.page.wait_for_selector(".create [data-wrong=claim_hold_ms]", state="hidden")
    person.click(".create .seg label:has-text('仅成员')")
    person.click(".create [type=submit]")
    assert "亲友圈" in person.text(".create [data-wrong=spectators]")
    assert [url for url in sent if url.endswith("/v1/rooms")] == []
    person.click(".create .seg label:has-text('所有人')")
    person.click(".create [type=submit]")
    person.see(".wait .code")


def test_history_is_filtered_read_on_and_kept(people: People, server: Running) -> None:
    device = _played(server.url, "guizhou", _PAGE + 1, {"players": 2, "rounds": 1})
    person = people((360, 640))
    _become(person, device)
    person.page.wait_for_function(
        "async (n) => (await (await import('/static/api.js')).get('/me/statistics')).items[0]?.rounds === n",
        arg=_PAGE + 1,
    )
    person.go("#/history")
    person.see(".row-link")
    assert person.find(".row-link").count() == _PAGE
    person.find(".more").focus()
    person.page.keyboard.press("Enter")
    person.page.wait_for_function("(n) => document.querySelectorAll('.row-link').length === n", arg=_PAGE + 1)
    assert person.page.evaluate("() => document.activeElement.className") == "row-link", "reading goes on where it was"
    person.find("select[aria-label=玩法]").select_option("tianjin")
    person.see(".none")
    person.click("a.tab-link:has-text('统计')")
    assert "21" in person.text(".stat dl")
    person.click("a.tab-link:has-text('对局')")
    person.see(".none")
    assert person.find("select[aria-label=玩法]").input_value() == "tianjin", "as it was left"
    person.find("select[aria-label=玩法]").select_option("guizhou")
    person.find("select[aria-label=时间]").select_option("7")
    person.click(".row-link")
    person.see(".round")
    assert person.page.title().startswith("贵州捉鸡")


def test_dealing_and_doubling_are_told_round_by_round(people: People, server: Running) -> None:
    device = _played(server.url, "tianjin", 1, {"rounds": 2})
    person = people((390, 844))
    _become(person, device)
    person.page.wait_for_function(
        "async () => (await (await import('/static/api.js')).get('/me/dealings')).items.length >= 2"
    )
    person.go("#/history")
    person.click("a.tab-link:has-text('坐庄记录')")
    person.see(".dealing")
    facts = person.rest("GET", "/me/dealings")["items"]
    pulls = ["没拉", "拉一", "拉二"]
    for shown, told in zip(person.find(".dealing .said").all_inner_texts(), facts, strict=True):
        sat = "坐庄" if told["round_facts"]["sit"] else "没坐"
        mark = f"庄 {sat}" if told["is_dealer"] else f"闲 {pulls[told['seat_facts']['pull']]}"
        assert " ".join(shown.split()).startswith(mark)
    person.click(".dealing")
    person.see(".totals li:nth-child(4)")
    person.find(".round a:has-text('回放')").nth(1).click()
    person.see(".replay .checked:has-text('通过')")
    person.find("select[aria-label=速度]").select_option("4×")
    person.page.keyboard.press("Home")
    first = person.page.url.split(":")[-1]
    person.find("select[aria-label=第几局]").select_option(index=0)
    person.page.wait_for_function("(id) => !location.hash.endsWith(id)", arg=first)
    person.see(".replay .checked:has-text('通过')")
    person.go(f"{person.page.evaluate('() => location.hash')}?step=20&seat=9")
    person.see(".replay")
    assert person.find(".open-hand").count() == 3, "a link to a seat that is none shows the open table"


def test_a_circle_is_run_by_those_in_charge(people: People) -> None:
    owner, heir, outcast = people((390, 844)), people(), people()
    for person in (owner, heir, outcast):
        person.see(".lobby .game")
    circle = owner.rest("POST", "/circles", {"name": "河东牌友"})
    path = f"/circles/{circle['id']}"
    for person, name in ((heir, "大刘"), (outcast, "老赖")):
        person.rest("PATCH", "/me", {"name": name})
        person.rest("POST", "/circles/join", {"code": circle["code"], "message": f"我是{name}"})
    owner.go(f"#/circle/{circle['id']}")
    assert "我是老赖" in owner.text(".waiting-in")
    for left in (1, 0):
        owner.click("[data-approve]")
        owner.page.wait_for_function("(n) => document.querySelectorAll('[data-approve]').length === n", arg=left)
    owner.click(".notice .btn")
    owner.see("dialog input").fill("周五晚八点")
    owner.click("dialog [type=submit]")
    owner.see(".notice p:has-text('周五晚八点')")
    owner.click("[data-period=month]")
    owner.see("[data-period=month][aria-pressed=true]")
    owner.see(".board .none")
    owner.find(".manage select[aria-label=不同桌的一位]").select_option(label="大刘")
    owner.find(".manage select[aria-label=不同桌的另一位]").select_option(label="老赖")
    owner.click(".manage .btn:has-text('不同桌')")
    owner.see(".manage .line:has-text('大刘'):has-text('老赖'):has-text('取消')")
    owner.find(".manage select[aria-label=禁止加入]").select_option(label="老赖")
    owner.click(".manage .btn:has-text('禁止加入')")
    owner.see("dialog input").fill("老不来")
    owner.click("dialog [type=submit]")
    owner.see(".manage small:has-text('老不来')")
    assert outcast.rest("GET", "/circles")["items"] == []
    owner.find(".manage select[aria-label=转让]").select_option(label="大刘")
    owner.click(".manage .btn:has-text('转让')")
    owner.click("dialog [type=submit]")
    owner.see("header .chip:has-text('管理员')")
    assert heir.rest("GET", path)["role"] == "owner"
    owner.click("a.btn:has-text('坐庄记录')")
    owner.see("h1:has-text('河东牌友')")
    owner.see(".rows-box .none")


def test_going_on_tells_where_one_is(people: People) -> None:
    person = people()
    person.see(".lobby .game")
    assert person.page.title() == "雀桌"
    person.click("a[href='#/ladder']")
    person.see(".levels")
    person.page.wait_for_function("() => document.title === '等级 · 雀桌'")
    person.when("() => document.activeElement.textContent === '等级'")
    person.page.keyboard.press("Tab")
    assert "tab-link" in person.page.evaluate("() => document.activeElement.className")


def test_text_of_twice_the_size_still_fits(people: People) -> None:
    person = people((360, 640))
    person.see(".lobby .game")
    circle = person.rest("POST", "/circles", {"name": "河西牌友"})
    for path, sign in (
        ("#/", ".circle-list .circle"), ("#/me", ".two"), ("#/ladder", ".levels"), ("#/history", ".filters"),
        ("#/dealings", ".filters"), (f"#/circle/{circle['id']}", ".farewell"),
    ):  # fmt: skip
        person.go(path)
        person.see(sign)
        person.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        before = person.page.evaluate("() => getComputedStyle(document.querySelector('main h2, main h1')).fontSize")
        assert float(before.removesuffix("px")) >= 32, "text follows the size that its reader has set"
        assert person.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, path


def test_the_look_follows_the_device_until_one_is_chosen_and_is_remembered(people: People) -> None:
    """Issue 16, point 5."""
    person = people((820, 1180))
    worn = "() => Object.values({ ...document.documentElement.dataset }).join(' ')"
    schemes: tuple[Literal["light", "dark"], ...] = ("dark", "light")
    for scheme in schemes:
        person.page.emulate_media(color_scheme=scheme)
        person.when(f"() => document.documentElement.dataset.theme === '{scheme}'")
    person.go("#/me")
    for part, value in (("theme", "dark"), ("mat", "indigo"), ("backs", "ink"), ("size", "large")):
        person.see(f"[data-look={part}]").select_option(value)
    person.page.reload()
    person.see("[data-look=size]")
    assert person.page.evaluate(worn) == "dark indigo ink"
    assert person.page.evaluate("() => document.documentElement.style.getPropertyValue('--size')") == "1.18"
