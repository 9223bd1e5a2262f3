"""Programs that some tests drive and not every machine has: a Chromium, a Firefox, a Node."""

import os
import shutil
from collections.abc import Callable

_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FIREFOXES = ("firefox-esr", "firefox")


def chromium() -> str | None:
    """The path of a Chromium; MJ_CHROMIUM names one."""
    own = os.environ.get("MJ_CHROMIUM")
    return own or next((found for name in _CHROMIUMS if (found := shutil.which(name))), None)


def firefox() -> str | None:
    """The path of a Firefox; MJ_FIREFOX names one."""
    own = os.environ.get("MJ_FIREFOX")
    return own or next((found for name in _FIREFOXES if (found := shutil.which(name))), None)


def node() -> str | None:
    """The path of a Node that has its npm beside it."""
    return shutil.which("node") if shutil.which("npm") else None


TOOLS: dict[str, tuple[Callable[[], str | None], str]] = {
    "browser": (chromium, "Chromium (MJ_CHROMIUM)"),
    "firefox": (firefox, "Firefox (MJ_FIREFOX)"),
    "javascript": (node, "Node with npm"),
}
"""Marker → how to find the program that such tests drive, and what it is called."""
