"""The ASGI scope of a WebSocket, made from the head of its request. No decision about who may come in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import unquote

from websockets.http11 import Request

LINE_KEY: Final = "mj.line"
"""Key in uvicorn's `app_state` of the server's entry about the connection (`socket.Line`), if there is one."""

Message = MutableMapping[str, Any]


def websocket_scope(request: Request, transport: asyncio.Transport, state: Mapping[str, Any]) -> Message:
    """The scope (ASGI 3, spec 2.4) of a request to open a WebSocket."""
    path, _, query = request.path.partition("?")
    offered = request.headers.get_all("Sec-WebSocket-Protocol")
    return {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "wss" if transport.get_extra_info("sslcontext") else "ws",
        "server": _address(transport.get_extra_info("sockname")),
        "client": _address(transport.get_extra_info("peername")),
        "root_path": "",
        "path": unquote(path),
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "headers": [
            (name.lower().encode("ascii"), value.encode("latin-1")) for name, value in request.headers.raw_items()
        ],
        "subprotocols": [name.strip() for header in offered for name in header.split(",")],
        "state": {key: value for key, value in state.items() if key != LINE_KEY},
        "extensions": {},
    }


def _address(name: Any) -> tuple[str, int] | None:
    """Host and port of a socket's name; None for a Unix socket."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
