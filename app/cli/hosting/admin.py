"""`mj admin`: make operators and their tokens (in the database), and operate a running server (over `/v1/admin`).

Nothing here may do what the operators' API does not: there is one way in, and it is logged.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import os
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from app.cli.running import database_of, running
from app.embedded.places import StartError
from app.refusal import Refusal
from app.storage.archive.engine import AWAY, Archive, Db
from app.storage.archive.operators import operators
from app.storage.archive.operators.scopes import ROLE_SCOPES, SCOPES, granted
from app.storage.archive.people import passwords
from app.storage.archive.people.tokens import digest, new_secret

_PASSWORD_CHARS = 12
"""As over `/v1/admin/accounts`."""


def main(argv: list[str]) -> int:
    """Run the command. Returns the exit status. Raises StartError: no server or database found, or it refused."""
    given = _parser().parse_args(argv)
    try:
        status: int = given.run(given)
    except Refusal as refused:
        raise StartError(f"refused: {refused.message}.") from None
    except httpx.HTTPError as error:
        raise StartError(f"The server does not answer: {error}.") from None
    except AWAY as error:
        raise StartError(f"Postgres cannot be reached: {error}.") from None
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mj admin", description="Operate a running server: watch, dissolve, drain.")
    parser.add_argument("--data", type=Path, help="data folder of the running server (default: as `mj up`)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    account = _command(commands, "account", _account, "make an operator; the password is printed once")
    account.add_argument("name")
    account.add_argument("--role", choices=list(ROLE_SCOPES), default="admin")
    account.add_argument("--password", help="default: one is made up")
    account.add_argument("--reason", required=True, type=_why, help="the reason, for the audit log")
    account.add_argument("--database-url", help="default: MJ_DATABASE_URL, or that of the running server")

    token = _command(commands, "token", _token, "make an API token for an operator; it is printed once")
    token.add_argument("name")
    token.add_argument("--scopes", help=f"comma-separated, of {','.join(SCOPES)}; default: the role's, without inspect")
    token.add_argument("--days", type=int, help="days until it expires (default: until revoked)")
    token.add_argument("--reason", required=True, type=_why, help="the reason, for the audit log")
    token.add_argument("--database-url", help="default: MJ_DATABASE_URL, or that of the running server")

    for name, path, says in (
        ("rooms", "/rooms", "list running tables"),
        ("nodes", "/nodes", "list server processes"),
        ("counters", "/counters", "totals of rooms, people and the archive"),
        ("alerts", "/alerts", "list stopped tables and other alarms"),
        ("refused", "/refused", "list documents that the archive refused"),
    ):
        _calls(_command(commands, name, partial(_look, path=path), says))
    for name, path, what, says in (
        ("dissolve", "/rooms/{}/dissolve", "room", "dissolve a room; its running round is void"),
        ("freeze", "/rooms/{}/freeze", "room", "stop a table as it stands"),
        ("release", "/rooms/{}/release", "room", "let a frozen table go on"),
        ("drain", "/nodes/{}/drain", "node", "have a node hand its tables over"),
        ("close-alert", "/alerts/{}/close", "table", "somebody has seen to it"),
        ("retry-refused", "/refused/{}/retry", "table", "hand a table's documents to the archive again"),
    ):
        order = _command(commands, name, partial(_order, path=path), says)
        order.add_argument("target", metavar=what)
        order.add_argument("--reason", required=True, type=_why, help="the reason, for the audit log")
        _calls(order)
    return parser


def _why(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("give a reason; it may not be empty")
    return text.strip()[:200]


def _command(commands: Any, name: str, run: Callable[[argparse.Namespace], int], says: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=says, description=says)
    command.set_defaults(run=run)
    return command


def _calls(command: argparse.ArgumentParser) -> None:
    command.add_argument("--url", help="the server's address (default: that of the running server)")
    command.add_argument("--token", help="an operator's token (default: MJ_ADMIN_TOKEN)")


def _account(given: argparse.Namespace) -> int:
    password = given.password or secrets.token_urlsafe(12)
    if len(password) < _PASSWORD_CHARS:
        raise StartError(f"an operator's password has at least {_PASSWORD_CHARS} characters.")
    row = asyncio.run(_create(given, password))
    print(f"operator {row['name']} ({row['role']}) made")
    if given.password is None:
        print(f"password: {password}")
    return 0


async def _create(given: argparse.Namespace, password: str) -> dict[str, Any]:
    async with _archive(given) as archive:
        password_hash = await passwords.hashed(password)
        detail = {"name": given.name, "role": given.role}
        try:
            async with archive.begin() as db:
                made = await operators.create_account(db, given.name, given.role, password_hash)
                await _log(db, given, "create_account", made["id"], 201, detail)
        except Refusal as refused:
            async with archive.begin() as db:
                await _log(db, given, "create_account", "", 409, {**detail, "error": refused.code})
            raise
        return made


def _token(given: argparse.Namespace) -> int:
    scopes = given.scopes.split(",") if given.scopes else None
    unknown = set(scopes or ()) - set(SCOPES)
    if unknown:
        raise StartError(f"there is no scope '{unknown.pop()}'; known are {', '.join(SCOPES)}.")
    print(asyncio.run(_create_token(given, scopes)))
    return 0


async def _create_token(given: argparse.Namespace, scopes: list[str] | None) -> str:
    expires = None if given.days is None else datetime.now(UTC) + timedelta(days=given.days)
    secret = new_secret()
    async with _archive(given) as archive, archive.begin() as db:
        account = await operators.credentials(db, given.name)
        if account is not None:
            told = granted(account[1], scopes)
            token_id = await operators.create_token(db, account[0], "command line", digest(secret), told, expires)
            detail = {"name": given.name, "scopes": ",".join(sorted(told))}
            await _log(db, given, "make_token", token_id, 201, detail)
            return secret
        await _log(db, given, "make_token", "", 404, {"name": given.name, "error": "not_found"})
    raise StartError(f"there is no operator '{given.name}': make one with `mj admin account {given.name}`.")


@asynccontextmanager
async def _archive(given: argparse.Namespace) -> AsyncIterator[Archive]:
    archive = Archive.at(database_of(given.data, given.database_url), connections=1)
    try:
        yield archive
    finally:
        await archive.close()


async def _log(
    db: Db, given: argparse.Namespace, action: str, subject: str, status: int, detail: dict[str, Any]
) -> None:
    """Who, as far as a machine knows: the name of the user who runs the command."""
    await operators.log_call(db, f"command line: {_user()}", action, subject, given.reason, status, detail)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _look(given: argparse.Namespace, path: str) -> int:
    return _call(given, "GET", path)


def _order(given: argparse.Namespace, path: str) -> int:
    return _call(given, "POST", path.format(given.target), {"reason": given.reason})


def _call(given: argparse.Namespace, method: str, path: str, body: dict[str, Any] | None = None) -> int:
    """Call the operators' API and print its answer. Exit status 1 when it is an error."""
    token = given.token or os.environ.get("MJ_ADMIN_TOKEN")
    if not token:
        raise StartError("give --token or MJ_ADMIN_TOKEN; `mj admin token NAME` makes one.")
    url = (given.url or running(given.data).get("url") or "").rstrip("/")
    if not url:
        raise StartError("no running server was found; give --url.")
    response = httpx.request(
        method, f"{url}/v1/admin{path}", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=30
    )
    print(json.dumps(response.json(), ensure_ascii=False, indent=1))
    return 0 if response.is_success else 1
