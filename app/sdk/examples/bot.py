"""A bot account's program: it comes where it is invited and plays whole matches, in every game.

    QUEZHUO_TOKEN=qzt_... python -m quezhuo_client.examples.bot https://play.example

The token is a personal token of the bot account, with the scopes `play` and `read`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter

from app.sdk.client import Api, Plain, Player, Refused, plain_view

HONOURS = "z"


def keeps(tile: str, hand: Counter[str]) -> int:
    """How much a tile is worth keeping: its pairs, and its neighbours of the same suit."""
    rank, suit = int(tile[0]), tile[1]
    near = 0 if suit == HONOURS else sum(hand[f"{rank + step}{suit}"] * (3 - abs(step)) for step in (-2, -1, 1, 2))
    return 4 * (hand[tile] - 1) + near


async def choose(player: Player, decision: Plain) -> Plain:
    """Win where that is offered, else throw the tile that fits worst, else let the moment pass."""
    options: list[Plain] = decision["options"]
    wins = [option for option in options if option["verb"] == "win"]
    throws = [option for option in options if option["verb"] == "discard"]
    if wins or not throws or player.view is None:
        return wins[0] if wins else options[-1]
    text = plain_view(player.view)["seats"][player.seat]["hand"]
    hand = Counter(text[n : n + 2] for n in range(0, len(text), 2))
    return min(throws, key=lambda option: keeps(option["tiles"], hand))


async def play(api: Api, room: str) -> None:
    """One match in this room, or nothing where the seat is gone by now."""
    try:
        await api.call("POST", f"/rooms/{room}/join", {})
        player = Player(api, room, choose)
        await player.run()
        await api.call("POST", f"/rooms/{room}/leave")
        print(f"{room}: {player.match.get('totals')}", flush=True)
    except Refused as refused:
        print(f"{room}: {refused}", flush=True)


async def main(url: str, token: str) -> None:
    """Come to every invitation until the token ends."""
    async with Api(url, token=token) as api, asyncio.TaskGroup() as matches:
        async for event in api.events():
            if event["type"] == "invited":
                matches.create_task(play(api, event["room"]))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], os.environ["QUEZHUO_TOKEN"]))
