"""Starting the fork server's process. Imports nothing but the standard library, so that it may come first of all."""

import os
import socket
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]
_OWNER = "MJ_OWNER_DATABASE_URL"
"""The address of the tables' owner, which nodes have no use for."""


def begin() -> tuple["subprocess.Popen[bytes]", socket.socket]:
    """Start the process; it, and our end of the socket between us. Raises OSError."""
    environment = {name: value for name, value in os.environ.items() if name != _OWNER}
    environment["PYTHONPATH"] = str(_ROOT)
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "app.serving.forks.server"],
                env=environment, cwd=_ROOT, stdin=theirs.fileno(), start_new_session=True,
            )  # fmt: skip
        except BaseException:
            ours.close()
            raise
    return process, ours
