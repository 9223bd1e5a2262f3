"""Public facts about the players at a table: rounds, win rate, 等级. The page shows it at their seats."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.people.identity import CurrentUser, ServicesDep
from app.api.play.ladder import level_of
from app.api.play.past import PlayersOut
from app.api.play.rooms import enter, knows
from app.refusal import ErrorCode, Refusal
from app.rest.bodies import IdPath
from app.rest.errors import signed_in
from app.storage.archive.play import ladder, statistics

router = APIRouter(tags=["rooms"])


@router.get("/rooms/{room}/players", responses=signed_in(ErrorCode.NO_SUCH_ROOM, ErrorCode.NOT_ALLOWED))
async def players(room: IdPath, me: CurrentUser, services: ServicesDep) -> PlayersOut:
    """The public record of everybody who holds a seat, in the room's game; bots are not listed.

    For those who may see who sits there: players, who came by the code, and everybody in a public or a circle's room.
    """
    found = await enter(services, me, room, closed=True)
    if found["kind"] == "private" and not await knows(services, me, room):
        raise Refusal(ErrorCode.NOT_ALLOWED, "only those who know the room's code see who plays there")
    users = sorted(await services.rooms.claims(room))
    slug = found["variant"]
    async with services.archive.read() as db:
        played = await statistics.of_players(db, slug, users)
        totals = await ladder.totals(db, slug, users)
    variant = services.variants.get(slug)
    levels = variant.meta.ladder if variant is not None else ()
    items = []
    for user in users:
        level = level_of(levels, totals.get(user, 0)) if levels else None
        rounds, wins = played.get(user, (0, 0))
        items.append(
            {
                "user": user,
                "rounds": rounds,
                "win_rate": round(wins / rounds, 4) if rounds else 0.0,
                "level": level.level if level else None,
                "level_name": level.name if level else None,
            }
        )
    return PlayersOut.model_validate({"items": items})
