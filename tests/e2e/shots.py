"""Pictures of everything that a player sees, to be looked at: `python -m tests.e2e.shots --to DIR`, or `mj shots`.

One picture for each scene, game, screen, language and theme, and `sheet-*.png`: all pictures of one screen in one.
"""

from __future__ import annotations

import argparse
import html
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from app.lab.chaos.running import own_server
from app.variants import VARIANTS
from tests.e2e.conftest import FLAGS
from tests.e2e.person import Person
from tests.e2e.scenes import Scene, scenes
from tests.e2e.stage import Stage
from tests.tools import chromium

SCREENS = ("390x844", "844x390", "820x1180", "1440x900", "1920x1080")
LANGS, THEMES, MATS = ("zh", "en"), ("dark", "light"), ("pine", "indigo", "mulberry")
_LOOK = """async ([theme, mat]) => {
  (await import("/static/settings.js")).choose({ theme, mat });
  (await import("/static/look.js")).wear();
}"""
_ARCHIVED = "async (id) => (await import('/static/api.js')).get(`/rounds/${id}`).then(() => true, () => false)"
_SHOWN_MS = 260
"""From an event to its picture: a callout stands and a tile has landed."""

Show = Callable[[Stage], bool]
"""Puts a scene on; false: this game has no such moment."""


def _moment(name: str, change: Callable[[Scene], Scene] = lambda scene: scene) -> Show:
    def show(stage: Stage) -> bool:
        if (scene := scenes(stage.room["variant"]).get(name)) is None:
            return False
        stage.put_on(change(scene))
        return True

    return show


def _only(slug: str, show: Show) -> Show:
    return lambda stage: stage.room["variant"] == slug and show(stage)


def _options(*options: dict[str, Any], **view: Any) -> Callable[[Scene], Scene]:
    def change(scene: Scene) -> Scene:
        assert scene.decision is not None
        return replace(scene, decision={**scene.decision, "options": list(options)}, view={**scene.view, **view})

    return change


def _sit(scene: Scene) -> Scene:
    offers = [{"verb": "sit", "choice": choice} for choice in (False, True)]
    return _options(*offers, dealer=scene.seat)(scene)


def _rob(scene: Scene) -> Scene:
    """抢杠: the tile lies beside a pong, and may be taken for a win."""
    thrower, tile = scene.view["last"]
    seats = [dict(seat) for seat in scene.view["seats"]]
    pong = {"kind": "pong", "tiles": tile * 3, "count": 3, "source_seat": scene.seat, "taken": tile}
    seats[thrower] |= {"melds": [*seats[thrower]["melds"], pong], "count": max(1, seats[thrower]["count"] - 3)}
    laid = {"seat": thrower, "meld": len(seats[thrower]["melds"]) - 1, "tile": tile, "kind": "kong_added"}
    offers = ({"verb": "win", "tiles": tile}, {"verb": "pass"})
    return _options(*offers, seats=seats, laid=laid, last=None)(scene)


def _follow(scene: Scene) -> Scene:
    """铲: the first four discards were equal."""
    marks = [*scene.view["marks"], {"seat": None, "mark": "follow", "value": True, "private": False}]
    return replace(scene, view={**scene.view, "marks": marks})


def _several(scene: Scene) -> Scene:
    """一炮多响: two winners by one discard."""
    [won, *_] = scene.view["wins"]
    loser = (won["seat"] + 2) % 4
    wins = [{**won, "seat": (won["seat"] + by) % 4, "origin": "discard", "source_seat": loser} for by in (0, 1)]
    return replace(scene, view={**scene.view, "wins": wins})


def _callout(stage: Stage) -> bool:
    scene = scenes(stage.room["variant"])["claim"]
    stage.put_on(scene)
    thrower, tile = scene.view["last"]
    other = next(seat for seat in range(4) if seat not in (thrower, scene.seat))
    meld = {"meld": len(scene.view["seats"][other]["melds"]), "kind": "pong", "tiles": tile * 3, "count": 3}
    taken = {"source": "row", "source_seat": thrower, "taken": tile}
    stage.tell("events", events=[{"type": "meld_made", "seat": other, **meld, **taken}])
    stage.person.page.wait_for_timeout(_SHOWN_MS)
    return True


def _moment_of_a_win(stage: Stage) -> bool:
    over = scenes(stage.room["variant"])["won"]
    view = over.view
    mine = [seat if at == over.seat else {**seat, "hand": None} for at, seat in enumerate(view["seats"])]
    open_view = {"phase": "turn", "wins": [], "lines": [], "points": [0] * 4, "revealed": False, "ended": None}
    before = replace(over, view={**view, **open_view, "seats": mine}, decision=None)
    stage.put_on(before)
    hands = {"hands": [seat["hand"] for seat in view["seats"]], "melds": [seat["melds"] for seat in view["seats"]]}
    events = [
        *({"type": "won", **win} for win in view["wins"]), {"type": "points_moved", "lines": view["lines"]},
        {"type": "hands_revealed", **hands, "waits": view["waits"]}, {"type": "round_ended", **view["ended"]},
    ]  # fmt: skip
    stage.tell("events", events=events, match=over.match_view())
    stage.person.page.wait_for_timeout(2 * _SHOWN_MS)
    return True


def _ranking(stage: Stage) -> bool:
    scene = scenes(stage.room["variant"])["won"]
    totals = scene.match_view()["totals"]
    order = sorted(range(4), key=lambda seat: -totals[seat])
    ranking = [{"seat": s, "user": f"u{s}", "total": totals[s], "rank": at + 1} for at, s in enumerate(order)]
    ended = {"reason": "rounds", "ranking": ranking, "note": None, "cause": None}
    stage.put_on(scene.with_match(phase="ended", ended=ended))
    if stage.person.find(".sheet [data-do=ranking]").count():  # not where the last screen has opened it
        stage.person.click(".sheet [data-do=ranking]")
    return True


def _card(stage: Stage) -> bool:
    _moment("late")(stage)
    stage.person.click("[data-person]")
    stage.person.page.wait_for_timeout(_SHOWN_MS)
    return True


def _drawer(stage: Stage) -> bool:
    _moment("turn")(stage)
    stage.person.click("[data-do=menu]")
    return True


TABLE: dict[str, Show] = {
    "01-sit": _only("tianjin", _moment("opening", _sit)), "02-opening": _moment("opening"), "03-turn": _moment("turn"),
    "04-late": _moment("late"), "05-claim": _moment("claim"), "06-rob": _moment("rob"),
    "07-rob-kong": _moment("claim", _rob), "08-follow": _only("tianjin", _moment("turn", _follow)),
    "09-ready": _moment("ready"), "10-callout": _callout, "11-win": _moment_of_a_win, "12-won": _moment("won"),
    "13-several": _only("guizhou", _moment("won", _several)), "14-exhausted": _moment("exhausted"),
    "15-ranking": _ranking, "16-card": _card, "17-drawer": _drawer,
}  # fmt: skip
"""Scenes at a table, by name."""

PAGES = {
    "31-lobby": ("#/", ".meb"), "32-ladder": ("#/ladder", ".levels"), "33-me": ("#/me", ".two"),
    "34-glossary": ("#/glossary", ".glossary"), "35-history": ("#/history", ".rows-box > *"),
}  # fmt: skip
"""Pages without a table: the address and what it waits for."""


class Album:
    """Where the pictures go."""

    def __init__(self, folder: Path, wanted: argparse.Namespace) -> None:
        self.folder, self.wanted = folder, wanted
        folder.mkdir(parents=True, exist_ok=True)

    def wants(self, scene: str) -> bool:
        """Whether this scene was asked for."""
        return not self.wanted.scenes or any(word in scene for word in self.wanted.scenes)

    def take(self, person: Person, scene: str, slug: str, screen: str, theme: str) -> None:
        """A picture as it is."""
        person.page.screenshot(path=self.folder / f"{screen}_{person.lang}_{theme}_{scene}_{slug}.png")

    def sheets(self, browser: Browser) -> None:
        """All pictures of a screen, language and theme in one."""
        page = browser.new_page(viewport={"width": 2000, "height": 1000})
        for combination in itertools.product(self.wanted.screens, self.wanted.langs, self.wanted.themes):
            name = "_".join(combination)
            found = sorted(p for p in self.folder.glob(f"{name}_*.png"))
            wide = int(combination[0].split("x")[0])
            across = 6 if wide < 600 else 3
            shown = "".join(
                f"<figure><img src='{html.escape(p.name)}'><figcaption>{p.stem[len(name) + 1 :]}</figcaption></figure>"
                for p in found
            )
            style = f"body{{display:grid;grid-template-columns:repeat({across},1fr);gap:8px;margin:8px}}"
            style += "figure{margin:0;font:14px sans-serif}img{width:100%;display:block}"
            at = self.folder / f"sheet-{name}.html"
            at.write_text(f"<meta charset=utf-8><style>{style}</style>{shown}")
            page.goto(at.resolve().as_uri())
            page.screenshot(path=self.folder / f"sheet-{name}.png", full_page=True)


def _resize(person: Person, screen: str) -> None:
    width, height = map(int, screen.split("x"))
    person.page.set_viewport_size({"width": width, "height": height})


def _table(album: Album, person: Person, slug: str, theme: str) -> None:
    if not any(album.wants(scene) for scene in TABLE):
        return
    stage = Stage(person, slug)
    for scene, show in TABLE.items():
        for screen in album.wanted.screens if album.wants(scene) else ():
            _resize(person, screen)
            if not show(stage):
                break
            album.take(person, scene, slug, screen, theme)
            person.page.keyboard.press("Escape")


def _pages(album: Album, person: Person, _slug: str, theme: str) -> None:
    for scene, (path, sign) in PAGES.items():
        if not album.wants(scene):
            continue
        person.go(path)
        person.see(sign)
        for screen in album.wanted.screens:
            _resize(person, screen)
            person.page.wait_for_timeout(_SHOWN_MS)
            album.take(person, scene, "all", screen, theme)


def _rooms(album: Album, person: Person, slug: str, theme: str) -> None:
    """The waiting room of a real room, a real replay, and a circle."""
    person.go("#/")
    if album.wants("40-circle"):
        person.see("main")
        circle = person.rest("POST", "/circles", {"name": "周五老友"})
        person.go(f"#/circle/{circle['id']}")
        person.see(".page h1, .circle h1, main h1")
        _on_all(album, person, "40-circle", slug, theme)
        person.go("#/")
    if not (album.wants("41-waiting") or album.wants("42-replay")):
        return
    room = person.open_room(slug, {"rounds": 1})
    _on_all(album, person, "41-waiting", slug, theme)
    if album.wants("42-replay"):
        person.start()
        person.play_round()
        person.when(_ARCHIVED, f"{room['id']}.1.1")
        person.go(f"#/replay/round:{room['id']}.1.1")
        person.see(".player")
        for _ in range(20):
            person.page.keyboard.press("ArrowRight")
        _on_all(album, person, "42-replay", slug, theme)


def _on_all(album: Album, person: Person, scene: str, slug: str, theme: str) -> None:
    for screen in album.wanted.screens if album.wants(scene) else ():
        _resize(person, screen)
        person.page.wait_for_timeout(_SHOWN_MS)
        album.take(person, scene, slug, screen, theme)


def _wanted(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mj shots", description=__doc__)
    parser.add_argument("--to", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--games", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    parser.add_argument("--screens", nargs="+", default=list(SCREENS), help="such as 390x844")
    parser.add_argument("--langs", nargs="+", default=list(LANGS), choices=["zh", "zh-Hant", "en"])
    parser.add_argument("--themes", nargs="+", default=list(THEMES), choices=THEMES)
    parser.add_argument("--mat", default=MATS[0], choices=MATS)
    parser.add_argument("--scenes", nargs="*", default=[], help="parts of the names of scenes; usually all")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Take the pictures. Returns the exit status."""
    wanted = _wanted(argv)
    album = Album(wanted.to, wanted)
    with own_server(options={"address_factor": "100"}) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for slug, lang, theme in itertools.product(wanted.games, wanted.langs, wanted.themes):
            parts = [_rooms, _table] if slug != wanted.games[0] else [_pages, _rooms, _table]
            for part in parts:
                context = browser.new_context(reduced_motion="reduce", service_workers="block")
                person = Person(context, server.url, lang)
                person.go("#/")
                person.see("main")
                person.page.evaluate(_LOOK, [theme, wanted.mat])
                part(album, person, slug, theme)
                context.close()
        album.sheets(browser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
