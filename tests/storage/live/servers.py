"""Valkey servers on loopback ports for tests that need more than one: a cluster, a primary with its replica."""

from __future__ import annotations

import contextlib
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redis import Redis
from redis.asyncio.cluster import RedisCluster

from app.embedded.valkey import _binary

_START_S = 60.0
_UNTIL_WE_ARE_GONE = '"$@" & read -r _; kill -9 $!; wait $! 2>/dev/null'
"""Kills the server when our end of the pipe closes, however we ended."""


class Server:
    """One server; `port` is where."""

    def __init__(self, folder: Path, port: int, *options: str, config: Path | None = None) -> None:
        self.port = port
        folder.mkdir()
        usual = ["--save", ""] if config is None else [str(config), "--sentinel"]
        self.process = subprocess.Popen(
            [
                "sh", "-c", _UNTIL_WE_ARE_GONE, "sh", _binary(), *usual,
                "--port", str(port), "--dir", str(folder), "--bind", "127.0.0.1",
                "--logfile", str(folder / "log"), *options,
            ],
            stdin=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.client = Redis(port=port)
        until = time.monotonic() + _START_S
        while True:
            with contextlib.suppress(Exception):
                if self.client.ping():
                    return
            assert self.process.poll() is None and time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.02)

    def kill(self) -> None:
        """`kill -9`."""
        self.client.close()
        self.process.communicate()  # closes its standard input


def everywhere(client: object) -> dict[str, Any]:
    """The option with which a command of an asyncio client goes to every server of a cluster."""
    return {"target_nodes": RedisCluster.PRIMARIES} if isinstance(client, RedisCluster) else {}


def free_ports(count: int) -> list[int]:
    """Ports that are free, and so are their bus ports (10000 above): both below those that the system gives away."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(11_000, 22_000)
        if port not in found and _is_free(port) and _is_free(port + 10_000):
            found.append(port)
    return found


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@contextlib.contextmanager
def servers(count: int, *options: str) -> Iterator[list[Server]]:
    """Some servers, killed at the end."""
    with tempfile.TemporaryDirectory(prefix="mj-servers-") as folder, contextlib.ExitStack() as cleanup:
        started = []
        for port in free_ports(count):
            server = Server(Path(folder) / str(port), port, *options)
            cleanup.callback(server.kill)
            started.append(server)
        yield started


@contextlib.contextmanager
def sentinel(primary_port: int) -> Iterator[str]:
    """A sentinel that lets the replica take over when the primary is gone for a second; the address to connect to."""
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="mj-sentinel-") as folder:
        file = Path(folder) / "sentinel.conf"
        file.write_text(
            f"sentinel monitor tables 127.0.0.1 {primary_port} 1\nsentinel down-after-milliseconds tables 500\n"
            "sentinel failover-timeout tables 3000\n"
        )
        server = Server(Path(folder) / "run", port, config=file)
        try:
            yield f"redis+sentinel://127.0.0.1:{port}/tables"
        finally:
            server.kill()


@contextlib.contextmanager
def cluster_of_three() -> Iterator[str]:
    """A cluster of three primaries; the address of one, as `connect` wants it."""
    with servers(3, "--cluster-enabled", "yes", "--cluster-node-timeout", "60000") as nodes:
        bounds = [0, 5461, 10923, 16384]
        for node, low, high in zip(nodes, bounds, bounds[1:], strict=False):
            node.client.execute_command("CLUSTER", "ADDSLOTSRANGE", low, high - 1)
        for node in nodes[1:]:
            nodes[0].client.execute_command("CLUSTER", "MEET", "127.0.0.1", node.port)
        until = time.monotonic() + _START_S
        while not all(_whole(node) for node in nodes):
            assert time.monotonic() < until, "the cluster does not come together"
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{nodes[0].port}/?cluster=true"


def _whole(node: Server) -> bool:
    info = node.client.execute_command("CLUSTER", "INFO")
    text = info.decode() if isinstance(info, bytes) else str(info)
    known = node.client.execute_command("CLUSTER", "NODES")
    return ("cluster_state:ok" in text or "'cluster_state': 'ok'" in text) and len(known) >= 3
