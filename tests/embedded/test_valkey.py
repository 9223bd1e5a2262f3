"""The embedded Valkey: what an operator would notice of starting, stopping and killing it."""

import os
import signal
import stat
import subprocess
from pathlib import Path

import pytest
import redis

from app.embedded.places import StartError
from app.embedded.process import take_lock
from app.embedded.valkey import _cause, start_valkey
from tests.embedded.conftest import Start

_START = """
import time
from pathlib import Path
from app.embedded.valkey import _cause, start_valkey
child = start_valkey(Path({folder!r}))
print(child.process.pid, flush=True)
time.sleep(600)
"""


def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url)


def test_data_survive_a_restart(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    _client(child.url).set("kept", "yes")
    assert child.stop() == 0
    child = start_valkey(folder / "valkey")
    assert _client(child.url).get("kept") == b"yes"
    child.stop()


def test_an_answered_write_survives_kill_9_of_the_store(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    _client(child.url).set("kept", "yes")
    child.process.kill()
    child.stop()
    child = start_valkey(folder / "valkey")
    assert _client(child.url).get("kept") == b"yes"
    child.stop()


def test_every_write_is_on_disk_before_it_is_answered(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    asked = _client(child.url).config_get("append*")
    assert (asked["appendonly"], asked["appendfsync"]) == ("yes", "always")
    assert _client(child.url).config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    child.stop()


def test_a_second_server_on_one_folder_is_refused_by_name(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    with pytest.raises(StartError, match=rf"already in use, by the server started as process {os.getpid()}"):
        start_valkey(folder / "valkey")
    assert _client(child.url).ping(), "the first one is not disturbed"
    child.stop()


def test_a_killed_parent_stops_it_cleanly(folder: Path, start_python: Start) -> None:
    parent = start_python(_START.format(folder=str(folder / "valkey")))
    assert parent.stdout is not None
    assert parent.stdout.readline().strip().isdigit()
    parent.kill()
    take_lock(folder / "valkey" / "lock", "the folder", patience_s=60).close()  # the store held it until it ended
    assert "bye bye" in (folder / "valkey" / "valkey.log").read_text()


def test_ctrl_c_at_the_terminal_does_not_reach_it(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    assert os.getsid(child.process.pid) != os.getsid(0)
    assert child.stop_signal is signal.SIGTERM
    child.stop()


def test_a_folder_with_a_very_long_path_works(folder: Path) -> None:
    child = start_valkey(folder / ("long" * 30) / "valkey")
    assert _client(child.url).ping()
    sockets = Path(child.url.removeprefix("unix://")).parent
    child.stop()
    assert not sockets.exists(), "the short folder for the socket is tidied away"


def test_nobody_else_may_enter_its_folder(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    assert stat.S_IMODE((folder / "valkey").stat().st_mode) == 0o700
    child.stop()


def test_a_store_that_does_not_start_says_why_and_where_its_log_is(folder: Path) -> None:
    start_valkey(folder / "valkey").stop()
    (folder / "valkey" / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(StartError, match=r"Valkey does not start \(exit status 1\); .*valkey.log ends: .+"):
        start_valkey(folder / "valkey")


def test_the_folder_may_be_used_again_after_a_failed_start(folder: Path) -> None:
    (folder / "valkey").mkdir()
    (folder / "valkey" / "appendonlydir").write_text("in the way")
    with pytest.raises(StartError):
        start_valkey(folder / "valkey")
    (folder / "valkey" / "appendonlydir").unlink()
    start_valkey(folder / "valkey").stop()


def test_a_file_in_place_of_the_folder_is_named(folder: Path) -> None:
    (folder / "valkey").write_text("")
    with pytest.raises(StartError, match="valkey is not a folder"):
        start_valkey(folder / "valkey")


def test_r8_a_flipped_byte_in_the_append_only_file_is_told_with_a_tool_that_works(folder: Path) -> None:
    child = start_valkey(folder / "valkey")
    for number in range(20):
        _client(child.url).set(f"key{number}", "value")
    child.stop()
    (file,) = (folder / "valkey" / "appendonlydir").glob("*.incr.aof")
    damaged = bytearray(file.read_bytes())
    damaged[damaged.index(b"SET", 200) - 4] ^= 0x40
    file.write_bytes(damaged)
    with pytest.raises(StartError, match=r"its append-only file .* is damaged. Restore .*`bash") as said:
        start_valkey(folder / "valkey")
    assert len(str(said.value).splitlines()) == 1
    call = str(said.value).split("`")[1]
    looked = subprocess.run(["sh", "-c", call], capture_output=True, text=True, check=False)
    assert "is not valid" in looked.stdout


def test_r2_a_full_disk_is_named_and_a_start_after_there_is_room_finds_everything(folder: Path) -> None:
    said = "Error writing to the AOF file: No space left on device"
    cause = _cause(Path("valkey-server"), folder / "appendonlydir", said)
    assert cause is not None and "no room on the disk" in cause
