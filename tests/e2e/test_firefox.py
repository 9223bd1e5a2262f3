"""The page in Firefox: a match of each game by clicking, from the lobby to the ranking."""

from pathlib import Path

import pytest

from app.lab.chaos.running import Running
from app.variants import VARIANTS
from tests.e2e.firefox import Firefox, firefox
from tests.e2e.person import ROUND_MS
from tests.tools import firefox as its_path

pytestmark = [pytest.mark.firefox, pytest.mark.timeout(600)]

_PATIENCE_S = 60
_OPEN = """(async () => {
  const { rest } = await import("/static/api.js");
  const settings = { claim_hold_ms: 0, claim_s: 15, think_s: 60, fill_with_bots: true };
  const room = await rest("POST", "/rooms", { variant: "%s", rules: { rounds: 1, %s }, settings });
  location.hash = `#/table/${room.id}`;
})()"""


def test_a_match_of_each_game_is_played_in_firefox(server: Running) -> None:
    """Issue 16, point 10."""
    path = its_path()
    assert path is not None
    with firefox(path) as browser:
        for slug in VARIANTS:
            browser.go(f"{server.url}/?lang=zh#/", 1280, 800)
            _match(browser, slug)
        assert browser.faults == []


def _match(browser: Firefox, slug: str) -> None:
    shown = "document.querySelector('{}')".format
    browser.when(shown(".lobby .game"), _PATIENCE_S)
    browser.run(_OPEN % (slug, "" if slug == "tianjin" else "players: 2"))
    browser.when(shown("[data-do=fill]"), _PATIENCE_S)
    browser.run(f"{shown('[data-do=fill]')}.click()")
    browser.run(f"{shown('.wait [data-do=ready]')}.click()")
    browser.when(shown(".hand .tilebtn, .dock [data-key]"), _PATIENCE_S)
    browser.run((Path(__file__).parent / "play.js").read_text())
    browser.run("void playOn(true)")
    browser.when(shown(".overlay:not([hidden]) .sheet"), ROUND_MS / 1000)
    browser.run("clearInterval(window.playing)")
    browser.run(f"{shown('[data-do=ranking]')}.click()")
    browser.when(shown(".sheet.rank .places li"), _PATIENCE_S)
    browser.run("""(async () => { const { post, get } = await import("/static/api.js");
      const { room } = await get("/me/room"); if (room) await post(`/rooms/${room.id}/leave`); })()""")
