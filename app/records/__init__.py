"""Records (牌谱): one round, whole and checkable. Pure: builds, reads, lifts, replays and verifies plain values.

Also the calculator behind `mj score` and the API. No store, no clock, no sockets; who may read a record is not decided
here.
"""

from app.records.codec import build, decode, encode
from app.records.upcast import FORMAT

__all__ = ["FORMAT", "build", "decode", "encode"]
