"""`mj up` as its user sees it: addresses, restarts, stop signals, one sentence for each obstacle."""

import itertools
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from app.cli.hosting.up import main
from app.embedded.places import ROOT, StartError
from app.embedded.process import take_lock

Up = Callable[..., "subprocess.Popen[str]"]
_MJ = "from app.cli.main import main; raise SystemExit(main())"


@pytest.fixture
def up() -> Iterator[Up]:
    """Starts `mj up` in the background of a shell, which ignores SIGINT at birth as a shell's `&` does."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> "subprocess.Popen[str]":
        command = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-P", "-c", _MJ, "up", *options]
        env = {name: value for name, value in os.environ.items() if not name.startswith("MJ_")}
        started.append(
            subprocess.Popen(
                command,
                env=env | {"PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until(process: "subprocess.Popen[str]", words: str) -> str:
    """Read its output up to the line with these words in it; that line. Fails when it ends first."""
    seen = []
    assert process.stdout is not None
    for line in process.stdout:
        seen.append(line)
        if words in line:
            return line
    pytest.fail(f"'{words}' never came; it said: {''.join(seen)}")


def run_file(data: Path) -> dict[str, object]:
    """What `mj up` says to our own tools."""
    facts: dict[str, object] = json.loads((data / "run.json").read_text())
    return facts


@pytest.mark.timeout(300)
def test_a_life_of_the_server(up: Up, folder: Path) -> None:
    """Start, health, a node killed, a second start, Ctrl-C, start again, kill outright: what is kept, what is left."""
    first = up("--port", "0", "--nodes", "3", "--data", str(folder))
    url = until(first, "health").split()[-1]
    assert httpx.get(url, timeout=60).status_code == 200
    facts = run_file(folder)
    for node in ("n1", "n2", "n3"):  # a ticket's path leads to the node it names
        own = url.replace("/healthz", f"/n/{node}/healthz")
        answers = (httpx.get(own, timeout=60).status_code for _ in range(3000))
        retries = itertools.takewhile(lambda status: status == 503, answers)
        assert sum(1 for _ in retries) < 3000, "a node that does not serve yet is answered for at once"
        assert httpx.get(own, timeout=60).json()["node"] == node
    assert facts["pid"] == first.pid
    assert stat.S_IMODE((folder / "run.json").stat().st_mode) == 0o600
    secret = (folder / "secret").read_text()
    assert stat.S_IMODE((folder / "secret").stat().st_mode) == 0o600
    assert len(secret) > 32

    second = up("--port", "0", "--data", str(folder))
    assert f"already in use, by the server started as process {first.pid}" in second.communicate(timeout=60)[0]
    assert second.returncode == 1

    os.kill(facts["nodes"]["n1"], signal.SIGKILL)  # type: ignore[index]
    until(first, "Node n1 ended (exit status -9); starting it again.")
    answer = httpx.get(url.replace("/healthz", "/n/n1/v1/ws"), timeout=60)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "1"), "R3: answered at once, not held"
    until(first, "Node n1 serves again.")
    assert httpx.get(url.replace("/healthz", "/n/n1/healthz"), timeout=60).json()["node"] == "n1"

    first.send_signal(signal.SIGINT)
    assert first.wait(60) == 0
    assert "bye bye" in (folder / "valkey" / "valkey.log").read_text()
    assert "database system is shut down" in (folder / "postgres.log").read_text()
    assert not (folder / "run.json").exists()

    again = up("--port", "0", "--data", str(folder))
    url = until(again, "health").split()[-1]
    assert httpx.get(url, timeout=60).status_code == 200
    assert (folder / "secret").read_text() == secret, "tokens stay good over a restart"
    again.kill()
    for lock in ("lock", "valkey/lock", "postgres.lock"):
        take_lock(folder / lock, "the folder", patience_s=60).close()
    assert (folder / "valkey" / "valkey.log").read_text().count("bye bye") == 2
    assert again.communicate(timeout=60)[0] is not None, "the node has closed our output, so it has ended too"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_other_stop_signals_stop_the_stores_too(up: Up, folder: Path, number: signal.Signals) -> None:
    server = up("--port", "0", "--data", str(folder))
    until(server, "Data folder")  # as early as may be: the stores are just being started
    server.send_signal(number)
    assert server.wait(60) in (0, 128 + number)
    for lock in ("lock", "valkey/lock", "postgres.lock"):
        if (folder / lock).exists():
            take_lock(folder / lock, "the folder", patience_s=0).close()


def test_a_taken_port_is_named(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} is taken by another program"):
            main(["--port", str(port), "--data", str(folder)])
    assert not (folder / "postgres").exists(), "it is found out before the stores are made"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--nodes", "0"], r"--nodes \(MJ_NODES\): .*greater than or equal to 1"),
        (["--port", "70000"], r"--port \(MJ_PORT\): .*less than or equal to 65535"),
        (["--no-embedded"], "--no-embedded needs both --valkey-url and --database-url"),
        (["--no-embedded", "--valkey-url", "redis://localhost"], "--no-embedded needs both"),
        (["--valkey-url", "localhost:6379"], r"--valkey-url \(MJ_VALKEY_URL\): .*must begin with redis://"),
        (["--database-url", "mysql://x"], r"--database-url \(MJ_DATABASE_URL\): .*must begin with postgresql://"),
        (["--data", "/dev/null"], "The data folder /dev/null is not a folder"),
        (["--data", "/proc/self/x"], "The data folder /proc/self/x cannot be made"),
        (["--host", "192.0.2.1", "--data", "{folder}"], "Cannot listen on 192.0.2.1:8000"),
    ],
)
def test_a_wrong_option_is_named(options: list[str], sentence: str, folder: Path) -> None:
    with pytest.raises(StartError, match=sentence):
        main([option.format(folder=folder) for option in options])


def test_every_option_may_be_set_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MJ_NODES", "65")
    with pytest.raises(StartError, match=r"MJ_NODES.*less than or equal to 64"):
        main([])
