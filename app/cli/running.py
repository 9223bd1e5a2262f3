"""Where the server runs that a command is about: its own entry in the data folder, unless settings say otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.embedded.places import StartError, default_data_folder
from app.serving.configure import read_settings


def data_folder(given: Path | None) -> Path:
    """The data folder: the one given, MJ_DATA, or the usual one."""
    return given or read_settings({}).data or default_data_folder()


def running(data: Path | None) -> dict[str, Any]:
    """The entry of the server that runs in this data folder (default: as `mj up`); empty when none does."""
    try:
        facts: dict[str, Any] = json.loads((data_folder(data) / "run.json").read_text())
    except (OSError, ValueError):
        return {}
    return facts


def database_of(data: Path | None, given: str | None) -> str:
    """Address of the database: the one given, MJ_DATABASE_URL, or the running server's. Raises StartError for none."""
    if given:
        return read_settings({"database_url": given}, {"database_url": "--database-url"}).database_url
    url = read_settings({}).database_url or str(running(data).get("database_url") or "")
    if not url:
        raise StartError("no database was found; start the server, or give --database-url.")
    return url


def live_store_of(data: Path | None, given: str | None) -> str:
    """Address of the live store: the one given, MJ_VALKEY_URL, or the running server's. Raises StartError for none."""
    url = given or read_settings({}).valkey_url or str(running(data).get("valkey_url") or "")
    if not url:
        raise StartError("no live store was found; start the server, or give --valkey-url.")
    return url
