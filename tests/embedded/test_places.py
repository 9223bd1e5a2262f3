"""The default data folder, as root and not, and the messages about unusable folders."""

import os
import re
from pathlib import Path

import pytest

from app.embedded.places import StartError, can_enter, default_data_folder, unprivileged_account, writable_folder


def test_by_default_data_lie_in_the_clone(folder: Path) -> None:
    (folder / "pyproject.toml").touch()
    assert default_data_folder(folder) == folder / ".data"


def test_in_a_clone_only_root_may_enter_they_lie_in_the_systems_state_folder(folder: Path) -> None:
    (folder / "pyproject.toml").touch()
    (folder / "other").mkdir()
    (folder / "other" / "pyproject.toml").touch()
    folder.chmod(0o700)
    chosen = default_data_folder(folder)
    if os.geteuid() == 0:
        assert re.fullmatch(rf"/(var/lib|usr/local/var)/quezhuo/{folder.name}-[0-9a-f]{{8}}", str(chosen))
        assert default_data_folder(folder / "other") != chosen
    else:
        assert chosen == folder / ".data"


def test_a14_an_installed_package_keeps_its_data_in_the_users_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    chosen = default_data_folder(folder / "site-packages")
    assert chosen.is_relative_to(folder) and chosen.name == "quezhuo" and "site-packages" not in str(chosen)


def test_who_may_enter_is_asked_of_the_kernel(folder: Path) -> None:
    account = unprivileged_account()
    (folder / "a" / "b").mkdir(parents=True)
    if account is not None:
        assert can_enter(account, folder / "a" / "b" / "not" / "there" / "yet")
        (folder / "a").chmod(0o700)
        assert not can_enter(account, folder / "a" / "b")


def test_a_data_folder_is_made_with_its_parents(folder: Path) -> None:
    assert writable_folder(folder / "x" / "y").is_dir()


def test_a_file_where_the_folder_should_be_is_named(folder: Path) -> None:
    (folder / "file").touch()
    for place in (folder / "file", folder / "file" / "below"):
        with pytest.raises(StartError, match="is not a folder"):
            writable_folder(place)
