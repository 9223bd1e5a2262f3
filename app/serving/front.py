"""The front of `mj up --nodes N`: one port before several nodes, by path. No TLS, no caching, no game.

`/n/<node>/…` goes to that node, everything else to the next node that serves. A named node that does not serve is
answered for at once (503), so that its clients ask for a ticket to another one. Each connection carries one request or
one WebSocket. In production nginx does this work.
"""

import asyncio
import contextlib
import json
import re
import socket
from collections import Counter
from collections.abc import Callable, Mapping

from app.serving.backends import Backend, states
from app.serving.heads import BadHead, Head, is_loopback, read_head

HEAD_BYTES = 32 * 1024
BODY_BYTES = 4 * 1024 * 1024
_HEAD_S = 10.0
_BODY_S = 30.0
_CONNECT_S = 1.0
_FLUSH_S = 5.0
_CUT_S = 0.5
_STALLED_S = 20.0
_SEND_BUFFER = 64 * 1024
_CHUNK = 64 * 1024
_HEADS_OF_ONE = 64
_HEADS_NEARBY = 4096
"""Connections of one address whose request has not come yet; a further one is refused. This machine has more: a proxy
before us speaks for everybody."""
_NODE_PATH = re.compile(rb"/n/([a-z0-9-]+)/")
_BUSY = {"error": {"code": "busy", "message": "This node does not serve just now; ask again."}}

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Front:
    """Chooses a node for every connection and passes the bytes.

    `backends` is shared with the supervisor of the nodes.
    """

    def __init__(self, backends: Mapping[str, Backend]) -> None:
        self._backends = backends
        self._turn = 0
        self._serving: set[asyncio.Task[None]] = set()
        self._waiting: Counter[str] = Counter()

    def choose(self, path: bytes) -> Backend:
        """The node named in the path; else, and where there is no such node, the next one that serves."""
        named = _NODE_PATH.match(path)
        if named and (backend := self._backends.get(named[1].decode())):
            return backend
        able = [backend for backend in self._backends.values() if backend.serves and not backend.leaving]
        able = able or list(self._backends.values())
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
        peername = writer.get_extra_info("peername")
        peer = peername[0] if peername else "unknown"
        try:
            head = await self._head(reader, peer)
        except BadHead as bad:
            return await _refuse(writer, str(bad))
        except (asyncio.IncompleteReadError, TimeoutError, ConnectionError):
            writer.transport.abort()
            return
        backend = self.choose(head.path)
        if head.path == b"/readyz" and head.method in (b"GET", b"HEAD"):
            await _answer(writer, *await self._readiness(backend), bodiless=head.method == b"HEAD")
            return
        looks = head.method in (b"GET", b"HEAD") and head.length == 0 and not head.upgrade
        tries = len(self._backends) if looks and not _NODE_PATH.match(head.path) else 1
        while backend.serves:
            if await _relay((reader, writer), backend, head, peer):
                return
            tries -= 1
            if not tries:
                break
            backend = self.choose(head.path)  # the other one ended before it said anything
        await _answer(writer, "503 Service Unavailable", _BUSY)

    async def _head(self, reader: asyncio.StreamReader, peer: str) -> Head:
        """The request's head. Raises BadHead, or what reading raises."""
        if self._waiting[peer] >= (_HEADS_NEARBY if is_loopback(peer) else _HEADS_OF_ONE):
            raise BadHead("429 Too Many Requests")
        self._waiting[peer] += 1
        try:
            head = read_head(await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_S))
        except asyncio.LimitOverrunError:
            raise BadHead("431 Request Header Fields Too Large") from None
        finally:
            self._waiting[peer] -= 1
            if not self._waiting[peer]:
                del self._waiting[peer]
        if (head.length or 0) > BODY_BYTES:
            raise BadHead("413 Content Too Large")
        return head

    async def _readiness(self, backend: Backend) -> tuple[str, dict[str, object]]:
        """A node's readiness, and beside it the state of every node."""
        about: dict[str, object] = {"ready": False}
        status = "503 Service Unavailable"
        if backend.serves:
            with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
                async with asyncio.timeout(_FLUSH_S):
                    status, about = await _ask(backend, b"/readyz")
        return status, {**about, "nodes": states(self._backends)}

    async def watch(self, say: Callable[[str], None]) -> None:
        """Until cancelled: notice nodes that run and do not answer, cut their connections and let others serve."""
        async with asyncio.TaskGroup() as watching:
            for backend in self._backends.values():
                watching.create_task(backend.watch(say))

    async def start(self, **where: object) -> asyncio.Server:
        """Listen; `where` is `sock=…` or `host=…, port=…`."""
        return await asyncio.start_server(self.serve, limit=HEAD_BYTES, **where)  # type: ignore[arg-type]


async def _ask(backend: Backend, path: bytes) -> tuple[str, dict[str, object]]:
    """A node's JSON answer and its status. Raises OSError, ValueError."""
    reader, writer = await asyncio.open_connection("127.0.0.1", backend.port)
    try:
        with backend.holding(writer.transport):
            writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n")
            head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
    finally:
        writer.transport.abort()
    said = json.loads(body)
    if not isinstance(said, dict):
        raise ValueError("not an object")
    return head.split(b"\r\n", 1)[0].partition(b" ")[2].decode("latin-1"), said


async def _relay(client: Stream, backend: Backend, head: Head, peer: str) -> bool:
    """Send the request to the node and its answer to the client; a WebSocket goes on until either side ends it.

    Returns False when the node ended before it said anything, and nothing was said to the client either.
    """
    try:
        node = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", backend.port, limit=HEAD_BYTES), _CONNECT_S)
    except OSError:
        await _refuse(client[1], "502 Bad Gateway")
        return True
    with backend.holding(node[1].transport):
        node[1].write(head.forwarded(peer))
        sending = None
        if not head.upgrade:
            sending = asyncio.create_task(_send_body(client, node[1], head.length))
        try:
            answer = await node[0].read(_CHUNK) if not head.upgrade else await node[0].readuntil(b"\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            answer = b""
        if not answer:
            await _end(sending, node[1])
            return client[1].transport.is_closing()
        client[1].write(answer)
        if head.upgrade:
            switched = answer.startswith(b"HTTP/1.1 101 ")
            inward = _pass(client[0], node[1]) if switched else _send_body(client, node[1], 0)
            sending = asyncio.create_task(inward)
        await _pass_out(client, node, sending)
        return True


async def _end(task: asyncio.Task[None] | None, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _pass_out(client: Stream, node: Stream, inward: asyncio.Task[None] | None) -> None:
    """Pass the node's side until it ends. Then the client has a little while to read the rest: a slow one is cut.

    A node that cut the line is noticed also while the client does not read, by what the client goes on saying; one who
    does neither is cut when nothing got through for long.
    """
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
        tasks = [task for task in (inward, outward, cut) if task is not None]
        for task in tasks:
            task.cancel()
        node[1].transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _send_body(client: Stream, node: asyncio.StreamWriter, length: int | None) -> None:
    """Pass the request's body: `length` bytes, or chunks. One that is too long, or takes too long, ends the request.

    Bytes after the body are read and discarded: the end of the stream shows that the client left.
    """
    left = BODY_BYTES if length is None else length
    try:
        async with asyncio.timeout(_BODY_S if length != 0 else None) as body:
            while data := await client[0].read(_CHUNK):
                if length is None and len(data) > left:
                    raise ConnectionError("the body is too long")
                node.write(data[:left])
                left -= len(data[:left])
                if length is not None and not left:
                    body.reschedule(None)
                await node.drain()
        node.write_eof()
    except OSError:  # a time-out is one as well
        node.transport.abort()


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


async def _refuse(writer: asyncio.StreamWriter, status: str) -> None:
    await _send(writer, f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())


async def _answer(writer: asyncio.StreamWriter, status: str, about: object, bodiless: bool = False) -> None:
    """An answer of our own, as JSON; a 503 says when to ask again."""
    body = json.dumps(about).encode()
    again = "Retry-After: 1\r\n" if status.startswith("503") else ""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{again}"
    await _send(writer, head.encode() + b"Connection: close\r\n\r\n" + (b"" if bodiless else body))


async def _send(writer: asyncio.StreamWriter, answer: bytes) -> None:
    """The last bytes on a connection. Input that the client still sends is not read."""
    writer.write(answer)
    with contextlib.suppress(ConnectionError, TimeoutError):
        await asyncio.wait_for(writer.drain(), _FLUSH_S)
    writer.close()
