"""One's own events as a stream, for programs that must not poll."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from app.api.people.identity import CurrentUser, ServicesDep
from app.refusal import ErrorCode
from app.rest.errors import signed_in

router = APIRouter(prefix="/me", tags=["me"])

_NDJSON = "application/x-ndjson"


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        **signed_in(ErrorCode.FORBIDDEN, ErrorCode.BUSY),
        200: {
            "description": "One JSON object a line, and blank lines between.",
            "content": {_NDJSON: {"schema": {"type": "string"}}},
        },
    },
)
async def events(
    me: CurrentUser,
    services: ServicesDep,
    cursor: Annotated[
        str | None, Query(pattern=r"^[0-9]{1,15}-[0-9]{1,10}$", description="`id` of the last line that was read.")
    ] = None,
) -> StreamingResponse:
    """My events while the connection lasts, one JSON object a line. A blank line comes at least every 15 s.

    Types: `invited`, `table_ready`, `turn`, `round_ended`, `match_ended`, `application`, `application_decided`. The
    first line is `open`, the last `end` with a `reason`. Come back with the last `id` as `cursor` within a minute
    and nothing is missed. Hints, no record: an event may come twice, and is lost where the live store was away.
    """
    services.events.refuse_full()
    lines = services.events.lines(me.id, me.session_id, cursor)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(lines, media_type=_NDJSON, headers=headers)
