"""What webhooks are told of finished play: who sat where and their points, never a tile, people by id only."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from app.storage.archive.engine import Archive
from app.storage.archive.webhooks import hooks
from app.tables.log.documents import FinishedMatch, FinishedRound


async def tell(archive: Archive, document: FinishedRound | FinishedMatch, at: datetime) -> None:
    """Queue the events of a document that is stored; nothing outside of circles.

    A document is handed over until this is done too, and an event is queued once however often that happens.
    """
    if document.circle is None:
        return
    where = {"room": document.table, "match": document.match}
    async with archive.begin() as db:
        if isinstance(document, FinishedRound):
            told = {**where, **_round(document)}
            await hooks.queue(db, document.circle, "round.ended", told, at, once=told["round"])
        if document.match_over is not None:
            ranking = [{"user": row.user, "total": row.total, "rank": row.rank} for row in document.match_over.ranking]
            over = {**where, "reason": document.match_over.reason, "ranking": ranking}
            await hooks.queue(db, document.circle, "match.ended", over, at, once=document.match)


def _round(finished: FinishedRound) -> dict[str, Any]:
    seats = [
        {"user": None if seat.bot else seat.user, "bot": seat.bot or seat.user is None, "net": net}
        for seat, net in zip(finished.seats, finished.nets, strict=True)
    ]
    return {
        "round": f"{finished.match}.{finished.round_no}", "variant": finished.variant, "outcome": finished.outcome,
        "seats": seats,
    }  # fmt: skip
