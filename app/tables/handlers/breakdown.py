"""A table that cannot go on: our bug, or a store that lost data. It stops where it stands and everybody is told.

Its log stays as it is. An operator may release it (fold again) or dissolve it; otherwise it is closed as failed.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

import msgspec

from app.tables.messages import Attach, Message, Operate, Request
from app.tables.viewers import replies

if TYPE_CHECKING:
    from app.tables.actor import Table


def stop_here(table: Table, what: str, error: Exception, message: Message | None) -> None:
    """Freeze the table, hand its log to an operator, free its people, answer whoever was being answered."""
    table.broken = f"{what}: {error!r}"
    table.alarms.broken()
    dump = {
        "error": "".join(traceback.format_exception(error)),
        "entries": [msgspec.Raw(entry) for entry in table.course.log],
    }
    table.house.alerts.alert(table.table_id, what, table.broken, msgspec.json.encode(dump))
    table.house.rooms.free(table.table_id, None, table.token.epoch)
    table.teller.say(replies.error(None, "frozen"))
    match message:
        case Request(connection, ref, _):
            connection.offer(replies.error(ref, "frozen"))
        case Attach(connection, ref=ref):
            connection.offer(replies.error(ref, "frozen"))
            connection.farewell("closed", "failed")
        case Operate(_, done) if not done.done():
            done.set_result({"ok": False, "code": "frozen"})
    table.changed()
