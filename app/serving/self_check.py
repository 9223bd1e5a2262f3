"""A node opens one WebSocket to itself before it says that it is ready, and expects the refusal the protocol states.

Thus a new version of a library that breaks the handshake, the reading or the writing of frames is found at the start of
one node and not by players. Needs neither store nor ticket.
"""

from __future__ import annotations

import asyncio
import json
from typing import Final

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from app.protocol.v1.codec import SUBPROTOCOL
from app.protocol.v1.errors import CloseCode, ErrorCode

_PATIENCE_S: Final = 5.0
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class SocketBroken(Exception):
    """The node's own WebSocket does not answer as the protocol states."""


async def check_socket(address: tuple[str, int]) -> None:
    """Send a request where a hello belongs to `address` (host and port we listen on). Raises SocketBroken unless it is
    answered by the error `no_hello` and close code 4000."""
    host = _ANY.get(address[0], address[0])
    url = f"ws://{f'[{host}]' if ':' in host else host}:{address[1]}/v1/ws"
    try:
        async with asyncio.timeout(_PATIENCE_S):
            answer, code = await _first_answer(url)
    except (OSError, WebSocketException, ValueError) as error:  # a timeout is an OSError
        raise SocketBroken(f"{type(error).__name__}: {error}") from error
    if answer != ErrorCode.NO_HELLO or code != CloseCode.NO_HELLO:
        raise SocketBroken(f"expected {ErrorCode.NO_HELLO} and {int(CloseCode.NO_HELLO)}, got {answer} and {code}")


async def _first_answer(url: str) -> tuple[object, int | None]:
    """The code of the first error frame, and the close code."""
    socket = connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, ping_interval=None, proxy=None)
    async with socket as line:
        await line.send(json.dumps({"id": "self", "kind": "sync"}))
        answer = json.loads(await line.recv())
        try:
            while True:
                await line.recv()
        except ConnectionClosed:
            return answer.get("data", {}).get("code"), line.close_code
