"""The small front of `mj up --nodes N`: one port before several nodes, by path. No TLS, no caching, no game.

`/n/<node>/…` goes to that node, everything else to the next node that is up. Each connection carries one request (or
one WebSocket), so after the head of the request bytes only pass through. In production nginx does this work.
"""

import asyncio
import contextlib
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

_HEAD_BYTES = 64 * 1024
_HEAD_S = 15.0
_FLUSH_S = 5.0
_CUT_S = 0.5
_STALLED_S = 20.0
_SEND_BUFFER = 64 * 1024
_CHUNK = 64 * 1024
_REQUEST_LINE = re.compile(rb"[A-Z]+ (\S+) HTTP/1\.[01]")
_NODE_PATH = re.compile(rb"/n/([a-z0-9-]+)/")


@dataclass
class Backend:
    """A node as the front sees it: where it listens on loopback, and whether it runs just now."""

    name: str
    port: int
    up: bool = True


class Front:
    """Chooses a node for every connection and passes the bytes. `backends` is shared with whoever starts the nodes."""

    def __init__(self, backends: Mapping[str, Backend]) -> None:
        self._backends = backends
        self._turn = 0
        self._serving: set[asyncio.Task[None]] = set()

    def choose(self, path: bytes) -> Backend:
        """The node named in the path; else, and where there is no such node, the next one that is up."""
        named = _NODE_PATH.match(path)
        if named and (backend := self._backends.get(named[1].decode())):
            return backend
        able = [backend for backend in self._backends.values() if backend.up] or list(self._backends.values())
        self._turn += 1
        return able[self._turn % len(able)]

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection; for `asyncio.start_server`, which keeps no hold of a task of its own making."""
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # As nodes do, or megabytes would wait here for a client that does not read before its node notices.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_S)
        except asyncio.LimitOverrunError:
            return await _refuse(writer, b"431 Request Header Fields Too Large")
        except (asyncio.IncompleteReadError, TimeoutError, ConnectionError):
            writer.transport.abort()
            return
        request = _REQUEST_LINE.match(head)
        if request is None:
            return await _refuse(writer, b"400 Bad Request")
        backend = self.choose(request[1])
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", backend.port)
        except OSError:
            return await _refuse(writer, b"502 Bad Gateway")
        inner_writer.write(forwarded(head, writer.get_extra_info("peername")))
        await _pass_both_ways((reader, writer), (inner_reader, inner_writer))

    async def start(self, **where: object) -> asyncio.Server:
        """Listen; `where` is `sock=…` or `host=…, port=…`."""
        return await asyncio.start_server(self.serve, limit=_HEAD_BYTES, **where)  # type: ignore[arg-type]


def forwarded(head: bytes, peer: tuple[str, int] | None) -> bytes:
    """The request's head as the node gets it: the client's address appended, no second request on the connection."""
    lines = head[:-4].split(b"\r\n")
    names = [line.split(b":", 1)[0].strip().lower() for line in lines]
    upgrade = b"upgrade" in names
    before = b", ".join(
        line.split(b":", 1)[1].strip() for name, line in zip(names, lines, strict=True) if name == b"x-forwarded-for"
    )
    dropped = {b"x-forwarded-for"} | (set() if upgrade else {b"connection", b"keep-alive"})
    kept = [line for at, (name, line) in enumerate(zip(names, lines, strict=True)) if at == 0 or name not in dropped]
    client = (peer[0] if peer else "unknown").encode()
    kept.append(b"X-Forwarded-For: " + (before + b", " if before else b"") + client)
    if not upgrade:
        kept.append(b"Connection: close")
    return b"\r\n".join(kept) + b"\r\n\r\n"


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _pass_both_ways(client: Stream, node: Stream) -> None:
    """Until the node has ended its side. Then the client has a little while to read the rest: a slow one is cut.

    A node that cut the line is noticed also while the client does not read, by what the client goes on saying; one who
    does neither is cut when nothing got through for long.
    """
    inward = asyncio.create_task(_pass(client[0], node[1]))
    outward = asyncio.create_task(_pass(node[0], client[1], _STALLED_S))
    cut = asyncio.create_task(node[1].wait_closed())
    try:
        await asyncio.wait((outward, cut), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait_for(outward, _CUT_S)
        client[1].close()
        await asyncio.wait_for(client[1].wait_closed(), _FLUSH_S)
    except (ConnectionError, TimeoutError):
        client[1].transport.abort()
    finally:
        for task in (inward, outward, cut):
            task.cancel()
        node[1].transport.abort()
        await asyncio.gather(inward, outward, cut, return_exceptions=True)


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter, patience_s: float | None = None) -> None:
    """To the end of the source. Raises ConnectionError when either side is gone, or took nothing for that long."""
    try:
        while data := await source.read(_CHUNK):
            sink.write(data)
            async with asyncio.timeout(patience_s):
                await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
    except OSError:  # a time-out is one as well
        sink.transport.abort()
        raise ConnectionError from None


async def _refuse(writer: asyncio.StreamWriter, status: bytes) -> None:
    writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    with contextlib.suppress(ConnectionError, TimeoutError):
        await asyncio.wait_for(writer.drain(), _FLUSH_S)
    writer.close()
