"""`mj admin` makes operators and tokens that work, and says in a sentence what is wrong."""

import asyncio
import getpass
from typing import Any

import pytest

from app.admin.callers import identify
from app.admin.services import AdminServices
from app.cli.hosting.admin import main
from app.embedded.places import StartError
from app.settings import Settings
from app.storage.archive.engine import Archive
from app.storage.archive.operators import operators
from app.storage.archive.operators.operators import Operator
from app.storage.live.limiter import Limiter
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import StandingClock

WHY = ["--reason", "night shift"]


def _identify(database_url: str, token: str) -> Operator | None:
    async def ask() -> Operator | None:
        archive = Archive.at(database_url, connections=1)
        try:
            own = Settings(database_url=database_url)
            tables = TablesInMemory()
            return await identify(
                AdminServices(own, archive, tables, tables, StandingClock(), frozenset(), Limiter(), tables), token
            )
        finally:
            await archive.close()

    return asyncio.run(ask())


def test_an_operator_and_a_token_are_made(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["account", "夜班", "--role", "operator", *WHY, "--database-url", database_url]) == 0
    assert "password: " in capsys.readouterr().out
    assert main(["token", "夜班", "--scopes", "read,operate,inspect", *WHY, "--database-url", database_url]) == 0
    found = _identify(database_url, capsys.readouterr().out.strip())
    assert found is not None and (found.name, found.scopes) == ("夜班", {"read", "operate"})


def test_what_cannot_be_done_is_said(database_url: str) -> None:
    main(["account", "夜班", *WHY, "--database-url", database_url, "--password", "a long password"])
    for words, says in (
        (["account", "夜班"], "has this name"),
        (["token", "白班"], "no operator '白班'"),
        (["token", "夜班", "--scopes", "fly"], "no scope 'fly'"),
        (["account", "早班", "--password", "too short"], "at least 12"),
    ):
        with pytest.raises(StartError, match=says):
            main([*words, *WHY, "--database-url", database_url])
    with pytest.raises(StartError, match="cannot be reached"):
        main(["token", "夜班", *WHY, "--database-url", "postgresql://quezhuo@/none?host=/nowhere"])


@pytest.mark.parametrize("words", [["account", "夜班"], ["token", "夜班"], ["dissolve", "room1"], ["drain", "n1"]])
def test_nothing_is_done_without_a_reason(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for why in ([], ["--reason", " "]):
        with pytest.raises(SystemExit) as stopped:
            main([*words, *why])
        assert stopped.value.code == 2 and "--reason" in capsys.readouterr().err


def test_what_the_command_line_did_and_tried_is_in_the_log(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [*WHY, "--database-url", database_url]
    main(["account", "夜班", *where, "--password", "a long password"])
    main(["token", "夜班", *where])
    for words in (["account", "夜班"], ["token", "白班"]):
        with pytest.raises(StartError):
            main([*words, *where])

    async def ask() -> list[dict[str, Any]]:
        archive = Archive.at(database_url, connections=1)
        try:
            async with archive.read() as db:
                return await operators.audit(db, None, None, None, None, 10)
        finally:
            await archive.close()

    lines = asyncio.run(ask())
    assert [(line["action"], line["status"], line["detail"]["name"]) for line in reversed(lines)] == [
        ("create_account", 201, "夜班"), ("make_token", 201, "夜班"), ("create_account", 409, "夜班"),
        ("make_token", 404, "白班"),
    ]  # fmt: skip
    assert {(line["actor"], line["reason"]) for line in lines} == {(f"command line: {getpass.getuser()}", WHY[1])}
    printed = capsys.readouterr().out.split()
    assert not [secret for secret in ("a long password", printed[-1]) if secret in str(lines)]
