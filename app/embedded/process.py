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


def _just_the_log(said: str) -> str | None:
    return None


@dataclass
class Child:
    """A store's process, started but perhaps not ready yet. `stop` ends it; `url` is its address, by a Unix socket in
    the folder `sockets`.

    `is_ready` asks whether the store serves. `cause_of` turns the log of this life into one sentence with the cause and
    what to do, or None where it knows no better than the log's last words.
    """

    name: str
    process: "subprocess.Popen[bytes]"
    stop_signal: signal.Signals
    log: Path
    sockets: Path
    url: str
    is_ready: Callable[[], bool]
    cause_of: Callable[[str], str | None] = _just_the_log
    on_stopped: list[Callable[[], None]] = field(default_factory=list)
    log_start: int = 0

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

    def wait_until_ready(self, patience_s: float, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Return once the store serves. Raises StartError, with the cause, when it does not come to that.

        `meanwhile` is called again and again; what it raises ends the wait.
        """
        deadline = time.monotonic() + patience_s
        while not self.is_ready():
            meanwhile()
            if not self.running:
                raise self.failure()
            if time.monotonic() > deadline:
                self.stop(1.0)
                raise StartError(f"{self.name} did not answer within {patience_s:g} s; see {self.log}.")
            time.sleep(0.005)

    def failure(self) -> StartError:
        """Reap a process that ended before it served. Returns one sentence: what is wrong and what to do about it."""
        status = self.stop()
        cause = self.cause_of(since(self.log, self.log_start))
        if cause is not None:
            return StartError(f"{self.name} does not start: {cause}")
        return StartError(f"{self.name} does not start (exit status {status}); {self.log} ends: {tail(self.log)}")


def launch(
    command: Sequence[str | Path],
    *,
    lock: IO[str],
    log: Path,
    account: pwd.struct_passwd | None = None,
    env: Mapping[str, str] | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a store's process; it keeps `lock`, so that the folder stays taken while any of its processes runs."""
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
    """Open and flock `path`, waiting a little for a predecessor that is stopping.

    The lock is a file *beside* what it guards and is never deleted (two holders of two files of one name would both be
    right). Raises StartError, naming the holder, when another process keeps it.
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
        with contextlib.suppress(OSError):  # a full disk: the lock holds all the same, only its holder has no name
            lock.truncate(0)
            os.write(lock.fileno(), b"%d\n" % os.getpid())
        return lock


def socket_folder(
    folder: Path, name: str, account: pwd.struct_passwd | None = None, before: Path | None = None
) -> tuple[Path, Callable[[], None]]:
    """A folder whose path is short enough for a Unix socket `name` (`folder` itself if it is), and what tidies up.

    `before`: the one of an earlier life, which is made again: clients know its path.
    """
    if len(os.fsencode(folder / name)) <= SOCKET_PATH_BYTES:
        return folder, lambda: None
    short = _short_folder(folder, name) if before is None else before
    if before is not None:
        before.mkdir(mode=0o700)
    if account is not None:
        os.chown(short, account.pw_uid, account.pw_gid)
    return short, partial(shutil.rmtree, short, ignore_errors=True)


def _short_folder(folder: Path, name: str) -> Path:
    for parent in (tempfile.gettempdir(), "/tmp"):
        if len(os.fsencode(parent)) + len("/mj-12345678/") + len(name) <= SOCKET_PATH_BYTES:
            return Path(tempfile.mkdtemp(prefix="mj-", dir=parent))
    raise StartError(f"The path of the data folder is too long for a Unix socket: {folder}.")


def size_of(log: Path) -> int:
    """Size of a log file in bytes; 0 where there is none."""
    with contextlib.suppress(OSError):
        return log.stat().st_size
    return 0


def since(log: Path, start: int) -> str:
    """The text of a log file after its first `start` bytes."""
    with contextlib.suppress(OSError):
        return log.read_bytes()[start:].decode("utf-8", "replace")
    return ""


def tail(log: Path, characters: int = 600) -> str:
    """The end of a log file, on one line."""
    with contextlib.suppress(OSError):
        return " / ".join(log.read_text("utf-8", "replace")[-characters:].split("\n")).strip(" /")
    return "(no log)"
