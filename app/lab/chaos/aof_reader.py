"""Reads a Valkey's own append-only file: every write of its life in order. Was each entry appended by the owner of that
moment, at the one place where it belongs? It trusts neither a node nor a script.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_LOG: Final = re.compile(rb"t:\{(.+)\}:log:\d+")
_LEASE: Final = re.compile(rb"t:\{(.+)\}:lease")
_MISSES: Final = "the append-only file was rewritten: what was before is not in it"


@dataclass
class Appended:
    """The appends in a store's life. `owners`: number of changes of owner. `faults` must be empty."""

    entries: int = 0
    owners: int = 0
    faults: list[str] = field(default_factory=list)
    _leases: dict[bytes, bytes] = field(default_factory=dict)
    _lengths: dict[bytes, int] = field(default_factory=dict)

    def take(self, words: list[bytes]) -> None:
        """One write."""
        match words[0].upper():
            case b"RPUSH" if log := _LOG.fullmatch(words[1]):
                for entry in words[2:]:
                    self._push(log[1], words[1], entry)
            case b"SET" if lease := _LEASE.fullmatch(words[1]):
                self._own(lease[1], words[2])
            case b"DEL" | b"UNLINK":
                for key in words[1:]:
                    self._lengths.pop(key, None)
            case b"FLUSHALL" | b"FLUSHDB":
                self._leases.clear()
                self._lengths.clear()

    def _push(self, table: bytes, log: bytes, raw: bytes) -> None:
        entry, place = json.loads(raw), self._lengths.get(log, 0)
        owner = self._leases.get(table)
        self.entries += 1
        if entry["n"] != place:
            self.faults.append(f"{log.decode()}: entry {entry['n']} stands at place {place}")
        if owner is not None and entry["token"].encode() != owner:
            self.faults.append(f"{log.decode()}: entry {place} is {entry['token']}'s, the owner was {owner.decode()}")
        self._lengths[log] = place + 1

    def _own(self, table: bytes, token: bytes) -> None:
        before = self._leases.get(table)
        if before is not None and _epoch(token) < _epoch(before):
            self.faults.append(f"table {table.decode()}: {token.decode()} came after {before.decode()}")
        if before is None or _epoch(token) > _epoch(before):
            self.owners += 1
        self._leases[table] = token


def appended(data: Path) -> Appended:
    """All writes of this data folder's store, from its first one on."""
    found = Appended()
    files = {int(path.name.split(".")[-3]): path for path in (data / "appendonlydir").glob("*.incr.aof")}
    if min(files, default=0) != 1:
        found.faults.append(_MISSES)
    for number in sorted(files):
        for words in _commands(files[number].read_bytes()):
            found.take(words)
    return found


def _commands(text: bytes) -> Iterator[list[bytes]]:
    """The commands of a file; a last one that was cut off by a kill is left out."""
    at = 0
    while at < len(text):
        end = text.find(b"\r\n", at)
        if text[at : at + 1] != b"*" or end < 0:
            return
        count, at = int(text[at + 1 : end]), end + 2
        words = []
        for _ in range(count):
            end = text.find(b"\r\n", at)
            if end < 0:
                return
            size = int(text[at + 1 : end])
            words.append(text[end + 2 : end + 2 + size])
            at = end + 2 + size + 2
        if at > len(text):
            return
        yield words


def _epoch(token: bytes) -> int:
    return int(token.partition(b":")[0])
