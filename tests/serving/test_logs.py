"""Log lines as JSON: fields that a log store can search, and nothing secret."""

import contextvars
import json
import logging

from app.rest.answers import request_id
from app.serving.logs import formatter
from app.settings import Settings
from app.tables.handle import running_table


def _record(error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("app.api", logging.WARNING, "x.py", 1, "away for %d s", (3,), info)


def test_a_json_line_says_its_node_and_what_it_belongs_to() -> None:
    here = contextvars.copy_context()
    here.run(request_id.set, "r-1")
    here.run(running_table.set, "tbl1")
    line = json.loads(here.run(formatter(Settings(log_format="json", node="n7")).format, _record()))
    assert line.pop("at")
    assert line == {
        "level": "warning", "logger": "app.api", "node": "n7", "message": "away for 3 s", "request": "r-1",
        "table": "tbl1",
    }  # fmt: skip


def test_an_error_stays_within_its_line() -> None:
    line = formatter(Settings(log_format="json")).format(_record(ValueError("bad")))
    assert "\n" not in line and "ValueError" in json.loads(line)["exc_info"]


def test_lines_for_people_are_the_default() -> None:
    assert formatter(Settings(node="n7")).format(_record()).endswith(" n7 W app.api: away for 3 s")
