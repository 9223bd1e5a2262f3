"""D3: hashing has a bounded queue, and operators have a worker of their own."""

import asyncio

import pytest

from app.refusal import ErrorCode, Refusal
from app.storage.archive.people import passwords


async def test_more_hashes_than_can_wait_are_refused_and_an_operator_is_served_meanwhile() -> None:
    """D3: an operator's sign-in took two minutes behind 40 of players."""
    kept = await passwords.hashed("correct horse", operators=True)
    players = [asyncio.ensure_future(passwords.matches("a guess", None)) for _ in range(40)]
    await asyncio.sleep(0)
    assert await passwords.matches("correct horse", kept, operators=True)
    assert any(not player.done() for player in players), "the operator did not wait for them"
    answers = await asyncio.gather(*players, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refused) == 40 - 32 and {refusal.code for refusal in refused} == {ErrorCode.BUSY}
    assert answers.count(False) == 32
    assert not await passwords.matches("another", kept), "and then there is room again"


async def test_a_wrong_password_is_wrong_whoever_asks() -> None:
    kept = await passwords.hashed("correct horse")
    assert await passwords.matches("correct horse", kept)
    for operators in (False, True):
        assert not await passwords.matches("wrong", kept, operators=operators)
        with pytest.raises(Refusal):
            await _too_many(operators)


async def _too_many(operators: bool) -> None:
    await asyncio.gather(*[passwords.matches("x", None, operators=operators) for _ in range(33)])
