"""S10: bearer tokens cannot be guessed at leisure, and a right one costs nothing."""

from typing import Any

import httpx
from fastapi import FastAPI

from app.storage.live.limiter import BUDGETS


async def test_wrong_bearers_of_one_address_are_refused_after_some(
    http: httpx.AsyncClient, admin_app: FastAPI, staff: Any
) -> None:
    tries = BUDGETS["bearer"]["address"].burst
    operator = await staff("admin")
    for _ in range(2 * tries):
        assert (await operator.call("GET", "/admin/me")).status_code == 200
    answers = [
        await http.get("/v1/admin/me", headers={"authorization": f"Bearer guess{number}"})
        for number in range(tries + 1)
    ]
    assert [answer.status_code for answer in answers] == [401] * tries + [429]
    assert int(answers[-1].headers["retry-after"]) <= BUDGETS["bearer"]["address"].every_s
    assert (await operator.call("GET", "/admin/me")).status_code == 429, "a right one could be the next guess"
