"""`quezhuo-client`: a seat at a table of 雀桌 Quezhuo, for programs. In this tree it is the player of the test kit.

    async with Api("https://play.example") as api:
        await api.sign_in()
        room = await api.create_room("tianjin", {"rounds": 2}, {"fill_with_bots": True})
        player = Player(api, room["id"], choose)
        await player.run()

`choose(player, decision)` returns one of `decision["options"]`, or None to let the clock run.
May import the kernel only.
"""

from app.kernel.events import Event
from app.kernel.table import TableState
from app.kernel.text.notation import plain_action, plain_event, plain_view, read_action, read_event, read_view
from app.kernel.views import fold
from app.sdk.client.player import Choose, Player
from app.sdk.client.rest import Api, Plain, Refused

__all__ = [
    "Api", "Choose", "Event", "Plain", "Player", "Refused", "TableState", "fold", "plain_action", "plain_event",
    "plain_view", "read_action", "read_event", "read_view",
]  # fmt: skip
