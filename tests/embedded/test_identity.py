"""The two halves of a data folder belong together (R7): one that is missing or foreign stops the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.embedded.identity import check_halves, mark_halves
from app.embedded.places import StartError


def made(data: Path, *halves: str) -> Path:
    """A data folder with these halves, as the stores leave them."""
    data.mkdir(exist_ok=True)
    for half in halves:
        (data / half).mkdir()
        if half == "valkey":
            (data / half / "appendonlydir").mkdir()
        else:
            (data / half / "PG_VERSION").write_text("18")
    return data


def started(data: Path) -> Path:
    """The same after a start that went well."""
    check_halves(data)
    made(data, *[half for half in ("valkey", "postgres") if not (data / half).exists()])
    mark_halves(data)
    return data


def test_a_new_folder_and_one_of_an_older_version_get_an_identity(tmp_path: Path) -> None:
    for data in (started(made(tmp_path / "new")), started(made(tmp_path / "old", "valkey", "postgres"))):
        check_halves(data)
        one, other = [(data / half / "quezhuo.identity").read_text() for half in ("valkey", "postgres")]
        assert one == other and len(one) > 10
        assert not (data / "quezhuo.making").exists()


@pytest.mark.parametrize("lost", ["valkey", "postgres"])
def test_r7_a_missing_half_stops_the_start_until_it_is_accepted(tmp_path: Path, lost: str) -> None:
    data = started(made(tmp_path / "data"))
    (data / lost).rename(tmp_path / "elsewhere")
    for _ in range(2):
        with pytest.raises(StartError, match=rf"{lost}.* is missing. .*--accept-data") as said:
            check_halves(data)
        assert len(str(said.value).splitlines()) == 1
    check_halves(data, accepted=True)
    made(data, lost)
    mark_halves(data)
    check_halves(data)


def test_r7_halves_of_two_servers_stop_the_start_until_they_are_accepted(tmp_path: Path) -> None:
    one, two = started(made(tmp_path / "one")), started(made(tmp_path / "two"))
    (one / "postgres").rename(tmp_path / "away")
    (two / "postgres").rename(one / "postgres")
    with pytest.raises(StartError, match="halves of two different servers"):
        check_halves(one)
    check_halves(one, accepted=True)
    mark_halves(one)
    check_halves(one)


def test_a_first_start_that_was_killed_between_the_halves_goes_on(tmp_path: Path) -> None:
    data = made(tmp_path / "data")
    check_halves(data)
    made(data, "valkey")
    check_halves(data)
