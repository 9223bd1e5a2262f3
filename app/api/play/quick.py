"""Quick match: the oldest public table that fits and has a free seat, else a new one. No rooms by invitation here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from fastapi import APIRouter

from app.api.people.identity import Caller, CurrentUser, RemoteAddress, ServicesDep
from app.api.play import opening
from app.api.play.bodies import QuickMatch, RoomOut
from app.api.play.company import marks_of, refuse_bot_account
from app.api.play.rooms import open_and_sit_down, refuse_seated, shown, sit_down
from app.api.services import Services
from app.refusal import ErrorCode, Refusal
from app.rest.errors import signed_in
from app.storage.archive.people import people
from app.storage.archive.play import rooms
from app.tables.asks import Company
from app.tables.ports import Summary

router = APIRouter(tags=["rooms"])

_NEXT_TABLE = frozenset({
    ErrorCode.ROOM_FULL, ErrorCode.SEAT_TAKEN, ErrorCode.NOT_NOW, ErrorCode.NO_SUCH_ROOM, ErrorCode.ROOM_CLOSED,
    ErrorCode.FROZEN,
})  # fmt: skip
"""Refusals of one table that say nothing about the next."""
_AT_ONCE: Final = timedelta(0)
_UNRANKED: Final[tuple[tuple[Company, timedelta], ...]] = (("any", _AT_ONCE),)
_RANKED: Final[tuple[tuple[Company, timedelta], ...]] = (
    ("apart", _AT_ONCE), ("own", _AT_ONCE), ("any", timedelta(seconds=30)),
)  # fmt: skip
"""Kinds of company in the order in which tables are tried, and how long a table must have been open for it (S15)."""


@router.post(
    "/quick",
    responses=signed_in(ErrorCode.CONFLICT, ErrorCode.TOO_MANY_TABLES, ErrorCode.BUSY, ErrorCode.NOT_ALLOWED),
)
async def quick_match(asked: QuickMatch, me: CurrentUser, services: ServicesDep, remote: RemoteAddress) -> RoomOut:
    """A seat at a public table of just these rules: one that waits for players, else a new one.

    Default rules of a game with a ladder make a ranked table. People who block each other, or whom a circle keeps
    apart, are not brought together. People of one address, device or circle meet at a ranked table only where
    everybody waits who shares something with the caller, or after 30 s of waiting; then its rounds do not count.
    """
    await refuse_seated(services, me.id)
    rules = opening.preset_rules(services, asked.variant, asked.rules, asked.players)
    wanted = opening.Wanted(asked.variant, rules, {}, ranked=_ranked(services, asked.variant, rules))
    refuse_bot_account(services, me, wanted.ranked)
    spec = opening.checked(services, wanted, None)
    await services.limiter.spend("seat", user=me.id, address=remote)
    await services.rooms.count_seat(me.id, remote)
    async with services.quick, services.archive.begin() as db:
        # Two people who ask at the same moment meet at one table instead of opening two.
        await rooms.one_at_a_time(db, f"quick {spec.variant} {sorted(spec.rules.items())}")
        await refuse_seated(services, me.id)  # the caller may have asked twice at once
        shunned = await people.shunned(db, me.id)
        full = {live.table_id for live in await services.rooms.listed("public") if not _fits(live)}
        marks = await marks_of(services, me, remote) if spec.ranked else ()
        waiting = [
            open_ for open_ in await rooms.open_public(db, spec.variant, dict(spec.rules)) if open_[0] not in full
        ]
        for company, after in _RANKED if marks else _UNRANKED:
            for room_id, age in waiting:
                if age >= after and await _sit_down(services, me, room_id, shunned, marks, company):
                    return await shown(services, room_id)
        await services.limiter.spend("room", user=me.id, address=remote)
        opened = await open_and_sit_down(services, me, wanted, None, remote)
    return await shown(services, opened)


def _ranked(services: Services, slug: str, rules: dict[str, Any]) -> bool:
    """Do tables of these rules count for a ladder? (TJ-15.4: public, default rules; the game has one.)"""
    variant = services.variants[slug]
    default = opening.checked(services, opening.Wanted(slug, {}, {}), None).rules
    chosen = opening.checked(services, opening.Wanted(slug, rules, {}), None).rules
    return bool(variant.meta.ladder) and chosen == default


async def _sit_down(
    services: Services, me: Caller, room_id: str, shunned: set[str], marks: tuple[str, ...], company: Company
) -> bool:
    try:
        if await services.rooms.claims(room_id) & shunned:
            return False
        await sit_down(services, me, room_id, None, marks, company)
    except Refusal as refused:
        if refused.code in _NEXT_TABLE:
            return False
        raise
    return True


def _fits(live: Summary) -> bool:
    return live.phase == "waiting" and not live.frozen and None in live.seats
