"""Programs that some tests drive and not every machine has: a Chromium, a Node."""

import os
import shutil
from collections.abc import Callable

_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def chromium() -> str | None:
    """The path of a Chromium; MJ_CHROMIUM names one."""
    own = os.environ.get("MJ_CHROMIUM")
    return own or next((found for name in _CHROMIUMS if (found := shutil.which(name))), None)


def node() -> str | None:
    """The path of a Node that has its npm beside it."""
    return shutil.which("node") if shutil.which("npm") else None


TOOLS: dict[str, tuple[Callable[[], str | None], str]] = {
    "browser": (chromium, "Chromium (MJ_CHROMIUM)"),
    "javascript": (node, "Node with npm"),
}
"""Marker → how to find the program that such tests drive, and what it is called."""
