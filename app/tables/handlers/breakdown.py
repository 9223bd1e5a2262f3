"""The operators' report about a table that cannot go on: our bug, or a store that lost data."""

from __future__ import annotations

import traceback

import msgspec


def dump(error: Exception, entries: list[bytes]) -> bytes:
    """The traceback and the page's log as JSON, secrets included."""
    text = "".join(traceback.format_exception(error))
    return msgspec.json.encode({"error": text, "entries": [msgspec.Raw(entry) for entry in entries]})
