"""Company at a table: people who must not sit together, and people who may know each other at ranked tables (S15)."""

from __future__ import annotations

from app.api.people.identity import Caller
from app.api.services import Services
from app.refusal import ErrorCode, Refusal
from app.storage.archive.circles import circles
from app.storage.archive.paging import Row
from app.storage.archive.people import people
from app.storage.live.limiter import address_group
from app.tables.match.marks import Kind, mark


async def refuse_company(services: Services, me: Caller, room: Row) -> None:
    """Raises Refusal room_full when the caller must not sit there: the host blocks them, or they are kept apart: by the
    pairs of the room's circle; at public tables by blocks and the pairs of all circles. The answer is the same as for a
    room without a free seat, so that nobody learns who avoids them.
    """
    others = await services.rooms.claims(room["id"]) - {me.id}
    async with services.archive.read() as db:
        host, circle = room["host_id"], room["circle_id"]
        if (
            (host is not None and await people.blocks_him(db, host, me.id))
            or (room["kind"] == "public" and others & await people.shunned(db, me.id))
            or (circle is not None and await circles.kept_apart(db, circle, me.id, sorted(others)))
        ):
            raise Refusal(ErrorCode.ROOM_FULL)


async def marks_of(services: Services, me: Caller, address: str) -> tuple[str, ...]:
    """The caller's marks for a ranked table: their address (IPv6: its /64), devices and circles, as keyed hashes.

    Only of the kinds in `MJ_RANKED_APART`.
    """
    async with services.archive.read() as db:
        devices, joined = await people.belongings(db, me.id)
    has: dict[Kind, list[str]] = {
        "address": [address_group(address)], "device": [device.hex() for device in devices], "circle": joined,
    }  # fmt: skip
    secret, apart = services.settings.secret.get_secret_value(), services.settings.ranked_apart
    return tuple([mark(secret, kind, what) for kind, found in has.items() if kind in apart for what in found])


def refuse_bot_account(services: Services, me: Caller, ranked: bool) -> None:
    """Raises Refusal not_allowed for a bot account at a ranked table, unless `MJ_RANKED_BOTS` lets them in."""
    if ranked and me.user.bot and not services.settings.ranked_bots:
        raise Refusal(ErrorCode.NOT_ALLOWED, "bot accounts do not sit at ranked tables", reason="bot_account")
