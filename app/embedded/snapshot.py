"""A snapshot of Valkey as one moment left it: taken from a running store, and brought back into an empty folder."""

from __future__ import annotations

import contextlib
import shutil
import socket
import time
from pathlib import Path
from typing import Final

from app.embedded.places import StartError
from app.embedded.valkey import open_valkey

_PATIENCE_S: Final = 300.0
_CHUNK: Final = 1 << 20


def take_snapshot(url: str, file: Path) -> None:
    """Write the snapshot of the store at `url` (`unix://PATH`, an embedded one) to `file`. Play goes on meanwhile.

    The store sends it as it would to a new replica. Raises StartError.
    """
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_PATIENCE_S)
            line.connect(url.removeprefix("unix://"))
            line.sendall(b"SYNC\r\n")
            with line.makefile("rb") as answer, file.open("wb") as out:
                head = answer.readline()
                while head == b"\n":  # it says so that it is alive while it writes
                    head = answer.readline()
                if not head.startswith(b"$") or not head[1:].strip().isdigit():
                    raise StartError(f"Valkey gives no snapshot: {head.decode(errors='replace').strip()}")
                left = int(head[1:])
                while left:
                    part = answer.read(min(left, _CHUNK))
                    if not part:
                        raise StartError("Valkey broke off its snapshot.")
                    out.write(part)
                    left -= len(part)
    except OSError as error:
        raise StartError(f"Valkey gives no snapshot: {error}.") from None


def bring_back(file: Path, folder: Path) -> None:
    """Make `folder` (empty or missing) the folder of an embedded store that holds the snapshot. Raises StartError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copyfile(file, folder / "dump.rdb")
    store = open_valkey(folder, append_only=False)  # with an append-only file it would not read the snapshot
    try:
        store.wait_until_ready(_PATIENCE_S)
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_PATIENCE_S)
            line.connect(store.url.removeprefix("unix://"))
            _ask(line, b"CONFIG SET appendonly yes\r\n")
            deadline = time.monotonic() + _PATIENCE_S
            while b"aof_rewrite_in_progress:0" not in (said := _ask(line, b"INFO persistence\r\n")) or (
                b"aof_rewrite_scheduled:0" not in said
            ):
                if time.monotonic() > deadline:
                    raise StartError("Valkey did not finish writing what was brought back.")
                time.sleep(0.05)
            if b"aof_last_bgrewrite_status:ok" not in said:
                raise StartError(f"Valkey could not write what was brought back; see {store.log}.")
    finally:
        store.stop()
    with contextlib.suppress(OSError):
        (folder / "dump.rdb").unlink()


def _ask(line: socket.socket, command: bytes) -> bytes:
    line.sendall(command)
    answer = line.recv(_CHUNK)
    if answer.startswith(b"-"):
        raise StartError(f"Valkey refuses: {answer.decode(errors='replace').strip()}")
    return answer
