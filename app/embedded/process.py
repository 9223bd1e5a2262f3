"""A store's process: started, watched so that it never outlives us, and stopped cleanly. Knows no store by name.

`start_new_session` keeps the terminal's Ctrl-C from the stores, so that we stop them in order. Should we be killed
outright, a shell that waits on the reading end of a pipe we hold sees the pipe close and sends the store its stop
signal. (A parent-death signal would do the same on Linux only, and follows the thread that started the child.)
"""

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from app.embedded.places import SOCKET_PATH_BYTES, StartError

_WATCH = 'read -r _; kill -s "$2" "$1"'


@dataclass
class Child:
    """A running store. `stop` ends it; `url` is where it listens."""

    name: str
    process: "subprocess.Popen[bytes]"
    stop_signal: signal.Signals
    log: Path
    url: str = ""
    on_stopped: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start the shell that outlives us just long enough to stop the store."""
        reading, self._lifeline = os.pipe()
        self._watcher = subprocess.Popen(
            ["/bin/sh", "-c", _WATCH, "sh", str(self.process.pid), self.stop_signal.name.removeprefix("SIG")],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reading)

    @property
    def running(self) -> bool:
        """Has the process not ended yet?"""
        return self.process.poll() is None

    def stop(self, patience_s: float = 20.0) -> int:
        """Ask the process to end, wait for it, kill it when it does not. Returns its exit status."""
        if self.running:
            self.process.send_signal(self.stop_signal)
        if self._lifeline >= 0:
            self._watcher.kill()
            self._watcher.wait()
            os.close(self._lifeline)
            self._lifeline = -1
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        while self.on_stopped:
            self.on_stopped.pop()()
        return self.process.returncode

    def wait_until(self, ready: Callable[[], bool], patience_s: float) -> None:
        """Return once `ready()` holds. Raises StartError, with the log's last words, when it does not come to that."""
        deadline = time.monotonic() + patience_s
        while not ready():
            if not self.running:
                status = self.stop()
                raise StartError(
                    f"{self.name} does not start (exit status {status}); {self.log} ends: {tail(self.log)}"
                )
            if time.monotonic() > deadline:
                self.stop(1.0)
                raise StartError(f"{self.name} did not answer within {patience_s:g} s; see {self.log}.")
            time.sleep(0.005)


def launch(
    command: Sequence[str | Path],
    *,
    lock: IO[str],
    log: Path,
    account: pwd.struct_passwd | None = None,
    env: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a store's process; it keeps `lock`, so that the folder stays taken for as long as any part of it lives."""
    with log.open("ab") as out:
        return subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd="/",
            env=env,
            start_new_session=True,
            pass_fds=[lock.fileno()],
            **as_account(account),
        )


def as_account(account: pwd.struct_passwd | None) -> dict[str, Any]:
    """The arguments that make `subprocess` run something as this account."""
    return {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def take_lock(path: Path, what: str, patience_s: float = 3.0) -> IO[str]:
    """Open and flock `path`, waiting a little for a predecessor that is just going.

    The lock is a file *beside* what it guards and is never deleted (two holders of two files of one name would both be
    right). Raises StartError, naming the holder, when somebody else keeps it.
    """
    try:
        lock = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StartError(f"No permission to write {path}: {error.strerror}.") from None
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                lock.seek(0)
                holder = lock.read().strip() or "unknown"
                lock.close()
                raise StartError(f"{what} is already in use, by the server started as process {holder}.") from None
            time.sleep(0.05)
            continue
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        return lock


def socket_folder(folder: Path, name: str, account: pwd.struct_passwd | None = None) -> tuple[Path, Callable[[], None]]:
    """A folder whose path is short enough for a Unix socket `name` (`folder` itself if it is), and what tidies up."""
    if len(os.fsencode(folder / name)) <= SOCKET_PATH_BYTES:
        return folder, lambda: None
    for parent in (tempfile.gettempdir(), "/tmp"):
        if len(os.fsencode(parent)) + len("/mj-12345678/") + len(name) <= SOCKET_PATH_BYTES:
            short = Path(tempfile.mkdtemp(prefix="mj-", dir=parent))
            if account is not None:
                os.chown(short, account.pw_uid, account.pw_gid)
            return short, partial(shutil.rmtree, short, ignore_errors=True)
    raise StartError(f"The path of the data folder is too long for a Unix socket: {folder}.")


def tail(log: Path, characters: int = 600) -> str:
    """The end of a log file, on one line."""
    with contextlib.suppress(OSError):
        return " / ".join(log.read_text("utf-8", "replace")[-characters:].split("\n")).strip(" /")
    return "(no log)"
