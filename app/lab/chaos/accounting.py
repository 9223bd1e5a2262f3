"""Accounts for stored entries: each must lie once in a log, in a waiting round or in the archive.

Pure: measurements and tests read the stores and pass in the contents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

Plain = dict[str, Any]


class Page(NamedTuple):
    """The log of a table's running round, and that round's number."""

    number: int
    log: Sequence[bytes]


def lost(before: Page, acked: Iterable[str], after: Page, finished: Mapping[int, Sequence[Plain]]) -> int:
    """Number of entries of `before` and of acknowledged request ids that are missing, or there twice.

    `finished`: entries of the table's finished rounds, as records hold them (no entries of the match alone: what those
    did, and their ids, stands in the first entry of the next page).
    """
    stored, now = _entries(before.log), _entries(after.log)
    rounds = {**finished, after.number: now}
    here = {entry["n"]: entry for entry in rounds.get(before.number, ())}
    if before.number == after.number:
        gone = sum(here.get(entry["n"]) != entry for entry in stored)
    else:
        played = [entry for entry in stored if "events" in entry]
        gone = sum(here.get(entry["n"], {}).get("events") != entry["events"] for entry in played)
    refs = {*acked, *[entry["ref"] for entry in stored if "ref" in entry]}
    times = Counter([entry.get("ref") for entries in rounds.values() for entry in entries])
    remembered = {ref for refs in now[0]["memory"].values() for ref in refs} if now else set()
    return gone + sum(times[ref] > 1 or (times[ref] == 0 and ref not in remembered) for ref in refs)


def _entries(log: Sequence[bytes]) -> list[Plain]:
    return [msgspec.json.decode(raw) for raw in log]
