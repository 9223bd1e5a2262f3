"""A person at a browser: opens pages, plays by clicking offers, notes every complaint of the browser."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Response

PATIENCE_MS = 60_000
ROUND_MS = 180_000
"""Both guard against waiting for ever, nothing else: on a machine that is merely slow no test may fail by them."""

SCRIPTS = Path(__file__).parent


_WATCH = """(kind) => {
  const seen = ((window.seen ??= {})[kind] = []);
  const look = () => {
    for (const found of document.querySelectorAll(kind))
      if (!seen.includes(found.textContent)) seen.push(found.textContent);
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
}"""


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
        chosen = f"?lang={self.lang}" if self.lang else ""
        self.page.goto(f"{self.url}/{chosen}{path}")

    def when(self, condition: str, arg: Any = None, timeout: int = PATIENCE_MS) -> None:
        """Wait until a condition of the page, a function of `arg`, holds."""
        self.page.wait_for_function(condition, arg=arg, timeout=timeout)

    def wait_to_be_free(self) -> None:
        """Wait until no room holds the user any more; a page may know of its end sooner than the store does."""
        self.when("async () => (await (await import('/static/api.js')).get('/me/room')).room === null")

    def watch_for(self, selector: str) -> None:
        """From now on note what elements of this kind say, however briefly they are there: `saw`."""
        self.page.evaluate(_WATCH, selector)

    def saw(self, selector: str) -> list[str]:
        """Their texts in order, each once."""
        return list(self.page.evaluate("(kind) => window.seen[kind]", selector))

    def wait_to_see(self, selector: str, text: str = "") -> None:
        """Wait until one of them has been there and said this; it may be gone again."""
        self.when("([kind, text]) => window.seen[kind].some((said) => said.includes(text))", [selector, text])

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
        """Its text."""
        return self.see(selector).inner_text()

    def load(self, script: str) -> None:
        """Put a script of ours into the page."""
        self.page.evaluate(f"() => {{ {(SCRIPTS / script).read_text()} }}")

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
        self.load("play.js")
        self.page.evaluate("(rare) => playOn(rare)", rare)

    def stop_play(self) -> None:
        """Hands off."""
        self.page.evaluate("() => clearInterval(window.playing)")

    def play_round(self, *, rare: bool = True) -> None:
        """Play until the settlement is shown."""
        self.begin_play(rare=rare)
        self.see(".sheet", ROUND_MS)
        self.stop_play()

    def play_until(self, discards: int, *, in_all: bool = False) -> None:
        """Play until it is my turn with this number of tiles in the rows; a round that ends sooner is followed by the
        next.

        `in_all`: those that were laid in the rounds before count too.
        """
        self.load("play.js")
        self.page.evaluate("([discards, inAll]) => playUntil(discards, inAll)", [discards, in_all])
        self.when("() => window.reached", timeout=ROUND_MS)

    def hand(self) -> list[str]:
        """The kinds in my hand, in the order shown."""
        tiles = self.find(".hand .tilebtn").evaluate_all("(all) => all.map((x) => x.dataset.tile)")
        return [str(tile) for tile in tiles]

    def my_turn(self) -> None:
        """Decline everything until it is my turn to discard, in a later round if this one is over before that."""
        self.load("play.js")
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until:
            state = self.page.evaluate("() => declined()")
            if state == "mine" and self.find(".hand .tilebtn").count():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("it never was my turn")

    def table(self) -> str:
        """My hand and all rows: different after any move."""
        self.load("play.js")
        return str(self.page.evaluate("() => shownTable()"))

    def see_move(self, before: str) -> None:
        """Wait until something was played since `before`."""
        self.when("(before) => shownTable() !== before", before)
