"""`mj demo`: a whole match by socket clients that use nothing but the public API, with every point explained.

`--me` gives one seat to the person at the terminal; killed and started again, it goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import httpx

from app.embedded.places import StartError, default_data_folder
from app.kernel.shapes.counts import tiles_of
from app.lab.chaos.running import own_server
from app.lab.clients.client import Api, Refused, SeatClient, bot_choice
from app.variants import VARIANTS

Plain = dict[str, Any]

ROUNDS: Final = 2
_NAMES: Final = ("东家", "南家", "西家", "北家")


def main(argv: list[str]) -> int:
    """Run the command. Returns 0 when the match was played to its end."""
    given = _arguments(argv)
    kept = _Kept(given.me)
    with _server(given.url, given.me) as url:
        return asyncio.run(_demo(url, given, kept))


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mj demo", description="Play a match over sockets and show every point.")
    parser.add_argument("--url", help="a running server, http://host:port (default: one started for this)")
    parser.add_argument("--variant", choices=list(VARIANTS), default="tianjin", help="which game (tianjin)")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), help="where the game leaves a choice")
    parser.add_argument("--me", action="store_true", help="take one seat yourself; start again to come back")
    parser.add_argument("--seed", type=int, help="seed of the clients' choices (not of the shuffle)")
    return parser.parse_args(argv)


class _Kept:
    """Players and table of a demo with a person in it, to resume it later. Readable by its owner only."""

    def __init__(self, used: bool) -> None:
        self._path = Path(tempfile.gettempdir()) / f"mj-demo-{os.getuid()}.json" if used else None

    def read(self) -> Plain:
        """The kept state, or {}."""
        if self._path is None or not self._path.exists():
            return {}
        with contextlib.suppress(ValueError):
            return dict(json.loads(self._path.read_text()))
        return {}

    def write(self, facts: Plain) -> None:
        """Keep it."""
        if self._path is not None:
            self._path.touch(mode=0o600)
            self._path.write_text(json.dumps(facts))

    def forget(self) -> None:
        """The match is over."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


@contextlib.contextmanager
def _server(url: str | None, keep_data: bool) -> Iterator[str]:
    """The server to play on: the one named, else one of our own."""
    if url is not None:
        yield url.rstrip("/")
        return
    print("Starting a server …", flush=True)
    with own_server(folder=default_data_folder() if keep_data else None) as running:
        yield running.url


async def _demo(url: str, given: argparse.Namespace, kept: _Kept) -> int:
    began = time.monotonic()
    try:
        async with _table(url, given, kept) as clients:
            if given.me:
                clients[0].choose = ask_person
            await _play(clients)
    except (Refused, httpx.TransportError) as error:
        raise StartError(f"the server at {url} does not play along: {error}") from None
    kept.forget()
    match = clients[0].match
    if match.get("phase") != "ended":
        print(f"The room was closed: {(clients[0].bye or {}).get('reason', 'no reason given')}.")
        return 1
    _show_ranking(match)
    print(f"{time.monotonic() - began:.1f} s, {sum(client.reconnects for client in clients)} reconnects.")
    return 0


@contextlib.asynccontextmanager
async def _table(url: str, given: argparse.Namespace, kept: _Kept) -> AsyncIterator[list[SeatClient]]:
    """The players at their table: as they were kept, else newly made."""
    async with contextlib.AsyncExitStack() as stack:
        before = kept.read()
        if before.get("url") == url or (before and given.url is None):
            clients = await _come_back(url, before, given, stack)
            if clients:
                print("Back at the table.")
                yield clients
                return
        yield await _sit_down(url, given, kept, stack)


async def _sit_down(
    url: str, given: argparse.Namespace, kept: _Kept, stack: contextlib.AsyncExitStack
) -> list[SeatClient]:  # fmt: skip
    variant = VARIANTS[given.variant]
    rules: Plain = {"rounds": ROUNDS} if "rounds" in {option.name for option in variant.meta.options} else {}
    if given.players is not None and "players" in {option.name for option in variant.meta.options}:
        rules["players"] = given.players
    players = given.players or variant.meta.players[-1]
    if players not in variant.meta.players:
        raise StartError(f"{given.variant} is played by {', '.join(map(str, variant.meta.players))}, not {players}.")
    apis = [await stack.enter_async_context(Api(url)) for _ in range(players)]
    devices = [await api.sign_in() for api in apis]
    settings = {"claim_hold_ms": 0, **({"think_s": 60} if given.me else {})}
    room = await apis[0].create_room(given.variant, rules, settings)
    for api in apis[1:]:
        await api.join(room["code"])
    print(f"{variant.meta.name_zh}: room {room['code']}, {players} players, every tile over {url}")
    kept.write({"url": url, "room": room["id"], "devices": devices})
    return _clients(apis, room["id"], given)


async def _come_back(
    url: str, before: Plain, given: argparse.Namespace, stack: contextlib.AsyncExitStack
) -> list[SeatClient]:  # fmt: skip
    apis = [await stack.enter_async_context(Api(url)) for _ in before["devices"]]
    for api, device in zip(apis, before["devices"], strict=True):
        await api.sign_in_again(device)
    room = (await apis[0].call("GET", "/me/room"))["room"]
    return _clients(apis, before["room"], given) if room is not None and room["id"] == before["room"] else []


def _clients(apis: list[Api], room_id: str, given: argparse.Namespace) -> list[SeatClient]:
    seeds = random.Random(given.seed)
    return [SeatClient(api, room_id, bot_choice, random.Random(seeds.random())) for api in apis]


async def _play(clients: list[SeatClient]) -> None:
    shown = 0

    def on_frame(_: Plain) -> None:
        nonlocal shown
        while shown < len(clients[0].settled):
            _show_round(shown + 1, clients[0].settled[shown], clients[0].match)
            shown += 1

    clients[0].on_frame = on_frame
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.run())
    on_frame({})


def _show_round(number: int, settled: Plain, match: Plain) -> None:
    meta = VARIANTS[match["variant"]].meta
    names = [seat["name"] if seat else "—" for seat in match["seats"]]
    outcome = settled["ended"]["outcome"]
    print(f"\nRound {number}: {outcome}")
    for line in settled["lines"]:
        reason = meta.reason_names.get(line["reason"], line["reason"])
        payer, payee = (f"{_NAMES[seat]} {names[seat]}" for seat in (line["source"], line["target"]))
        print(f"  {payer} → {payee}  {line['points']:>5}  {reason}  ({line['clause']}){_detail(line, meta)}")
    if not settled["lines"]:
        print("  no points moved")
    print("  net  " + "   ".join(f"{name} {points:+d}" for name, points in zip(names, settled["points"], strict=True)))


def _detail(line: Plain, meta: Any) -> str:
    parts = [f"{meta.pattern_names.get(name, name)} {amount}" for name, amount in line.get("detail", [])]
    return "  = " + " + ".join(parts) if parts else ""


def _show_ranking(match: Plain) -> None:
    print("\nFinal ranking")
    for line in match["ended"]["ranking"]:
        seat = match["seats"][line["seat"]]
        print(f"  {line['rank']}.  {seat['name'] if seat else '—'}  {line['total']:+d}")


async def ask_person(client: SeatClient, decision: Plain) -> Plain | None:
    """Show the hand and the options, read a number from the terminal. An empty line plays like a bot."""
    view = client.view
    if view is not None and client.seat is not None:
        own = view.seats[client.seat]
        print(f"\n你的手牌  {' '.join(tiles_of(own.hand)) if own.hand is not None else '?'}   摸 {own.drawn or '—'}")
        rows = [f"{_NAMES[number]} {' '.join(seat.row[-6:])}" for number, seat in enumerate(view.seats)]
        print(f"余 {view.left} 张   " + "   ".join(rows))
    for number, option in enumerate(decision["options"], 1):
        print(f"  {number:>2}  {option['verb']} {option.get('tiles', '')} {option.get('choice', '')}")
    print(f"[{decision['left_ms'] / 1000:.0f} s] number, or Enter: ", end="", flush=True)
    line = (await asyncio.to_thread(sys.stdin.readline)).strip()
    if line.isdigit() and 0 < int(line) <= len(decision["options"]):
        return dict(decision["options"][int(line) - 1])
    return await bot_choice(client, decision)
