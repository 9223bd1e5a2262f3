"""Checksums of log entries, each bound to its table, its round, its number and the entry before it.

An entry ends with `"sum":"<16 hex digits>"`: BLAKE2b of 8 bytes over these four and its bytes before the sum. Thus a
changed byte, an entry that is missing, doubled or of another table, and a log under a wrong name are all found. It is
no signature: it finds accidents, not an attacker who may write the store. Entries of older versions have no sum; they
are read, and bound by the first entry after them that has one.
"""

from __future__ import annotations

import hashlib
from typing import Final

_BEFORE: Final = b',"sum":"'
_AFTER: Final = b'"}'
_DIGITS: Final = 16
_LENGTH: Final = len(_BEFORE) + _DIGITS + len(_AFTER)


class BrokenChain(Exception):
    """An entry differs from the stored one; the text names it and the difference."""


class Chain:
    """The checksums of one page of a table's log, from its first entry on."""

    __slots__ = ("_bound", "_last", "_made", "_next", "_sealed")

    def __init__(self, table_id: str, round_no: int) -> None:
        self._bound = f"{table_id}\n{round_no}\n".encode()
        self._last = b""
        self._next = 0
        self._sealed = False
        self._made: tuple[bytes, bytes] = (b"", b"")
        """The entry that was sealed last, and its checksum."""

    def seal(self, plain: bytes) -> bytes:
        """The next entry with its checksum; `plain` is a JSON object. Changes nothing: see `accept`."""
        body = plain[:-1]
        checksum = self._sum(body)
        raw = b"".join((body, _BEFORE, checksum, _AFTER))
        self._made = raw, checksum
        return raw

    def accept(self, raw: bytes) -> None:
        """Take the next entry as it is stored. Raises BrokenChain when it differs from the bytes written there."""
        if raw is self._made[0]:  # it was sealed here, after the same entry, and is not looked at again
            self._sealed, self._last = True, self._made[1]
        else:
            body, given = _split(raw)
            if given is None and self._sealed:
                raise BrokenChain(f"entry {self._next} has no checksum")
            expected = self._sum(body)
            if given is not None and given != expected:
                raise BrokenChain(
                    f"entry {self._next} does not match its checksum, or the entry before it is another one"
                )
            self._sealed, self._last = given is not None, expected
        self._made = b"", b""
        self._next += 1

    def _sum(self, body: bytes) -> bytes:
        bound = b"%b%d\n%b\n" % (self._bound, self._next, self._last)
        return hashlib.blake2b(bound + body, digest_size=_DIGITS // 2).hexdigest().encode()


def is_sealed(raw: bytes) -> bool:
    """Has this entry a checksum?"""
    return _split(raw)[1] is not None


def unsealed(raw: bytes) -> bytes:
    """The entry as it was before `seal`."""
    body, given = _split(raw)
    return raw if given is None else body + b"}"


def _split(raw: bytes) -> tuple[bytes, bytes | None]:
    """The bytes that the checksum of an entry covers, and the checksum; None where it has none."""
    if raw[-_LENGTH : -_LENGTH + len(_BEFORE)] == _BEFORE and raw.endswith(_AFTER):
        return raw[:-_LENGTH], raw[-_LENGTH + len(_BEFORE) : -len(_AFTER)]
    return raw, None
