"""The head of an HTTP/1.1 request as the front reads it: checked, and rewritten for the node. No sockets here.

Input that two servers could read in two ways is refused, so that nobody smuggles a header or a second request past the
front.
"""

import ipaddress
import re
from dataclasses import dataclass

_REQUEST_LINE = re.compile(rb"([A-Z]{1,16}) ([!-~]+) HTTP/1\.[01]")
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_ABOUT_THE_CLIENT = frozenset(
    {b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded", b"x-real-ip"}
)
"""Headers in which a proxy describes the client: trusted only from a proxy on this machine."""
_ONE_REQUEST_ONLY = frozenset({b"connection", b"keep-alive", b"upgrade"})


class BadHead(Exception):
    """No request that may be passed on; the text is the status line's end, e.g. `400 Bad Request`."""


@dataclass(frozen=True)
class Head:
    """A request's head. `length`: bytes of its body, None where the body is chunked (`forwarded` writes it anew)."""

    method: bytes
    path: bytes
    fields: tuple[tuple[bytes, bytes], ...]
    length: int | None
    upgrade: bool
    line: bytes

    def forwarded(self, peer: str) -> bytes:
        """The head for the node: who the client is, and that there is no second request on the connection."""
        near = is_loopback(peer)
        dropped = frozenset() if near else _ABOUT_THE_CLIENT
        dropped |= frozenset({b"x-forwarded-for"}) | (frozenset() if self.upgrade else _ONE_REQUEST_ONLY)
        kept = [name + b": " + value for name, value in self.fields if name.lower() not in dropped]
        before = [value for name, value in self.fields if near and name.lower() == b"x-forwarded-for"]
        kept.append(b"X-Forwarded-For: " + b", ".join([*before, peer.encode()]))
        if not self.upgrade:
            kept.append(b"Connection: close")
        return b"\r\n".join([self.line, *kept]) + b"\r\n\r\n"


def read_head(raw: bytes) -> Head:
    """The head in these bytes, its empty line included. Raises BadHead."""
    line, *rows = raw[:-4].split(b"\r\n")
    request = _REQUEST_LINE.fullmatch(line)
    if request is None:
        raise BadHead("400 Bad Request")
    fields = tuple([_field(row) for row in rows])
    values: dict[bytes, list[bytes]] = {}
    for name, value in fields:
        values.setdefault(name.lower(), []).append(value)
    return Head(request[1], request[2], fields, _length(values), _is_websocket(request[1], values), line)


def _field(row: bytes) -> tuple[bytes, bytes]:
    name, colon, value = row.partition(b":")
    if not colon or not _NAME.fullmatch(name) or re.search(rb"[\0\r\n]", value):
        raise BadHead("400 Bad Request")  # also a line that continues the one before it
    return name, value.strip(b" \t")


def _length(values: dict[bytes, list[bytes]]) -> int | None:
    """Bytes of the body; None: chunked. Two lengths, or a length and an encoding, are two ways to read it."""
    lengths, encodings = values.get(b"content-length", []), values.get(b"transfer-encoding", [])
    if encodings:
        if lengths or [encoding.lower() for encoding in encodings] != [b"chunked"]:
            raise BadHead("400 Bad Request")
        return None
    if not lengths:
        return 0
    if len(lengths) > 1 or not re.fullmatch(rb"[0-9]{1,18}", lengths[0]):
        raise BadHead("400 Bad Request")
    return int(lengths[0])


def _is_websocket(method: bytes, values: dict[bytes, list[bytes]]) -> bool:
    """Does it ask for a WebSocket, and for nothing else?"""
    asked = [word.strip().lower() for value in values.get(b"connection", []) for word in value.split(b",")]
    wanted = [value.lower() for value in values.get(b"upgrade", [])]
    body = values.get(b"transfer-encoding") or values.get(b"content-length", [b"0"]) != [b"0"]
    return method == b"GET" and wanted == [b"websocket"] and b"upgrade" in asked and not body


def is_loopback(peer: str) -> bool:
    """Is this an address of our own machine?"""
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False
