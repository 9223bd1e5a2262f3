"""Bytes of server frames. The data of a face is encoded once, however many viewers get it; envelopes are glued around.

No decision about who gets what stands here.
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
