"""`Idempotency-Key`: making something over REST again, after a lost answer, gives the answer of the first time."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Header
from pydantic import BaseModel

from app.storage.live.rooms.repeats import Repeats
from app.storage.live.wire.link import StoreUnavailable

Made = TypeVar("Made", bound=BaseModel)

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key", pattern=r"^[!-~]{1,100}$",
        description="Chosen by the client, new for each thing to make. The same key with the same body gives the first "
        "answer again, for a day; with another body 422 `reused`; while the first is under way 409 `under_way`.",
    ),
]  # fmt: skip


async def once(
    repeats: Repeats, key: str | None, user: str, what: str, asked: BaseModel, made: type[Made],
    make: Callable[[], Awaitable[Made]],
) -> Made:  # fmt: skip
    """`make()`, or the answer that it gave to this user under this key. `what`: the operation, part of the request.

    Raises as `make` and `Repeats.begin` do. An answer that cannot be kept is given all the same.
    """
    if key is None:
        return await make()
    request = f"{what} {asked.model_dump_json()}"
    before = await repeats.begin(user, key, request)
    if before is not None:
        return made.model_validate_json(before)
    try:
        answer = await make()
    except BaseException:
        with contextlib.suppress(StoreUnavailable):  # it runs out by itself
            await repeats.forget(user, key)
        raise
    with contextlib.suppress(StoreUnavailable):
        await repeats.finish(user, key, request, answer.model_dump_json())
    return answer
