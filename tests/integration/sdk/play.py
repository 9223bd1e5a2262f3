"""Run where `quezhuo-client` is installed and no server is: `python play.py URL VARIANT` plays a match against bots,
loses its line twice, and compares its view with a `sync`. One line of JSON, as `stranger/client.py` prints it.
"""

import asyncio
import json
import sys

from quezhuo_client import Api, Event, Plain, Player, Refused, TableState, plain_view
from quezhuo_client.kernel.events import RoundEnded


class Comparing(Player):
    """Compares the view of every `sync` with what was folded up to it."""

    compared = 0
    folded = 0
    ended = 0

    def take(self, frame: Plain) -> None:
        told = frame["data"].get("view")  # null once the page has turned
        if frame["kind"] == "sync" and self.view is not None and told and list(self.last or ()) == frame["seq"]:
            assert plain_view(self.view) == told
            self.compared += 1
        super().take(frame)

    def hear(self, event: Event, view: TableState) -> None:
        self.folded += 1
        self.ended += isinstance(event, RoundEnded)


async def choose(player: Comparing, decision: Plain) -> Plain:
    await player.send("sync")
    if player.folded > 20 and player.reconnects < 2:
        await player.drop()
    options = decision["options"]
    throws = [option for option in options if option["verb"] == "discard"]
    return next((option for option in options if option["verb"] == "win"), (throws or options)[-1])


async def main(url: str, variant: str) -> None:
    async with Api(url) as api:
        await api.sign_in()
        settings = {"fill_with_bots": True, "claim_hold_ms": 0}
        room = await api.create_room(variant, {"rounds": 2}, settings)
        player = Comparing(api, room["id"], choose)
        player.on_event = player.hear
        playing = asyncio.create_task(player.run())
        refused = []
        try:
            await player.ask("vote", {"yes": True})
        except Refused as no:
            refused.append(no.code)
        await player.ask("fill")
        await playing
    assert player.ended == 2
    assert refused == ["not_now"], refused
    assert not any(name == "app" or name.startswith("app.") for name in sys.modules)
    told = {"totals": player.match["totals"], "rounds": player.match["played"], "refused": []}
    counted = {"folded": player.folded, "compared": player.compared, "resumed": player.reconnects}
    print(json.dumps({**told, **counted}))


asyncio.run(main(*sys.argv[1:]))
