"""`mj admin` makes operators and tokens that work, and says in a sentence what is wrong."""

import asyncio

import pytest

from app.admin.audit import identify
from app.admin.services import AdminServices
from app.devstack.admin import main
from app.devstack.places import StartError
from app.settings import Settings
from app.storage.archive import operators
from app.storage.archive.engine import Archive
from app.storage.archive.operators import Operator
from tests.admin.doubles import TablesInMemory
from tests.api.conftest import StandingClock


def _identify(database_url: str, token: str) -> Operator | None:
    async def ask() -> Operator | None:
        archive = Archive.at(database_url, connections=1)
        try:
            own = Settings(database_url=database_url)
            tables = TablesInMemory()
            return await identify(
                AdminServices(own, archive, tables, StandingClock(), lambda caller: None, frozenset()), token
            )
        finally:
            await archive.close()

    return asyncio.run(ask())


def test_an_operator_and_a_token_are_made(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["account", "夜班", "--role", "operator", "--database-url", database_url]) == 0
    assert "password: " in capsys.readouterr().out
    assert main(["token", "夜班", "--scopes", "read,operate,inspect", "--database-url", database_url]) == 0
    found = _identify(database_url, capsys.readouterr().out.strip())
    assert found is not None and (found.name, found.scopes) == ("夜班", {"read", "operate"})


def test_what_cannot_be_done_is_said(database_url: str) -> None:
    main(["account", "夜班", "--database-url", database_url, "--password", "a long password"])
    for words, says in (
        (["account", "夜班"], "has this name"),
        (["token", "白班"], "no operator '白班'"),
        (["token", "夜班", "--scopes", "fly"], "no scope 'fly'"),
    ):
        with pytest.raises(StartError, match=says):
            main([*words, "--database-url", database_url])
    with pytest.raises(StartError, match="cannot be reached"):
        main(["token", "夜班", "--database-url", "postgresql://quezhuo@/none?host=/nowhere"])


def test_what_the_command_line_did_is_in_the_log(database_url: str) -> None:
    main(["account", "夜班", "--database-url", database_url, "--password", "a long password"])

    async def ask() -> list[str]:
        archive = Archive.at(database_url, connections=1)
        try:
            async with archive.read() as db:
                return [line["action"] for line in await operators.audit(db, "command line", None, None, None, 10)]
        finally:
            await archive.close()

    assert asyncio.run(ask()) == ["create_account"]
