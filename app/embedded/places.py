"""Paths on this machine: the clone, the data folder, and its permissions. Keeps no process running."""

import hashlib
import os
import pwd
import subprocess
import sys
from pathlib import Path

import platformdirs

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds `app/`: the clone, or the site-packages that hold the installed wheel."""

SOCKET_PATH_BYTES = 100
"""A Unix socket's path may be 108 bytes long on Linux, 104 on macOS, its closing zero included; we keep a margin."""


class StartError(Exception):
    """Something about this machine keeps us from starting; its text is one sentence for the person at the terminal."""


def unprivileged_account() -> pwd.struct_passwd | None:
    """The account Postgres runs under when we are root (it refuses root); None when we are not.

    Raises StartError when there is none.
    """
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise StartError("Postgres refuses to run as root and there is no account 'postgres' or 'nobody' to run it under.")


def can_enter(account: pwd.struct_passwd, folder: Path) -> bool:
    """May this account use `folder`, or the nearest parent of it that exists? Asks the kernel, as that account."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    asked = subprocess.run(
        ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)],
        user=account.pw_uid,
        group=account.pw_gid,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        check=False,
    )
    return asked.returncode == 0


def default_data_folder(root: Path = ROOT) -> Path:
    """`.data` in a clone; for an installed package the platform's folder for a user's data.

    As root, when Postgres' account cannot get there: a folder in the system's state folder.
    """
    clone = (root / "pyproject.toml").exists()
    usual = root / ".data" if clone else platformdirs.user_data_path("quezhuo", appauthor=False)
    account = unprivileged_account()
    if account is None or can_enter(account, usual):
        return usual
    state = Path("/var/lib" if sys.platform == "linux" else "/usr/local/var") / "quezhuo"
    return state / (f"{root.name}-{hashlib.sha256(os.fsencode(root)).hexdigest()[:8]}" if clone else "data")


def writable_folder(folder: Path) -> Path:
    """Make `folder` if need be and see that we may write in it. Returns it absolute; raises StartError."""
    folder = folder.expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise StartError(f"The data folder {folder} is not a folder.") from None
    except OSError as error:
        raise StartError(f"The data folder {folder} cannot be made: {error.strerror}.") from None
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise StartError(f"No permission to write in the data folder {folder}.")
    return folder
