"""`mj backup`: both stores of a data folder and its signing key in one file."""

import argparse
from importlib.metadata import version
from pathlib import Path

from app.embedded.backup import back_up
from app.embedded.places import default_data_folder
from app.serving.configure import read_settings


def main(argv: list[str]) -> int:
    """Write a backup. Returns the exit status."""
    given = parser().parse_args(argv)
    manifest = back_up(data_folder(given.data), given.file.absolute(), version("quezhuo"))
    print(f"{given.file}: {', '.join(manifest['sha256'])} of {manifest['at']}")
    print("Whoever reads this file can sign in as anybody: keep it as you keep a key.")
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `mj backup`."""
    backup = argparse.ArgumentParser(
        prog="mj backup", description="Write both stores and the signing key to one file; a running server serves on."
    )
    backup.add_argument("file", type=Path, metavar="FILE")
    backup.add_argument("--data", type=Path, help="data folder (default: as `mj up`)")
    return backup


def data_folder(given: Path | None) -> Path:
    """The data folder: the one given, that of the settings, or the usual one."""
    return given or read_settings({}).data or default_data_folder()
