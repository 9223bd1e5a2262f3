"""The process that nodes are forked from: it has imported the whole server, so that a new node serves a moment later.

Importing takes seconds of computing, forking some milliseconds; and what was imported lies in memory once for all
nodes. Run as `python -P -m app.serving.forks.server` by `spawn.py`, with the supervisor's socket as standard input. One
byte with two descriptors, a listening socket and a link (`serve.py`), asks for a node; the answers are lines: `born
PID`, and `ended PID STATUS` once it was reaped. It ends with the supervisor's socket, and its nodes with their links.

No threads and no event loop run here: a fork copies neither.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import sys
from collections.abc import Iterator


def main() -> int:
    """Fork nodes until the supervisor is gone. In a node: serve, and return its exit status."""
    control = socket.socket(fileno=0)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # it has nothing to put in order, and its nodes must not lose it
    _import_everything()
    with _child_ends() as ends, selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(ends, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if ends in ready:
                ends.recv(4096)
                _reap(control)
            if control in ready:
                descriptors = _asked(control)
                if not descriptors:
                    return 0
                pid = os.fork()
                if pid == 0:
                    break
                for descriptor in descriptors:
                    os.close(descriptor)
                _say(control, f"born {pid}")
    listen, link = descriptors
    return _serve(control, socket.socket(fileno=listen), socket.socket(fileno=link))


def _import_everything() -> None:
    """Import what a node imports. What is there then stays: the collector of no node looks at it again.

    Nor does it look in between, which takes a tenth of the time.
    """
    gc.disable()
    import uvicorn.lifespan.on
    import uvicorn.protocols.http.httptools_impl
    import uvloop

    import app.main
    import app.serving.serve

    assert uvicorn and uvloop and app
    gc.freeze()
    gc.enable()


def _asked(control: socket.socket) -> list[int]:
    """The descriptors for a node that is asked for; none when the supervisor is gone."""
    with contextlib.suppress(ConnectionError):
        return socket.recv_fds(control, 1, 2)[1]
    return []


@contextlib.contextmanager
def _child_ends() -> Iterator[socket.socket]:
    """A socket that is readable when a child has ended."""
    ends, told = socket.socketpair()
    with ends, told:
        for end in (ends, told):
            end.setblocking(False)
        signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        try:
            yield ends
        finally:
            signal.set_wakeup_fd(-1)


def _reap(control: socket.socket) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            _say(control, f"ended {pid} {os.waitstatus_to_exitcode(status)}")


def _say(control: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # the supervisor is gone; the next read says so
        control.sendall(line.encode() + b"\n")


def _serve(control: socket.socket, listen: socket.socket, link: socket.socket) -> int:
    """In a forked node: keep nothing of the fork server's, and serve in a session of its own."""
    from app.serving.serve import serve_node

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # this also closes the fork server's end of the supervisor's socket
    os.close(nothing)
    control.detach()
    return serve_node(listen, link)


if __name__ == "__main__":
    sys.exit(main())
