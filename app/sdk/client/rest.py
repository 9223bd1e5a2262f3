"""REST, as one guest or with a personal token: what a player needs before there is a socket, and its events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx

Plain = dict[str, Any]

_SILENT_S: Final = 40.0
"""A stream of events sends something more often than that."""
_AGAIN_S: Final = 2.0


class Refused(Exception):
    """The server refused a request. `code`: the reason; `retry_after_s`: when to ask again (0: not stated)."""

    def __init__(self, status: int, code: str, message: str, retry_after_s: int = 0) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s


def _refused(answer: httpx.Response) -> Refused:
    """The refusal that an answer states."""
    try:
        error = answer.json().get("error", {})
    except ValueError:
        error = {}
    again = int(answer.headers.get("retry-after", 0))
    return Refused(answer.status_code, error.get("code", "?"), error.get("message", answer.text), again)


class Api:
    """REST, signed in as one guest, or as the player of a personal `token`.

    `caller`: the address to come from, where many would come from one.
    """

    def __init__(self, url: str, caller: str = "", token: str = "") -> None:
        self.url = url.rstrip("/")
        secure = self.url.startswith("https")  # a context for TLS is dear, and useless without
        named = {"X-Forwarded-For": caller} if caller else {}
        if token:
            named["Authorization"] = f"Bearer {token}"
        self._http = httpx.AsyncClient(base_url=f"{self.url}/v1", timeout=8.0, verify=secure, headers=named)
        self.user = ""
        self.name = ""
        self.device_token = ""

    async def __aenter__(self) -> Api:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def call(self, method: str, path: str, body: object = None) -> Plain:
        """One request, signed in again where that ran out. Raises Refused, or httpx's errors when nobody answers."""
        answer = await self._http.request(method, path, json=body)
        if answer.status_code == 401 and self.device_token and path != "/guests":
            await self.sign_in_again(self.device_token)
            answer = await self._http.request(method, path, json=body)
        found: Plain = answer.json() if answer.content else {}
        if answer.is_error:
            raise _refused(answer)
        return found

    async def events(self, cursor: str = "") -> AsyncIterator[Plain]:
        """My events as they come, for ever: a stream that ends is opened again after the last `id`.

        Raises Refused when the server refuses the stream: the token was revoked, or lacks `read`.
        """
        while True:
            try:
                async with self._http.stream(
                    "GET", "/me/events", params={"cursor": cursor} if cursor else None,
                    timeout=httpx.Timeout(8.0, read=_SILENT_S),
                ) as answer:  # fmt: skip
                    if answer.is_error:
                        await answer.aread()
                        raise _refused(answer)
                    async for line in answer.aiter_lines():
                        if line:
                            event: Plain = json.loads(line)
                            cursor = event["id"]
                            yield event
            except httpx.TransportError:
                pass
            except Refused as refused:
                if refused.status not in (429, 502, 503, 504):
                    raise
            await asyncio.sleep(_AGAIN_S)

    async def sign_in(self, name: str | None = None) -> str:
        """Sign in as a new guest. Returns the device token, with which to sign in as the same guest again."""
        signed = await self.call("POST", "/guests", {"name": name} if name else {})
        self._sign(signed)
        self.device_token = str(signed["device_token"])
        return self.device_token

    async def sign_in_again(self, device_token: str) -> None:
        """Become the guest of this device token."""
        self.device_token = device_token
        self._sign(await self.call("POST", "/guests", {"device_token": device_token}))

    def _sign(self, signed: Plain) -> None:
        self.user, self.name = signed["user"]["id"], signed["user"]["name"]
        self._http.headers["Authorization"] = f"Bearer {signed['access_token']}"

    async def create_room(self, variant: str, rules: Plain, settings: Plain) -> Plain:
        """A private room of my own."""
        return await self.call("POST", "/rooms", {"variant": variant, "rules": rules, "settings": settings})

    async def join(self, code: str) -> Plain:
        """Find a room by its code and take a seat in it."""
        room = await self.call("GET", f"/codes/{code}")
        return await self.call("POST", f"/rooms/{room['id']}/join", {})

    async def ticket(self, room_id: str) -> tuple[str, str]:
        """A ticket, and the address of the socket it is good for."""
        given = await self.call("POST", f"/rooms/{room_id}/ticket")
        return given["ticket"], self.url.replace("http", "ws", 1) + given["ws_path"]
