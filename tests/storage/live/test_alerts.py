"""Alerts of stopped tables: kept with their dump, listed, closed."""

from app.storage.live.rooms.alerts import Alert, LiveAlerts
from app.storage.live.wire.link import Link


async def test_an_alert_is_kept_with_its_dump(link: Link) -> None:
    alerts = LiveAlerts(link)
    alerts.alert("T", "frozen", "a bug", b'{"entries": []}')
    while (kept := await alerts.of("T")) is None:
        pass
    assert (kept["what"], kept["text"], kept["dump"]) == ("frozen", "a bug", {"entries": []})
    assert await alerts.of("U") is None


async def test_open_alerts_are_listed_newest_first_until_they_are_closed(link: Link) -> None:
    """A16."""
    told: list[Alert] = []
    alerts = LiveAlerts(link, told.append)
    for table in ("T", "U"):
        alerts.alert(table, "frozen", "a bug", b'{"seed": "secret"}')
        while table not in [alert.table for alert in await alerts.open()]:
            pass
    listed = await alerts.open()
    assert sorted(alert.table for alert in listed) == ["T", "U"] and listed == sorted(listed, key=_newest)
    assert [alert.table for alert in told] == ["T", "U"] and "secret" not in repr(told)
    assert await alerts.close("T") and not await alerts.close("T")
    assert [alert.table for alert in await alerts.open()] == ["U"] and await alerts.of("T") is None


def _newest(alert: Alert) -> tuple[int, str]:
    return -alert.at_ms, "".join(chr(0x10FFFF - ord(letter)) for letter in alert.table)
