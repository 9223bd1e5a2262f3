"""`mj up`: the embedded stores, the schema, the nodes, one port. Composition only; each part lies in its own module."""

import argparse
import asyncio
import contextlib
import errno
import json
import os
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pydantic import SecretStr, ValidationError

from app.embedded.places import StartError, default_data_folder, writable_folder
from app.embedded.postgres import start_postgres
from app.embedded.process import take_lock
from app.embedded.valkey import start_valkey
from app.serving.migrate import upgrade
from app.serving.supervise import Node, supervise
from app.settings import Settings


def main(argv: list[str]) -> int:
    """Serve until stopped. Returns the exit status. Raises StartError with a sentence for the person who started it."""
    settings = _settings(argv)
    stop = _Stop()
    # The stores are started here, before any event loop or thread; they stop last, whatever happens.
    with contextlib.ExitStack() as cleanup:
        settings = cleanup.enter_context(_data_folder(settings))
        listen = cleanup.enter_context(_listening(settings))
        settings = cleanup.enter_context(_stores(settings, stop))
        say("Migrating the database …")
        upgrade(settings.database_url)
        stop.here_if_asked()
        asyncio.run(supervise(settings, listen, say=say, on_up=_Announcement(settings, _url(settings, listen))))
    return 0


def say(text: str) -> None:
    """A line for the person at the terminal."""
    print(text, flush=True)


class _Stop:
    """Stop signals before the event loop is there: obeyed between two steps, so that no store is left half started.

    A second one is obeyed at once.
    """

    def __init__(self) -> None:
        self._asked = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a background start ignores SIGINT at birth
            signal.signal(number, self._note)

    def here_if_asked(self) -> None:
        """Raises SystemExit when a stop signal has come."""
        if self._asked:
            raise SystemExit(128 + self._asked)

    def _note(self, number: int, _frame: object) -> None:
        self.here_if_asked()
        self._asked = number


def _settings(argv: list[str]) -> Settings:
    parser = argparse.ArgumentParser(prog="mj up", description="Start the server. Every option may be set as MJ_… too.")
    parser.add_argument("--host", help="address to listen on (127.0.0.1; 0.0.0.0 for every interface)")
    parser.add_argument("--port", type=int, help="port to listen on (8000; 0 takes a free one)")
    parser.add_argument("--data", type=Path, help="data folder (.data in the clone)")
    parser.add_argument("--nodes", type=int, help="server processes behind the port (1)")
    parser.add_argument("--no-embedded", dest="embedded", action="store_false", help="start no stores; give both URLs")
    parser.add_argument("--valkey-url", help="use this Valkey or Redis instead of the embedded one")
    parser.add_argument("--database-url", help="use this Postgres instead of the embedded one")
    parser.add_argument("--open", action=argparse.BooleanOptionalAction, help="open a browser (off)")
    parser.set_defaults(embedded=None)
    given = {name: value for name, value in vars(parser.parse_args(argv)).items() if value is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        problem = error.errors()[0]
        name = str(problem["loc"][0]) if problem["loc"] else "settings"
        raise StartError(f"--{name.replace('_', '-')} (MJ_{name.upper()}): {problem['msg']}.") from None
    if not settings.embedded and not (settings.valkey_url and settings.database_url):
        raise StartError("--no-embedded needs both --valkey-url and --database-url.")
    return settings


@contextlib.contextmanager
def _data_folder(settings: Settings) -> Iterator[Settings]:
    """The data folder, ours alone while we run, and the signing key in it. Needed by nobody when all is given."""
    given = {"secret", "valkey_url", "database_url"} <= settings.model_fields_set
    if given and settings.data is None:
        yield settings
        return
    usual = default_data_folder()
    folder = writable_folder(settings.data or usual)
    with take_lock(folder / "lock", f"The data folder {folder}"):
        say(f"Data folder: {folder}")
        changed: dict[str, object] = {"data": folder}
        if "secret" not in settings.model_fields_set:
            changed["secret"] = SecretStr(_kept_secret(folder / "secret"))
        yield settings.model_copy(update=changed)
        (folder / "run.json").unlink(missing_ok=True)


def _kept_secret(path: Path) -> str:
    """The signing key, made at the first start; tokens stay good over restarts. Only its owner may read the file."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text("ascii").strip()
    secret = secrets.token_urlsafe(32)
    with _private(path) as file:
        file.write(secret + "\n")
    return secret


def _private(path: Path) -> TextIO:
    """A new file that only its owner may read."""
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")


@contextlib.contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """The public socket. Held here, so that it outlives a node that is replaced."""
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        listen = socket.create_server((settings.host, settings.port), family=family, backlog=1024)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(f"Port {settings.port} is taken by another program: stop it, or give --port.") from None
        raise StartError(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}.") from None
    with listen:
        yield listen


@contextlib.contextmanager
def _stores(settings: Settings, stop: _Stop) -> Iterator[Settings]:
    """The embedded stores, those for which no URL was given."""
    with contextlib.ExitStack() as running:
        urls = {}
        if not settings.valkey_url and settings.data is not None:
            valkey = start_valkey(settings.data / "valkey")
            running.callback(valkey.stop)
            stop.here_if_asked()
            urls["valkey_url"] = valkey.url
        if not settings.database_url and settings.data is not None:
            postgres = start_postgres(settings.data / "postgres")
            running.callback(postgres.stop)
            stop.here_if_asked()
            urls["database_url"] = postgres.url
        yield settings.model_copy(update=urls)


@dataclass
class _Announcement:
    """Says where we are: to people, once; to our own tools, in `run.json`, whenever a node's process is a new one."""

    settings: Settings
    url: str
    said: bool = False

    def __call__(self, nodes: list[Node]) -> None:
        if self.settings.data is not None:
            _write_run_file(self.settings, self.url, nodes)
        if self.said:
            return
        self.said = True
        say(f"雀桌 is up ({len(nodes)} node{'s' if len(nodes) > 1 else ''}). Ctrl-C stops it.")
        say(f"  play       {self.url}/")
        say(f"  health     {self.url}/healthz")
        say(f"  WebSocket  {self.url.replace('http', 'ws', 1)}/v1/ws")
        if self.settings.open:
            threading.Thread(target=webbrowser.open, args=(self.url + "/",), daemon=True).start()


def _url(settings: Settings, listen: socket.socket) -> str:
    """Where a browser on this machine finds us."""
    host, port = listen.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return settings.public_url or f"http://{shown}:{port}"


def _write_run_file(settings: Settings, url: str, nodes: list[Node]) -> None:
    """Addresses and process ids, replaced whole; for its owner only, since whoever reads it may use the stores."""
    facts = {
        "pid": os.getpid(),
        "url": url,
        "nodes": {node.backend.name: node.process.pid for node in nodes if node.process is not None},
        "valkey_url": settings.valkey_url,
        "database_url": settings.database_url,
    }
    path = (settings.data or Path()) / "run.json"
    path.with_suffix(".new").unlink(missing_ok=True)
    with _private(path.with_suffix(".new")) as file:
        json.dump(facts, file, indent=1)
    path.with_suffix(".new").replace(path)
