"""Somebody at a browser: opens pages, plays by clicking what is offered, and notes whatever the browser complains of."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Response

PATIENCE_MS = 20_000
ROUND_MS = 60_000

_PLAY = """
(rare) => {
  const wanted = ["win", ...(rare ? ["sit-true", "pull-2", "declare", "light", "cover", "kong", "extend", "pong", "chow", "pair_claim"] : [])];
  const press = (tile) => {
    const at = { bubbles: true, button: 0, clientY: 100, pointerId: 1 };
    tile.dispatchEvent(new PointerEvent("pointerdown", at));
    tile.dispatchEvent(new PointerEvent("pointerup", at));
  };
  window.playing = setInterval(() => {
    const choice = document.querySelector(".pick .opt");
    if (choice) return choice.click();
    const offered = (key) => document.querySelector(`.dock [data-key="${key}"]`);
    const declaring = document.querySelector('.dock [data-key="declare"][aria-pressed="true"]');
    for (const key of wanted) if (offered(key) && !(key === "declare" && declaring)) return offered(key).click();
    if (offered("discard")) return offered("discard").click();
    for (const key of ["pass", "sit-false", "pull-0"]) if (offered(key)) return offered(key).click();
    const mine = document.querySelector(".app .seat.me.active") && document.querySelector(".dock .claim");
    const tiles = [...document.querySelectorAll(".hand .tilebtn:not([aria-disabled])")];
    if (mine && tiles.length) press(tiles.at(-1));
  }, 40);
}
"""


class Person:
    """A browser context with one page (more by `other_page`), signed in as a guest as soon as the client says so."""

    def __init__(self, context: BrowserContext, url: str, lang: str) -> None:
        self.context = context
        self.url = url
        self.lang = lang
        self.faults: list[str] = []
        self.allowed: set[int] = set()
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
        context.on("page", self._watch)
        self.page: Page = context.new_page()

    def _watch(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))
        page.on("response", self._answered)
        page.on("request", lambda request: self._asked(request.url))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(("Failed to load resource", "WebSocket connection")):
            self.faults.append(f"console: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500 and response.status not in self.allowed:
            self.faults.append(f"{response.status} {response.request.method} {response.url}")

    def _asked(self, url: str) -> None:
        if urlsplit(url).netloc not in ("", urlsplit(self.url).netloc):
            self.faults.append(f"another origin: {url}")

    def go(self, path: str) -> None:
        """Open a page of the client by its hash, freshly loaded."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/?lang={self.lang}{path}")

    def find(self, selector: str) -> Locator:
        """Elements of the page."""
        return self.page.locator(selector)

    def click(self, selector: str) -> None:
        """Click the first element of this kind."""
        self.page.locator(selector).first.click()

    def see(self, selector: str, timeout: int = PATIENCE_MS) -> Locator:
        """Wait until it is there to be seen."""
        found = self.page.locator(selector).first
        found.wait_for(timeout=timeout)
        return found

    def text(self, selector: str) -> str:
        """What it says."""
        return self.see(selector).inner_text()

    def rest(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """A call as the client makes it, with the client's own code."""
        return self.page.evaluate(
            "async ([method, path, body]) => (await import('/static/api.js')).rest(method, path, body ?? undefined)",
            [method, path, body],
        )

    def open_room(self, variant: str, rules: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
        """A room with quick clocks where bots may sit, and its table."""
        quick = {"claim_hold_ms": 0, "claim_s": 15, "think_s": 60, "fill_with_bots": True, **settings}
        self.see("main")
        room: dict[str, Any] = self.rest(
            "POST", "/rooms", {"variant": variant, "rules": rules or {}, "settings": quick}
        )
        self.page.evaluate("(id) => { location.hash = `#/table/${id}`; }", room["id"])
        self.see(".wait .code")
        return room

    def start(self) -> None:
        """Bots on the empty seats, ready, dealt."""
        if self.find("[data-do=fill]").count():
            self.click("[data-do=fill]")
        self.click(".wait [data-do=ready]")
        self.see(".hand .tilebtn, .dock [data-key]")

    def begin_play(self, *, rare: bool = True) -> None:
        """Play on by clicking: wins always, with `rare` everything else that is offered."""
        self.page.evaluate(_PLAY, rare)

    def stop_play(self) -> None:
        """Hands off."""
        self.page.evaluate("() => clearInterval(window.playing)")

    def play_round(self, *, rare: bool = True) -> None:
        """Play until the settlement is shown."""
        self.begin_play(rare=rare)
        self.see(".sheet", ROUND_MS)
        self.stop_play()

    def hand(self) -> list[str]:
        """The kinds in my hand, in the order shown."""
        tiles = self.find(".hand .tilebtn").evaluate_all("(all) => all.map((x) => x.dataset.tile)")
        return [str(tile) for tile in tiles]
