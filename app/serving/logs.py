"""The log of a node: lines for people, or one JSON object a line (`MJ_LOG_FORMAT=json`).

A JSON line has `at`, `level`, `logger`, `node` and `message`; `request` when it was written while a REST request was
answered; `table` when a table's task wrote it. No line has a tile, a token or a parameter of a query.
"""

from __future__ import annotations

import logging
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from app.rest.answers import request_id
from app.settings import Settings
from app.tables.handle import running_table


class _Fields(JsonFormatter):
    def __init__(self, node: str) -> None:
        super().__init__(timestamp="at", json_ensure_ascii=False, static_fields={"node": node})

    def add_fields(
        self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]
    ) -> None:  # fmt: skip
        super().add_fields(log_data, record, message_dict)
        log_data["level"], log_data["logger"] = record.levelname.lower(), record.name
        for name, known in (("request", request_id.get()), ("table", running_table.get())):
            if known:
                log_data[name] = known


def begin(settings: Settings) -> None:
    """Write the log of this process to standard error as the settings say."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(settings))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])


def formatter(settings: Settings) -> logging.Formatter:
    """What makes a line of a record."""
    if settings.log_format == "json":
        return _Fields(settings.node)
    return logging.Formatter(f"%(asctime)s {settings.node} %(levelname).1s %(name)s: %(message)s")
