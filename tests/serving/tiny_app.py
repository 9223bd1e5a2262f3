"""A tiny ASGI app for the tests of how we listen: says what it was asked, and echoes over a WebSocket."""

import json
from typing import Any

from app.serving.serve import Receive, Scope, Send


class TinyApp:
    """Answers every request with what it saw; echoes text frames; `abort` closes with 4000 and a reason."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await self._echo(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})
            if kind == "lifespan.shutdown":
                return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        seen = json.dumps(self._seen(scope) | {"body": len(body)}).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(seen))]})
        await send({"type": "http.response.body", "body": seen})

    async def _echo(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": json.dumps(self._seen(scope))})
        while (message := await receive())["type"] == "websocket.receive":
            if message.get("text") == "abort":
                await send({"type": "websocket.close", "code": 4000, "reason": "as asked"})
                return
            if message.get("text") == "flood":
                for _ in range(400):
                    await send({"type": "websocket.send", "bytes": bytes(100_000)})
            await send({"type": "websocket.send", "text": message.get("text") or ""})

    def _seen(self, scope: Scope) -> dict[str, Any]:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        return {"node": self.name, "path": scope["path"], "client": scope["client"][0], "headers": headers}
