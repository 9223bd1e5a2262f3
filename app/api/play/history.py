"""Finished play: own matches and rounds, a round's ledger and record, and records by share code.

Readers took part, or hold the code.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import AwareDatetime

from app.api.limits import guessing
from app.api.people.identity import CurrentUser, RemoteAddress, ServicesDep
from app.api.play.past import (
    DealingsOut,
    MatchDetailOut,
    MatchesOut,
    MatchFileOut,
    MyRoundsOut,
    RecordOut,
    RoundDetailOut,
    ShareCodeOut,
    SharedRecordOut,
    StatisticsListOut,
)
from app.records.bundle import bundle
from app.records.codec import nameless
from app.refusal import ErrorCode
from app.rest.bodies import Cursor, IdPath, Limit
from app.rest.errors import anywhere, signed_in
from app.storage.archive.play import history, shares, statistics
from app.storage.archive.play.history import Filter

router = APIRouter(tags=["history"])

_ITS_READERS = signed_in(ErrorCode.NOT_FOUND)
VariantQuery = Annotated[str | None, Query(pattern=r"^[a-z][a-z0-9_]{0,31}$", description="Only of this game.")]


async def _wanted(
    variant: VariantQuery = None,
    outcome: Annotated[Literal["won", "exhausted", "void", "failed"] | None, Query()] = None,
    since: Annotated[AwareDatetime | None, Query(description="Ended then or later.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Ended before.")] = None,
) -> Filter:
    return Filter(variant, None, outcome, _in_range(since), _in_range(until))


def _in_range(at: datetime | None) -> datetime | None:
    """Moments that Postgres cannot hold in every zone are as good as none."""
    return at if at is None or 1 < at.year < 9999 else None


Wanted = Annotated[Filter, Depends(_wanted)]
CircleQuery = Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_.-]{1,80}$", description="Only of this circle.")]


@router.get("/me/matches", responses=signed_in())
async def my_matches(
    me: CurrentUser,
    services: ServicesDep,
    wanted: Wanted,
    circle: CircleQuery = None,
    cursor: Cursor = None,
    limit: Limit = 20,
) -> MatchesOut:
    """My matches, newest first. Filters look at their rounds."""
    async with services.archive.read() as db:
        items, following = await history.matches_of(db, me.id, replace(wanted, circle_id=circle), cursor, limit)
    return MatchesOut.model_validate({"items": items, "cursor": following})


@router.get("/me/rounds", responses=signed_in())
async def my_rounds(
    me: CurrentUser,
    services: ServicesDep,
    wanted: Wanted,
    circle: CircleQuery = None,
    cursor: Cursor = None,
    limit: Limit = 20,
) -> MyRoundsOut:
    """My rounds, newest first."""
    async with services.archive.read() as db:
        items, following = await history.rounds_of(db, me.id, replace(wanted, circle_id=circle), cursor, limit)
    return MyRoundsOut.model_validate({"items": items, "cursor": following})


@router.get("/me/dealings", responses=signed_in())
async def my_dealings(
    me: CurrentUser, services: ServicesDep, variant: VariantQuery = None, cursor: Cursor = None, limit: Limit = 20
) -> DealingsOut:
    """My dealer, 坐庄 and 拉庄 history, newest first."""
    async with services.archive.read() as db:
        items, following = await history.dealings_of(db, me.id, variant, cursor, limit)
    return DealingsOut.model_validate({"items": items, "cursor": following})


@router.get("/me/statistics", responses=signed_in())
async def my_statistics(me: CurrentUser, services: ServicesDep) -> StatisticsListOut:
    """My rounds, win rate, favourite 番 and biggest round, per game."""
    async with services.archive.read() as db:
        return StatisticsListOut.model_validate({"items": await statistics.of_player(db, me.id)})


@router.get("/matches/{match}", responses=_ITS_READERS)
async def match_detail(match: IdPath, me: CurrentUser, services: ServicesDep) -> MatchDetailOut:
    """A match with its rounds: for its players and the members of its circle."""
    async with services.archive.read() as db:
        return MatchDetailOut.model_validate(await history.match(db, match, me.id))


@router.get("/matches/{match}/export", responses=_ITS_READERS)
async def export_match(match: IdPath, me: CurrentUser, services: ServicesDep) -> MatchFileOut:
    """The records of a match as one file to take along: without the ids of its players, room and match."""
    async with services.archive.read() as db:
        variant, kept = await history.records_of_match(db, match, me.id)
    return MatchFileOut.model_validate(bundle(match, variant, kept))


@router.get("/rounds/{round_id}", responses=_ITS_READERS)
async def round_detail(round_id: IdPath, me: CurrentUser, services: ServicesDep) -> RoundDetailOut:
    """A round with all ledger lines: for its players and the members of its circle. The id is `<match>.<round_no>`."""
    async with services.archive.read() as db:
        return RoundDetailOut.model_validate(await history.round_detail(db, round_id, me.id))


@router.get("/records/{round_id}", responses=_ITS_READERS)
async def record(round_id: IdPath, me: CurrentUser, services: ServicesDep) -> RecordOut:
    """The record (牌谱) of a finished round: for its players and the members of its circle."""
    async with services.archive.read() as db:
        return RecordOut(record=await history.record(db, round_id, me.id))


@router.post("/rounds/{round_id}/share", responses=_ITS_READERS)
async def share(round_id: IdPath, me: CurrentUser, services: ServicesDep) -> ShareCodeOut:
    """A code with which anybody may read this record; again: the same code."""
    async with services.archive.begin() as db:
        return ShareCodeOut(code=await shares.share(db, round_id, me.id))


@router.get("/shares/{code}", responses=anywhere(ErrorCode.NOT_FOUND))
async def shared(
    code: Annotated[str, Path(pattern=r"^[a-z0-9]{12}$")], services: ServicesDep, remote: RemoteAddress
) -> SharedRecordOut:
    """The record behind a share code, for anybody: without the ids of its players, room, match and circle."""
    async with guessing(services.limiter, address=remote), services.archive.read() as db:
        round_id = await shares.shared_round(db, code)
        found = await history.round_for_authorised(db, round_id)
        kept = await history.record_for_authorised(db, round_id)
    seats = [{**seat, "user_id": None} for seat in found["seats"]]
    names_nothing = {**found, "id": code, "match_id": code, "circle_id": None, "seats": seats}
    return SharedRecordOut.model_validate({"round": names_nothing, "record": nameless(kept, code)})
