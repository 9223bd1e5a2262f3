"""What tests in a real browser may ask for: the whole server, a Chromium, and people with pages of their own.

`people` makes people: each has a fresh browser context, and at the end none of his pages may have logged an error,
broken the content policy, asked another origin for anything, or been answered with a server error.
A machine without Chromium runs the other tests and is told so in one line; with CI=true it fails.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from app.lab.chaos.running import Running, own_server
from tests.e2e.person import PATIENCE_MS, Person

ADMIN_TOKEN = "an-operators-token-for-these-tests"
_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
_LIMIT_S = 600
"""A browser on a busy machine may be slow; what waits for ever is told much sooner, see `person.py`."""
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

People = Callable[..., Person]


def _chromium() -> str | None:
    own = os.environ.get("MJ_CHROMIUM")
    return own or next((found for name in _NAMES if (found := shutil.which(name))), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave browser tests out where there is no browser; in CI that is an error."""
    driven = [item for item in items if item.get_closest_marker("browser")]
    if _chromium() is not None:
        for item in driven:
            item.add_marker(pytest.mark.timeout(_LIMIT_S))
        return
    if driven and os.environ.get("CI") == "true":
        raise pytest.UsageError("CI must have a Chromium: the browser tests cannot be left out")
    items[:] = [item for item in items if item not in driven]
    config.hook.pytest_deselected(items=driven)
    config.stash[_LEFT_OUT] = len(driven)


_LEFT_OUT = pytest.StashKey[int]()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The one line."""
    if count := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.write_line(f"{count} browser tests were left out: there is no Chromium here (MJ_CHROMIUM).")


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """A server with its embedded stores, for the whole run."""
    with own_server(options={"admin_token": ADMIN_TOKEN}) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for a file of tests: while it runs, this thread has an event loop, and async tests may not."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=_chromium(), args=_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def people(server: Running, browser: Browser) -> Iterator[People]:
    """`people(viewport=(360, 640), lang="zh", path="#/")`: somebody new at that page.

    `locale` is the browser's language; `worker` allows a service worker, whose requests no test can route.
    """
    made: list[Person] = []

    def arrive(
        viewport: tuple[int, int] = (1280, 800), lang: str = "zh", path: str = "#/", *, motion: bool = False,
        locale: str | None = None, worker: bool = False,
    ) -> Person:  # fmt: skip
        context = browser.new_context(
            viewport={"width": viewport[0], "height": viewport[1]},
            has_touch=viewport[0] < 900,
            reduced_motion="no-preference" if motion else "reduce",
            locale=locale,
            service_workers="allow" if worker else "block",
        )
        made.append(Person(context, server.url, lang))
        made[-1].go(path)
        return made[-1]

    yield arrive
    for person in made:
        person.context.close()
    for person in made:
        assert person.faults == []
