"""What `mj up` keeps running by itself, with real processes: stores and nodes that are killed (R1, R6)."""

import os
import random
import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.cli.processes import Up, up, zombies_of

pytestmark = pytest.mark.timeout(300)


def _ready(server: Up) -> tuple[int, dict[str, object]]:
    answer = httpx.get(f"{server.url}/readyz", timeout=30)
    return answer.status_code, answer.json()


class Guest:
    """Somebody who is signed in; `answered` asks for what both stores are needed for."""

    def __init__(self, server: Up) -> None:
        self._url = f"{server.url}/v1"
        made = httpx.post(f"{self._url}/guests", json={}, timeout=30).json()
        self._headers = {"Authorization": f"Bearer {made['access_token']}"}

    def answered(self) -> None:
        """Ask until it is answered. It may be busy meanwhile; nothing else."""
        deadline = time.monotonic() + 60
        for path in ("/me", "/lobby?variant=tianjin"):
            while (answer := httpx.get(self._url + path, headers=self._headers, timeout=30)).status_code != 200:
                assert answer.status_code == 503 and "Retry-After" in answer.headers, answer.text
                assert time.monotonic() < deadline
                time.sleep(0.02)


def test_r1_a_killed_store_is_named_reaped_and_started_again_and_play_goes_on(folder: Path) -> None:
    with up(folder, "--nodes", "2") as server:
        server.until("WebSocket")
        assert _ready(server)[1]["nodes"] == {"n1": "up", "n2": "up"}
        guest = Guest(server)
        for name in ("Valkey", "Postgres", "Valkey"):
            os.kill(server.facts()["stores"][name], signal.SIGKILL)
            guest.answered()
            server.until(f"{name} ended (exit status -9)")
            server.until(f"{name} serves again.")
            guest.answered()
            assert zombies_of(server.process.pid) == []
        assert not [line for line in server.said if "Traceback" in line]
        server.process.send_signal(signal.SIGTERM)
        server.gone()
        assert server.process.returncode == 0
        assert "database system is shut down" in (folder / "postgres.log").read_text()


def test_r6_a_node_that_dies_at_birth_is_left_out_and_the_other_serves(folder: Path) -> None:
    with up(folder, "--nodes", "2") as server:
        server.until("WebSocket")
        before = None
        for _ in range(5):
            while (pid := server.facts()["nodes"]["n2"]) == before:
                time.sleep(0.002)
            before = pid
            os.kill(pid, signal.SIGKILL)
            server.until("Node n2 ended (exit status -9)")
            assert httpx.get(f"{server.url}/healthz", timeout=30).json()["node"] == "n1"
        assert "It is left out until it serves." in server.said[-1]
        status, about = _ready(server)
        assert (status, about["nodes"]) == (200, {"n1": "up", "n2": "left out"})
        server.until("Node n2 serves again.")
        assert _ready(server)[1]["nodes"] == {"n1": "up", "n2": "up"}
        server.process.send_signal(signal.SIGINT)
        server.gone()


def test_a_single_node_that_is_stopped_is_replaced_and_so_is_the_fork_server(folder: Path) -> None:
    """Nobody else serves, so a node that hangs is ended by its supervisor. A dead fork server takes no node with it."""
    with up(folder) as server:
        server.until("WebSocket")
        os.kill(server.facts()["nodes"]["n1"], signal.SIGSTOP)
        server.until("Node n1 does not answer.")
        server.until("Node n1 is stopped for ")
        server.until("Node n1 serves again.")
        before = server.facts()["nodes"]["n1"]
        [forks] = [pid for pid, command in server.left().items() if "forks.server" in command and pid != before]
        os.kill(forks, signal.SIGKILL)
        server.until("The fork server ended; starting it again.")
        assert httpx.get(f"{server.url}/readyz", timeout=30).json()["archive"] == "up"
        assert server.facts()["nodes"]["n1"] == before
        os.kill(before, signal.SIGKILL)
        server.until("Node n1 ended (nobody saw how)")
        server.until("Node n1 serves again.")
        server.process.send_signal(signal.SIGTERM)
        server.gone()
        assert server.process.returncode == 0


def test_a_fork_server_that_is_killed_at_birth_is_started_again_and_the_nodes_serve(folder: Path) -> None:
    with up(folder, "--nodes", "2") as server:
        for moment in ("Data folder", "Migrating"):
            server.until(moment)
            for pid, command in server.left().items():
                if "forks.server" in command:
                    os.kill(pid, signal.SIGKILL)
        server.until("WebSocket")
        while set(_ready(server)[1]["nodes"].values()) != {"up"}:  # type: ignore[attr-defined]
            time.sleep(0.05)
        server.process.send_signal(signal.SIGTERM)
        server.gone()
        assert server.process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("after", ["Data folder", "Migrating", "WebSocket"])
def test_a_stop_at_any_moment_leaves_no_process_behind(folder: Path, after: str, number: signal.Signals) -> None:
    rng = random.Random(f"{after} {number}")
    for _ in range(2):
        with up(folder, "--nodes", "2") as server:
            server.until(after)
            time.sleep(rng.uniform(0.0, 0.4))
            server.process.send_signal(number)
            server.gone()
            if number is signal.SIGTERM:
                assert server.process.returncode in (0, 128 + number)
                assert not (folder / "run.json").exists()


def test_a_second_signal_while_it_stops_changes_nothing(folder: Path) -> None:
    with up(folder) as server:
        server.until("WebSocket")
        server.process.send_signal(signal.SIGINT)
        server.until("Stopping")
        for _ in range(3):
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.05)
        server.gone()
        assert server.process.returncode == 0
        assert "database system is shut down" in (folder / "postgres.log").read_text()
