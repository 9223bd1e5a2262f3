"""The embedded Postgres: starting, stopping, killing, and every trap of running it as root."""

import asyncio
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from app.embedded import postgres
from app.embedded.places import StartError
from app.embedded.postgres import start_postgres
from app.embedded.process import take_lock
from app.serving.migrate import plain
from tests.embedded.conftest import Start

_START = """
import time
from pathlib import Path
from app.embedded.postgres import start_postgres
child = start_postgres(Path({folder!r}), durable=False)
print(child.process.pid, flush=True)
time.sleep(600)
"""


def _ask(url: str, question: str) -> object:
    async def ask() -> object:
        connection = await asyncpg.connect(plain(url))
        try:
            return await connection.fetchval(question)
        finally:
            await connection.close()

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A stopped cluster with one row in it, made once; tests work on copies. Not in pytest's own folder, whose mode any
    other run of this account may set back to 0700."""
    folder = Path(tempfile.mkdtemp(prefix="mj-test-"))
    folder.chmod(0o755)
    child = start_postgres(folder / "postgres", durable=False)
    _ask(child.url, "CREATE TABLE kept AS SELECT 7 AS n")
    assert child.stop() == 0
    yield folder / "postgres"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def cluster(made: Path, folder: Path) -> Path:
    """A copy of the cluster, owned as the original."""
    shutil.copytree(made, folder / "postgres")
    for path in (folder / "postgres", *(folder / "postgres").rglob("*")):
        os.chown(path, made.stat().st_uid, made.stat().st_gid)
    return folder / "postgres"


def test_data_survive_a_restart(cluster: Path) -> None:
    child = start_postgres(cluster)
    assert _ask(child.url, "SELECT n FROM kept") == 7
    assert _ask(child.url, "SHOW fsync") == "on"
    child.stop()


def test_kill_9_of_the_server_is_recovered_and_its_stale_pid_file_believed_by_nobody(cluster: Path) -> None:
    child = start_postgres(cluster, durable=False)
    child.process.kill()
    child.stop()
    assert (cluster / "postmaster.pid").exists()
    child = start_postgres(cluster, durable=False)
    assert _ask(child.url, "SELECT n FROM kept") == 7
    child.stop()


def test_r1_a_dead_server_that_nobody_reaped_keeps_nobody_from_starting(cluster: Path) -> None:
    child = start_postgres(cluster, durable=False)
    child.process.kill()
    os.waitid(os.P_PID, child.process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is a zombie of ours
    pid_file = (cluster / "postmaster.pid").read_text()
    take_lock(cluster.with_name("postgres.lock"), "the folder", patience_s=60).close()
    again = start_postgres(cluster, durable=False)
    assert pid_file.startswith(f"{child.process.pid}\n")
    assert _ask(again.url, "SELECT n FROM kept") == 7
    again.stop()
    child.stop()


def test_a_second_server_on_one_folder_is_refused_by_name(cluster: Path) -> None:
    child = start_postgres(cluster, durable=False)
    with pytest.raises(StartError, match=rf"already in use, by the server started as process {os.getpid()}"):
        start_postgres(cluster, durable=False)
    child.stop()


def test_a_killed_parent_stops_it_cleanly(cluster: Path, start_python: Start) -> None:
    parent = start_python(_START.format(folder=str(cluster)))
    assert parent.stdout is not None
    assert parent.stdout.readline().strip().isdigit()
    parent.kill()
    take_lock(cluster.with_name("postgres.lock"), "the folder", patience_s=60).close()
    assert "database system is shut down" in cluster.with_name("postgres.log").read_text()
    assert not (cluster / "postmaster.pid").exists()


def test_an_initdb_that_was_killed_half_way_leaves_no_trace(folder: Path) -> None:
    (folder / "postgres.making" / "base").mkdir(parents=True)
    (folder / "postgres.making" / "PG_VERSION").write_text("18\n")
    child = start_postgres(folder / "postgres", durable=False)
    assert _ask(child.url, "SELECT current_database()") == "quezhuo"
    child.stop()
    assert not (folder / "postgres.making").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(folder: Path) -> None:
    (folder / "postgres").mkdir()
    (folder / "postgres" / "letters.txt").write_text("dear")
    with pytest.raises(StartError, match="holds something that is not a Postgres cluster"):
        start_postgres(folder / "postgres", durable=False)
    assert (folder / "postgres" / "letters.txt").read_text() == "dear"


def test_a_server_that_does_not_start_says_why(cluster: Path) -> None:
    with (cluster / "postgresql.conf").open("a") as file:
        file.write("max_connections = many\n")
    with pytest.raises(StartError, match=r"Postgres does not start .*invalid value"):
        start_postgres(cluster, durable=False)


def test_r8_a_missing_control_file_is_told_with_a_tool_that_exists(cluster: Path) -> None:
    (cluster / "global" / "pg_control").unlink()
    with pytest.raises(StartError, match=r"global/pg_control is missing. Restore the folder from a backup") as said:
        start_postgres(cluster, durable=False)
    assert len(str(said.value).splitlines()) == 1
    assert Path(str(said.value).split("`")[1].split()[0]).exists()


def test_it_listens_on_no_network_and_lets_nobody_else_in(cluster: Path) -> None:
    child = start_postgres(cluster, durable=False)
    assert _ask(child.url, "SHOW listen_addresses") == ""
    assert stat.S_IMODE(cluster.stat().st_mode) == 0o700
    child.stop()


def test_text_is_utf_8_whatever_the_machine_speaks(cluster: Path) -> None:
    child = start_postgres(cluster, durable=False)
    assert _ask(child.url, "SELECT upper('捉五é') || length('混儿')") == "捉五É2"
    child.stop()


def test_a_folder_with_a_very_long_path_works(cluster: Path) -> None:
    far = cluster.parent / ("long" * 30) / "postgres"
    far.parent.mkdir()
    cluster.rename(far)
    child = start_postgres(far, durable=False)
    assert _ask(child.url, "SELECT n FROM kept") == 7
    child.stop()


@pytest.fixture
def nobody() -> pwd.struct_passwd:
    """The account the server runs under when we are root; ourselves when we are not (then nothing is out of reach)."""
    return postgres.unprivileged_account() or pwd.getpwuid(os.getuid())


def test_as_root_it_runs_under_another_account(cluster: Path, nobody: pwd.struct_passwd) -> None:
    child = start_postgres(cluster, durable=False)
    assert (cluster / "postmaster.pid").stat().st_uid == nobody.pw_uid != 0
    child.stop()


def test_binaries_out_of_that_accounts_reach_are_copied_beside_the_data(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "can_enter", lambda account, place: False)
    for _ in range(2):  # the second finds the copy there
        binaries = postgres._reachable_binaries(folder, pwd.getpwuid(os.getuid()))
        assert binaries.is_relative_to(folder)
        for program in ("postgres", "initdb"):  # whole, libraries included
            said = subprocess.run([binaries / program, "--version"], capture_output=True, text=True, check=True)
            assert "PostgreSQL" in said.stdout
    assert len(list(folder.iterdir())) == 1, "nothing half made is left beside it"


def test_a_folder_out_of_that_accounts_reach_is_refused_with_advice(cluster: Path) -> None:
    cluster.parent.chmod(0o700)
    if os.geteuid() == 0:
        with pytest.raises(StartError, match=r"cannot reach .*: give --data"):
            start_postgres(cluster, durable=False)
    else:  # under our own account nothing of ours is out of reach
        start_postgres(cluster, durable=False).stop()
