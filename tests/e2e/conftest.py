"""Fixtures for tests in a real browser: the whole server, a Chromium, and people with pages of their own.

`people` makes people: each has a fresh browser context, and at the end none of their pages may have logged an error,
broken the content policy, asked another origin for anything, or been answered with a server error.
A machine without Chromium runs the other tests, see `tests/conftest.py`.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from app.lab.chaos.running import Running, own_server
from tests.e2e.person import PATIENCE_MS, Person
from tests.tools import chromium

ADMIN_TOKEN = "an-operators-token-for-these-tests"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
_LIMIT_S = 600
"""A browser on a busy machine may be slow; an endless wait fails much sooner, see `person.py`."""

People = Callable[..., Person]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests may take longer than others."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.timeout(_LIMIT_S))


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    """A server with its embedded stores, for the whole run.

    All people of all tests come from one address, so its budgets are larger here (SECURITY.md, limits).
    """
    with own_server(options={"admin_token": ADMIN_TOKEN, "address_factor": "100"}) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for a file of tests: while it runs, this thread has an event loop, and async tests may not."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        driven = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield driven
        driven.close()


@pytest.fixture
def people(server: Running, browser: Browser) -> Iterator[People]:
    """`people(viewport=(360, 640), lang="zh", path="#/")`: a new person at that page.

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
