"""Every key of the live store, in one place; README.md has the map with their contents. Nothing else spells a key.

Keys that change together carry the same hash tag (the braces), so scripts work on a cluster.
"""

from __future__ import annotations

from typing import Final

TABLES: Final = "tables"
"""Set of the ids of all tables that may exist or have rounds waiting for the archive."""
BIRTHS: Final = "births"
"""Sorted set of `name:incarnation` of all nodes that ever beat and were not tidied up, in the order of their starts."""
ROOMS: Final = "{lobby}:rooms"
"""Hash of the rooms with what a lobby shows of them: table id → summary."""
ROOM_CHANGES: Final = "{lobby}:changes"
"""Sorted set of table ids by the number of their latest change on the board."""
ROOM_COUNTER: Final = "{lobby}:counter"
"""Number of the latest change on the board."""

LISTENERS: Final = "listeners"
"""Sorted set of the users who listen to their events at some node, by the second at which that runs out."""


def lease(table: str) -> str:
    """Owner's token of a table, `epoch:node.incarnation.nonce`; no TTL."""
    return f"t:{{{table}}}:lease"


def page(table: str) -> str:
    """Number of the current log of a table: one page a round."""
    return f"t:{{{table}}}:page"


def log_prefix(table: str) -> str:
    """Prefix of the names of a table's logs; the page's number follows."""
    return f"t:{{{table}}}:log:"


def log(table: str, page_no: int) -> str:
    """List of the entries of one page."""
    return f"t:{{{table}}}:log:{page_no}"


def rounds(table: str) -> str:
    """Hash of what waits for the archive of a table: round number → the finished round, `end` → how the room ended."""
    return f"t:{{{table}}}:rounds"


END: Final = b"end"
"""The field of `rounds` that is no round."""


def refused(table: str) -> str:
    """Hash of finished rounds that the archive refused for good, kept for an operator."""
    return f"t:{{{table}}}:refused"


REFUSED: Final = "refused"
"""Set of the tables with anything in `refused`."""


def members(table: str) -> str:
    """Set of the users whose one seat is claimed for this table."""
    return f"t:{{{table}}}:claims"


def node(name: str, incarnation: str) -> str:
    """Heartbeat of a node's process; its life is 2 s."""
    return f"node:{name}:{incarnation}"


def inbox(owner: str) -> str:
    """List of errands for a node's process."""
    return f"inbox:{owner}"


def reply(errand: str) -> str:
    """Answer to a call, for its caller."""
    return f"reply:{errand}"


def seat(user: str) -> str:
    """The table at which a user holds their one seat."""
    return f"u:{{{user}}}:seat"


def seat_epoch(user: str) -> str:
    """The epoch of the owner who claimed that seat."""
    return f"u:{{{user}}}:epoch"


def notices(user: str) -> str:
    """Stream of a user's events outside of tables, the newest ones."""
    return f"u:{{{user}}}:notices"


def limit(budget: str, scope: str, who: str) -> str:
    """The moment at which a budget of the limiter will be full again."""
    return f"limit:{budget}:{scope}:{who}"


def rooms_of(address: str) -> str:
    """Set of the rooms that an address made and that are not known to be over."""
    return f"rooms:{address}"


def seats_of(address: str) -> str:
    """Set of the users who took a seat from an address and are not known to be without one."""
    return f"seats:{address}"


def making(room: str) -> str:
    """Mark that a room is being made, before it has a table; of a user, that they take a seat, before it is claimed."""
    return f"making:{{{room}}}"


def code(digits: str) -> str:
    """The room a code leads to; empty while the code is in quarantine."""
    return f"code:{digits}"


def visit(room: str, user: str) -> str:
    """Mark that a user was shown this room by its code."""
    return f"visit:{{{room}}}:{user}"


def ticket(user: str, secret: str) -> str:
    """A user's single-use ticket: the user and the scope."""
    return f"ticket:{{{user}}}:{secret}"


def void(user: str) -> str:
    """Mark of the last voiding of all tickets of a user; with it access tokens are looked up."""
    return f"void:{{{user}}}"


def alert(table: str) -> str:
    """Why a table was stopped, with the dump."""
    return f"alert:{table}"


ALERTS: Final = "alerts"
"""Sorted set of the tables with an open alert, by its time in ms."""


def repeat(user: str, key: str) -> str:
    """The answer that a user got under an Idempotency-Key, and a digest of what was asked."""
    return f"repeat:{{{user}}}:{key}"
