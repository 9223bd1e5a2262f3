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
    """The path of a Node; MJ_NODE names one."""
    return os.environ.get("MJ_NODE") or shutil.which("node") or shutil.which("nodejs")


TOOLS: dict[str, tuple[Callable[[], str | None], str]] = {
    "browser": (chromium, "Chromium (MJ_CHROMIUM)"),
    "javascript": (node, "Node (MJ_NODE)"),
}
"""Marker → how to find the program that such tests drive, and what it is called."""
