"""Inviting a bot account to a table: its program hears of it and comes by itself."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.people.identity import CurrentUser, ServicesDep
from app.api.play.bodies import InviteBot
from app.refusal import ErrorCode, Refusal, not_found
from app.rest.bodies import IdPath
from app.rest.errors import signed_in
from app.service.words.looks import skeleton
from app.storage.archive.people import bots, people
from app.storage.archive.play import rooms

router = APIRouter(tags=["rooms"])


@router.post(
    "/rooms/{room}/invitations",
    status_code=204,
    response_class=Response,
    responses=signed_in(
        ErrorCode.NOT_FOUND, ErrorCode.NO_SUCH_ROOM, ErrorCode.NOT_HOST, ErrorCode.NOT_NOW, ErrorCode.NOT_ALLOWED
    ),
)
async def invite_bot(room: IdPath, asked: InviteBot, me: CurrentUser, services: ServicesDep) -> None:
    """As the host, before the match: invite a bot account by its name. It is told (`invited`) and joins by itself.

    404 also for a person's account: only bot accounts can be invited.
    """
    summary = await services.rooms.summary(room)
    if summary is None:
        raise Refusal(ErrorCode.NO_SUCH_ROOM, "there is no such room")
    if summary.host != me.id:
        raise Refusal(ErrorCode.NOT_HOST)
    if summary.phase != "waiting":
        raise Refusal(ErrorCode.NOT_NOW, "bots are invited before the match")
    await services.limiter.spend("invitation", user=me.id)
    async with services.archive.read() as db:
        bot = await bots.bot_of_name(db, skeleton(asked.bot))
        if await people.blocks_him(db, bot["id"], me.id):
            raise not_found("bot account")
        await rooms.refuse_stranger(db, summary.circle, bot["id"])
    await services.rooms.note_visit(room, bot["id"])
    host = {"user": me.id, "name": me.user.name}
    if not await services.events.note(bot["id"], "invited", room=room, variant=summary.variant, by=host):
        raise Refusal(ErrorCode.BUSY, "the bot could not be told; try again")
