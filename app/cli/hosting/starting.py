"""What `mj up` does: the embedded stores, the schema, the nodes, one port.

Composition only; each part lies in its own module.
"""

import argparse
import asyncio
import contextlib
import errno
import json
import os
import resource
import secrets
import signal
import socket
import subprocess
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from pydantic import SecretStr

from app.embedded.identity import check_halves, mark_halves
from app.embedded.places import StartError, default_data_folder, writable_folder
from app.embedded.postgres import as_application, open_postgres
from app.embedded.process import take_lock
from app.embedded.valkey import open_valkey
from app.serving.configure import OPTIONS, add_options, read_settings
from app.serving.forks.spawn import fork_server
from app.serving.migrate import upgrade
from app.serving.supervise import EmbeddedStore, Node, supervise
from app.settings import Settings

_EMBEDDED = (("valkey_url", "valkey", open_valkey, 30.0), ("database_url", "postgres", open_postgres, 60.0))
"""The setting that names a store elsewhere, its folder within the data folder, what starts it, and seconds to wait."""


def serve(argv: list[str], process: "subprocess.Popen[bytes]", control: socket.socket) -> int:
    """Serve until stopped; `process` and `control`: the fork server's (`forks/begin.py`). Returns the exit status.

    Raises StartError with a sentence for the person who started it.
    """
    settings, accepted = _settings(argv)
    stop = _Stop()
    _raise_descriptor_limit()
    # The stores are started here, before any event loop or thread; they stop last, also after an error.
    with contextlib.ExitStack() as cleanup:
        settings = cleanup.enter_context(_data_folder(settings))
        listen = cleanup.enter_context(_listening(settings))
        forks = cleanup.enter_context(fork_server((process, control)))
        settings, stores = cleanup.enter_context(_stores(settings, stop, accepted))
        say("Migrating the database …")
        with stop.at_once():
            settings = _migrated(settings)
        announce = _Announcement(settings, _url(settings, listen), stores)
        asyncio.run(supervise(settings, listen, stores, forks, say=say, on_up=announce, stop_asked=stop.asked))
    return 0


def _migrated(settings: Settings) -> Settings:
    """Bring the schema up to date, as the tables' owner. The settings for the nodes: without the owner's address."""
    upgrade(settings.owner_database_url or settings.database_url, application_url=settings.database_url)
    return settings.model_copy(update={"owner_database_url": ""})


def say(text: str) -> None:
    """A line for the person at the terminal; a terminal that is gone, or a full disk, stops nobody."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def _raise_descriptor_limit() -> None:
    """Let this process and its children open as many files and sockets as the machine allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(ValueError, OSError):  # macOS refuses "no limit at all"
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class _Stop:
    """Stop signals before the event loop is there: obeyed between two steps, so that no store is left half started.

    Inside `at_once` there is nothing half done: there a second signal is obeyed on the spot.
    """

    def __init__(self) -> None:
        self._asked = 0
        self._at_once = False
        for number in (
            signal.SIGINT,
            signal.SIGTERM,
            signal.SIGHUP,
        ):  # a process started in the background ignores SIGINT
            signal.signal(number, self._note)

    def asked(self) -> bool:
        """True after a stop signal."""
        return self._asked != 0

    def here_if_asked(self) -> None:
        """Raises SystemExit when a stop signal has come."""
        if self._asked:
            raise SystemExit(128 + self._asked)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """A step that may be cut anywhere and may take long; ends with `here_if_asked`."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False
        self.here_if_asked()

    def _note(self, number: int, _frame: object) -> None:
        if self._at_once:
            self.here_if_asked()
        self._asked = number


def _settings(argv: list[str]) -> tuple[Settings, bool]:
    """The settings, and whether a data folder is accepted whose halves do not belong together."""
    given = {name: value for name, value in vars(parser().parse_args(argv)).items() if value is not None}
    accepted = bool(given.pop("accept_data"))
    settings = read_settings(given, OPTIONS)
    if not settings.embedded and not (settings.valkey_url and settings.database_url):
        raise StartError("--no-embedded needs both --valkey-url and --database-url.")
    return settings, accepted


def parser() -> argparse.ArgumentParser:
    """The options of `mj up`: one for every setting that is no secret."""
    up = argparse.ArgumentParser(
        prog="mj up",
        description="Start the server. Every option may be set as MJ_… too; `mj settings` lists all, secrets included.",
    )
    add_options(up)
    up.add_argument("--accept-data", action="store_true", help="start with half of the data folder missing or foreign")
    return up


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
def _stores(settings: Settings, stop: _Stop, accepted: bool) -> Iterator[tuple[Settings, list[EmbeddedStore]]]:
    """The embedded stores, those for which no URL was given, started side by side."""
    stores: dict[str, EmbeddedStore] = {}
    both = settings.data is not None and not (settings.valkey_url or settings.database_url)
    if both:
        check_halves(settings.data or Path(), accepted)
    with contextlib.ExitStack() as running:
        for setting, name, open_store, patience_s in _EMBEDDED:
            if getattr(settings, setting) or settings.data is None:
                continue
            child = open_store(settings.data / name)
            open_again = partial(open_store, settings.data / name, sockets_before=child.sockets)
            stores[setting] = EmbeddedStore(child, open_again, patience_s)
            running.callback(_stop_store, stores[setting])
            stop.here_if_asked()
        for store in stores.values():
            store.child.wait_until_ready(store.patience_s, meanwhile=stop.here_if_asked)
        if both:
            mark_halves(settings.data or Path())
        urls = {name: store.child.url for name, store in stores.items()}
        if "database_url" in urls:
            urls |= {"owner_database_url": urls["database_url"], "database_url": as_application(urls["database_url"])}
        yield settings.model_copy(update=urls), [*stores.values()]


def _stop_store(store: EmbeddedStore) -> None:
    """Stop the present process of a store; the supervisor has done so unless it never began."""
    store.child.stop()


@dataclass
class _Announcement:
    """Says where we are: to people, once; to our own tools, in `run.json`, whenever a node's process is a new one."""

    settings: Settings
    url: str
    stores: list[EmbeddedStore]
    said: bool = False

    def __call__(self, nodes: list[Node]) -> None:
        if self.settings.data is not None:
            try:
                _write_run_file(self.settings, self.url, nodes, self.stores)
            except OSError as error:
                say(f"The file {self.settings.data / 'run.json'} cannot be written: {error.strerror}.")
        if self.said:
            return
        self.said = True
        up = sum(node.backend.up for node in nodes)
        many = f"{up} of {len(nodes)} nodes" if up < len(nodes) else "1 node" if up == 1 else f"{up} nodes"
        say(f"雀桌 is up ({many}). Ctrl-C stops it.")
        say(f"  play       {self.url}/")
        say(f"  health     {self.url}/healthz")
        say(f"  WebSocket  {self.url.replace('http', 'ws', 1)}/v1/ws")
        if self.settings.open:
            threading.Thread(target=webbrowser.open, args=(self.url + "/",), daemon=True).start()


def _url(settings: Settings, listen: socket.socket) -> str:
    """The address for a browser on this machine."""
    host, port = listen.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return settings.public_url or f"http://{shown}:{port}"


def _write_run_file(settings: Settings, url: str, nodes: list[Node], stores: list[EmbeddedStore]) -> None:
    """Addresses and process ids, replaced whole; readable by its owner only, because it opens the stores."""
    facts = {
        "pid": os.getpid(),
        "url": url,
        "nodes": {node.backend.name: node.spawned.pid for node in nodes if node.spawned is not None},
        "stores": {store.child.name: store.child.process.pid for store in stores},
        "valkey_url": settings.valkey_url,
        "database_url": settings.database_url,
    }
    path = (settings.data or Path()) / "run.json"
    path.with_suffix(".new").unlink(missing_ok=True)
    with _private(path.with_suffix(".new")) as file:
        json.dump(facts, file, indent=1)
    path.with_suffix(".new").replace(path)
