"""A client as a stranger writes it from "How to write a client": the standard library and `websockets`, no more.

`python client.py URL VARIANT` plays one match against three bots and loses its socket twice. It prints one line
of JSON: `totals`, `rounds`, `refused` (codes), `folded` (events), `compared` (views, each with a `sync`), `resumed`.
"""

import json
import secrets
import socket
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from fold import Plain, fold
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect


class Player:
    def __init__(self, url: str) -> None:
        self.url, self.token = url, ""
        self.view: Plain | None = None
        self.match: Plain = {}
        self.last: list[int] | None = None
        self.waiting: dict[str, Plain] = {}
        self.seen = {"folded": 0, "compared": 0, "resumed": 0}
        self.drops = {5, 40}
        self.round = 0
        self.readied: int | None = None
        self.compare: str | None = None
        self.answered: set[tuple[int, str]] = set()
        self.refused: list[str] = []

    def rest(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise
            time.sleep(int(error.headers["Retry-After"]))
            return self.rest(method, path, body)

    def play(self, variant: str) -> Plain:
        self.token = self.rest("POST", "/v1/guests", {})["access_token"]
        wanted = {"variant": variant, "rules": {"rounds": 2}, "settings": {"fill_with_bots": True, "claim_hold_ms": 0}}
        room = self.rest("POST", "/v1/rooms", wanted)["id"]
        while self.match.get("phase") != "ended":
            given = self.rest("POST", f"/v1/rooms/{room}/ticket")
            address = self.url.replace("http", "ws", 1) + given["ws_path"]
            try:
                with connect(address, subprotocols=["mahjong.v1"], open_timeout=1) as line:
                    self.converse(line, given["ticket"])
            except (ConnectionClosed, OSError):
                self.seen["resumed"] += 1
        return {"totals": self.match["totals"], "rounds": self.match["played"], "refused": self.refused, **self.seen}

    def converse(self, line: ClientConnection, ticket: str) -> None:
        hello = {"ticket": ticket, **({"last": self.last} if self.last else {})}
        self.say(line, "hello", hello, keep=False)
        for request in list(self.waiting.values()):
            line.send(json.dumps(request))
        pinged = time.monotonic()
        while self.match.get("phase") != "ended" or self.compare:
            try:
                frame = json.loads(line.recv(timeout=max(0, pinged + 10 - time.monotonic())))
            except TimeoutError:
                pinged = time.monotonic()
                self.say(line, "ping", {"t": pinged}, keep=False)
                continue
            self.take(line, frame["kind"], frame["data"], frame.get("seq"))

    def say(self, line: ClientConnection, kind: str, data: object, keep: bool = True) -> str:
        request = {"id": secrets.token_hex(8), "kind": kind, "data": data}
        if keep:
            self.waiting[request["id"]] = request
        line.send(json.dumps(request))
        return str(request["id"])

    def take(self, line: ClientConnection, kind: str, data: Plain, seq: list[int] | None) -> None:
        if kind in ("ack", "error"):
            self.waiting.pop(data["ref"], None)
            if kind == "error":
                self.refused.append(data["code"])
        elif kind == "sync":
            if self.compare and self.last == seq:
                assert self.view == data["view"], (self.view, data["view"])
                self.seen["compared"] += 1
            self.compare = None
            self.view, self.match, self.last = data["view"], data["match"], seq
            self.answer(line, data["prompt"]["decision"])
        elif kind == "events":
            self.follow(line, data, seq)
        elif kind == "prompt":
            self.answer(line, data["decision"])
        self.be_ready(line)

    def follow(self, line: ClientConnection, data: Plain, seq: list[int] | None) -> None:
        assert seq is not None
        if self.last and seq not in ([self.last[0], self.last[1] + 1], [self.last[0] + 1, 1]):
            raise AssertionError(f"{seq} after {self.last}")
        if self.last and seq[0] > self.last[0]:
            self.view = None
        self.last = seq
        for event in data["events"]:
            self.view = fold(self.view, event)
            self.seen["folded"] += 1
        self.match = data.get("match") or self.match
        if seq[1] % 5 == 0 or self.match["phase"] == "ended":
            self.compare = self.say(line, "sync", {}, keep=False)
        if seq[0] == 1 and seq[1] in self.drops:
            self.drops.remove(seq[1])
            self.compare = None
            line.socket.shutdown(socket.SHUT_RDWR)

    def be_ready(self, line: ClientConnection) -> None:
        if self.match.get("phase") not in ("waiting", "between") or self.readied == self.match["round_no"]:
            return
        self.readied = self.match["round_no"]
        if self.match["phase"] == "waiting":
            self.say(line, "fill", {})
        self.say(line, "ready", {"entropy": secrets.token_hex(8)})

    def answer(self, line: ClientConnection, decision: Plain | None) -> None:
        if decision is None or self.last is None or (self.last[0], decision["id"]) in self.answered:
            return
        self.answered.add((self.last[0], decision["id"]))
        options = decision["options"]
        throws = [option for option in options if option["verb"] == "discard"]
        best = next((o for o in options if o["verb"] == "win"), throws[-1] if throws else options[-1])
        self.say(line, "act", {"round": self.last[0], "decision": decision["id"], "action": best})


if __name__ == "__main__":
    print(json.dumps(Player(sys.argv[1]).play(sys.argv[2])))
