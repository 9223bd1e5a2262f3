"""Bytes of server frames. The data of a face is encoded once for all its viewers; the envelope is put around it.

Decides nothing about who gets a frame.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

VERSION: Final = 1
SUBPROTOCOL: Final = "mahjong.v1"
FRAME_BYTES: Final = 64 * 1024
"""The largest frame a client may send."""

_encode = msgspec.json.Encoder().encode


def encode_data(data: Any) -> bytes:
    """The data of a frame as JSON."""
    return _encode(data)


def frame(kind: str, data: bytes, seq: tuple[int, int] | None = None) -> bytes:
    """A whole frame around encoded data. Play frames carry `seq`, `[round, n]`."""
    if seq is None:
        return b'{"v":1,"kind":"%b","data":%b}' % (kind.encode(), data)
    return b'{"v":1,"kind":"%b","seq":[%d,%d],"data":%b}' % (kind.encode(), seq[0], seq[1], data)


def text_frame(payload: bytes) -> bytes:
    """A final, unmasked WebSocket text frame (RFC 6455, 5.2) around a whole frame of ours."""
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 65536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)
