"""The lobby to those who come new, wait, are refused, or look on: what they read, and what they can do about it."""

import pytest

from tests.e2e.conftest import People
from tests.e2e.person import Person

pytestmark = pytest.mark.browser

WIDE_NAMES = ("WWWWWWWWWWWWWWWWWWWW", "iLoveMahjongVeryMuch")
_BURST = """
() => [...document.querySelectorAll("main *, .app *")]
  .filter((e) => e.checkVisibility() && e.closest(".chair, li, td, header"))
  .filter((e) => { const p = e.closest(".chair, li, td, header").getBoundingClientRect(), r = e.getBoundingClientRect();
    return r.width > 0 && (r.right > p.right + 1 || r.left < p.left - 1); }).map((e) => e.outerHTML.slice(0, 120))
"""
"""Elements that stick out of their seat, row, cell or title line."""
_CONTRAST = """
(field) => {
  const lum = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const style = getComputedStyle(field, "::placeholder");
  let behind = field;
  while (behind && (colour(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement;
  const [a, b] = [lum(colour(style.color)), lum(colour(getComputedStyle(behind ?? document.body).backgroundColor))];
  return style.opacity === "1" ? (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) : 0;
}
"""


def _quick(person: Person, game: str) -> None:
    person.click(f".game[data-variant={game}]")
    person.see(".searching")


def test_who_waits_is_told_how_long_and_how_many_and_offered_bots_while_the_search_goes_on(people: People) -> None:
    """W5."""
    one, other = people((390, 844)), people()
    one.page.clock.install()
    _quick(one, "tangshan")
    assert "这桌 1/4 人" in one.text(".searching .soon")
    assert not one.find(".offer").is_visible()
    other.see("[data-waits=tangshan]:has-text('1 人在等')")
    one.page.clock.run_for(16_000)
    one.see(".offer .btn")
    assert one.text(".searching [role=timer]").startswith("0:1")
    one.click("[data-do=bots-meanwhile]")
    one.see(".hand .tilebtn, .dock [data-key]")
    _quick(other, "tangshan")
    one.page.clock.run_for(3_000)
    one.see(".toast:has-text('1 位牌友在等')")
    one.click(".toast .btn")
    one.see(".searching :text('这桌 2/4 人')")
    other.see(".searching :text('这桌 2/4 人')")


def test_practice_while_seated_elsewhere_says_so_and_leads_back(people: People) -> None:
    """W6."""
    person = people((390, 844))
    room = person.open_room("guizhou")
    for order in ("[data-practice=tianjin]", ".game[data-variant=tianjin]"):
        person.go("#/")
        person.click(order)
        assert "你还有一桌没打完" in person.text(".toast")
        person.click(".toast .btn:has-text('回到牌桌')")
        person.see(".wait .code")
        assert person.page.url.endswith(room["id"])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("小王😀", "不能用表情"),
        ("一二三四五六七八九十甲乙丙", "1–12 个汉字"),
        ("Воvа", "外形相近"),
        ("-老王", "开头和结尾"),
    ],
)
def test_a_name_that_is_refused_says_what_is_wrong_with_it(people: People, name: str, told: str) -> None:
    """W6."""
    person = people((390, 844), path="#/me")
    person.see("#me-name").fill(name)
    person.click("form:has(#me-name) [type=submit]")
    assert told in person.text(".toast")


def test_a_link_that_leads_nowhere_says_what_it_was_and_offers_the_way_out(people: People) -> None:
    """W6."""
    person = people((390, 844))
    for path, told in (
        ("#/replay/nonsense!", "没有这份回放"), ("#/replay/abcdefgh1234", "没有这份回放"),
        ("#/match/nothing", "没有找到"),
        ("#/circle/nothing", "没有找到"), ("#/join/12", "房号是 6 位数字"), ("#/join/000000", "请核对房号"),
    ):  # fmt: skip
        person.go(path)
        assert told in person.text(".gone [role=alert]"), path
        person.see(".gone a[href='#/']")


def test_who_is_too_fast_is_told_when_to_try_again(people: People) -> None:
    """W6: not that they are muted."""
    person = people((390, 844))
    refusal = {"error": {"code": "rate_limited", "message": "too many requests; wait a little", "left_ms": 41_500}}
    person.page.route("**/v1/rooms", lambda route: route.fulfill(status=429, json=refusal))
    person.click("[data-practice=tianjin]")
    assert "42 秒后再试" in person.text(".toast")


@pytest.mark.parametrize("name", WIDE_NAMES)
def test_the_widest_names_burst_nothing(people: People, name: str) -> None:
    """W7: in the waiting room, the lobby, circles and lists."""
    person, host = people((360, 640)), people()
    person.see(".lobby .game")
    person.rest("PATCH", "/me", {"name": name})
    circle = person.rest("POST", "/circles", {"name": name})
    for path, sign in (("#/", ".circle-list .circle"), (f"#/circle/{circle['id']}", ".rows .faces"), ("#/me", ".two")):
        person.go(path)
        person.see(sign)
        assert person.page.evaluate(_BURST) == [], path
        assert person.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, path
    room = host.open_room("tianjin")
    person.go(f"#/join/{room['code']}")
    for somebody in (person, host):
        somebody.see(".chair b:has-text('iLove'), .chair b:has-text('WWW'), .chair b:has-text('我')")
        somebody.see(".chair:nth-child(2):not(.empty)")
        assert somebody.page.evaluate(_BURST) == []


def test_a_link_to_a_full_room_offers_to_watch(people: People) -> None:
    """W11."""
    host, guest, third, barred = people(), people(), people((390, 844)), people((390, 844))
    rooms = {}
    for watched in ("all", "off"):
        rooms[watched] = host.open_room("guizhou", {"players": 2}, spectators=watched)
        guest.go(f"#/join/{rooms[watched]['code']}")
        guest.see(".wait .code")
        if watched == "all":
            third.go(f"#/join/{rooms[watched]['code']}")
            assert "房间已坐满" in third.text("dialog")
            third.click("dialog [type=submit]")
            third.see(".wait .chairs")
            assert third.rest("GET", "/me/room")["room"] is None
            for somebody in (guest, host):
                somebody.rest("POST", f"/rooms/{rooms[watched]['id']}/leave")
                somebody.wait_to_be_free()
                somebody.go("#/")
    barred.go(f"#/join/{rooms['off']['code']}")
    assert "房间已坐满" in barred.text(".gone [role=alert]")
    barred.see(".gone a[href='#/']")


def test_an_application_appears_while_the_owner_looks(people: People) -> None:
    """W12: at once, and nothing that is being filled in is lost."""
    owner, comer = people((390, 844)), people()
    owner.see(".lobby .game")
    comer.see(".lobby .game")
    circle = owner.rest("POST", "/circles", {"name": "河东牌友"})
    owner.go(f"#/circle/{circle['id']}")
    owner.see(".tables .none")
    owner.click(".notice .btn")
    owner.see("dialog input").fill("周五")
    comer.rest("POST", "/circles/join", {"code": circle["code"], "message": "我是大刘"})
    owner.see(".waiting-in:has-text('我是大刘')")
    assert owner.find("dialog input").input_value() == "周五"
    owner.click("dialog [type=submit]")
    owner.see(".notice p:has-text('周五')")
    owner.click("[data-approve]")
    owner.see("h2:has-text('成员 2')")
    owner.page.wait_for_selector(".waiting-in", state="hidden")


@pytest.mark.parametrize(
    ("locales", "shown"),
    [("en-US", "Quick match"), ("zh-CN", "快速开始"), ("zh-TW", "快速開始"), ("ru-RU", "Quick match")],
)
def test_the_first_visit_speaks_the_browsers_language(people: People, locales: str, shown: str) -> None:
    """W14: until one is chosen, which is kept."""
    person = people(locale=locales, lang="")
    assert person.text(".play h2") == shown
    person.click("header [lang]")
    other = "快速开始" if shown == "Quick match" else "Quick match"
    person.see(f".play h2:has-text('{other}')")
    person.page.reload()
    assert person.text(".play h2") == other


def test_hints_in_fields_can_be_read(people: People) -> None:
    """W15: at least 4.5 : 1."""
    person = people((390, 844))
    person.see(".naming input")
    assert person.page.evaluate(f"() => ({_CONTRAST})(document.querySelector('.naming input'))") >= 4.5
    person.click("[data-k=circles]")
    person.click("[data-do=join-circle]")
    person.see("dialog input")
    assert person.page.evaluate(f"() => ({_CONTRAST})(document.querySelector('dialog input'))") >= 4.5


def test_who_never_won_has_no_best_round(people: People) -> None:
    """W15: a loss is nobody's best round."""
    person = people((390, 844))
    row = {
        "variant": "guizhou", "rounds": 3, "wins": 0, "win_rate": 0.0, "dealer_rounds": 1, "net": -20,
        "favourite": None, "biggest": {"round_id": "m.1", "net": -9},
    }  # fmt: skip
    person.page.route("**/v1/me/statistics", lambda route: route.fulfill(json={"items": [row]}))
    person.go("#/statistics")
    person.see(".stat dd")
    assert person.find(".stat dd").all_inner_texts()[-2:] == ["—", "—"]


def test_everybody_has_a_picture_and_a_name_gives_its_first_letter(people: People) -> None:
    """W15: guests are no digits; Владимир is В, 河东牌友 is 友 as before at the table."""
    person = people((390, 844))
    person.see(".lobby .game")
    assert person.find(".meb .portrait").evaluate("async (x) => { await x.decode(); return x.naturalWidth > 0; }")
    signs = person.page.evaluate(
        "async () => { const { initial } = await import('/static/avatar.js');"
        " return ['Владимир', 'ann', '河东牌友', '雀友4821', ' élan', ''].map(initial); }"
    )
    assert signs == ["В", "A", "友", "1", "É", ""]
    person.go("#/me")
    person.click(".avatars label:has-text('皮影')")
    person.see(".toast:has-text('已保存')")
    person.page.reload()
    person.see(".avatars input[value=shadow]:checked")
    person.go("#/")
    assert "shadow" in str(person.see(".meb .portrait").get_attribute("src"))
    room = person.open_room("tianjin")
    assert "shadow" in str(person.see(".chair .portrait").get_attribute("src")), room["id"]


def test_a_long_list_of_members_shows_who_is_in_charge_and_goes_on_to_its_end(people: People) -> None:
    """W18: page by page, applications too."""
    owner = people((390, 844))
    owner.see(".lobby .game")
    circle = owner.rest("POST", "/circles", {"name": "大圈"})
    path = f"**/v1/circles/{circle['id']}"

    def page(route: object, kind: str, rows: int) -> None:
        url = route.request.url  # type: ignore[attr-defined]
        first = "cursor" not in url
        names = range(0, 50) if first else range(50, rows)
        items = [
            {"id": f"u{n}", "name": f"{kind}{n}", "avatar": "", "role": "owner" if n == 0 else "member", "message": "",
             "joined_at": "2026-11-30T00:00:00Z", "created_at": "2026-11-30T00:00:00Z", "played": None}
            for n in names
        ]  # fmt: skip
        route.fulfill(json={"items": items, "cursor": "next" if first else None})  # type: ignore[attr-defined]

    owner.page.route(f"{path}/members*", lambda route: page(route, "成员", 105))
    owner.page.route(f"{path}/applications*", lambda route: page(route, "来客", 60))
    owner.page.route(path, lambda route: route.fulfill(json={**circle, "members": 105, "applications": 60}))
    owner.go(f"#/circle/{circle['id']}")
    members = "section[aria-label=成员]"
    owner.see(f"{members} li:has-text('成员0'):has-text('圈主')")
    owner.click(f"{members} .more")
    owner.see(f"{members} li:has-text('成员104')")
    assert owner.find(f"{members} .more").count() == 0
    owner.click(".waiting-in .more")
    owner.see(".waiting-in li:has-text('来客59')")
    assert owner.text(".waiting-in .chip") == "60"
    assert owner.find(".manage select[aria-label=禁止加入] option").count() == 104 + 1, "whoever may be meant is there"


def test_watching_is_offered_only_where_it_works(people: People) -> None:
    """W19."""
    owner, member = people(), people((390, 844))
    owner.see(".lobby .game")
    member.see(".lobby .game")
    circle = owner.rest("POST", "/circles", {"name": "河东牌友"})
    member.rest("POST", "/circles/join", {"code": circle["code"]})
    user = member.rest("GET", "/me")["id"]
    owner.rest("POST", f"/circles/{circle['id']}/applications/{user}/approve")
    for watched in ("off", "members"):
        room = owner.rest(
            "POST", "/rooms",
            {"variant": "guizhou", "circle": circle["id"], "settings": {"fill_with_bots": True, "spectators": watched}},
        )  # fmt: skip
        owner.page.evaluate("(id) => { location.hash = `#/table/${id}`; }", room["id"])
        owner.see(".wait .code")
        owner.start()
        member.go(f"#/circle/{circle['id']}")
        member.see(".tables li .chip:has-text('1/')")
        assert member.find(".tables a:has-text('看看')").count() == (1 if watched == "members" else 0)
        if watched == "members":
            member.click(".tables a:has-text('看看')")
            member.see(".app .plate")
        owner.rest("POST", f"/circles/{circle['id']}/rooms/{room['id']}/dissolve", {})
        owner.wait_to_be_free()


def test_traditional_chinese_is_traditional_everywhere(people: People) -> None:
    """A third language, chosen among the settings: pages, the form's options and their help, the table."""
    person = people((390, 844), path="#/me")
    person.see("label:has-text('语言') select").select_option(label="繁體中文")
    person.see("h2:has-text('設定')")
    assert person.page.evaluate("() => document.documentElement.lang") == "zh-Hant"
    person.page.goto(f"{person.url}/#/")
    person.see(".play h2:has-text('快速開始')")
    person.click("[data-k=create]")
    person.click(".pickgame button:nth-child(2)")
    assert "雞" in person.text(".create .fields")
    assert "鸡" not in person.text(".create .fields")
    person.open_room("guizhou")
    person.start()
    person.my_turn()
    assert person.page.evaluate("() => document.body.innerText.match(/[碰杠听庄张杂牌][^]*[听庄张]/)") is None
    labels = person.find(".hand .tilebtn svg").evaluate_all("(all) => all.map((x) => x.getAttribute('aria-label'))")
    assert not any(sign in str(label) for label in labels for sign in "万条")
