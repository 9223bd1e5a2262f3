"""`mj backup`: both stores of a data folder and its signing key in one file."""

import argparse
from importlib.metadata import version
from pathlib import Path

from app.cli.running import data_folder, running
from app.embedded.backup import back_up


def main(argv: list[str]) -> int:
    """Write a backup. Returns the exit status."""
    given = parser().parse_args(argv)
    manifest = back_up(data_folder(given.data), given.file.absolute(), version("quezhuo"), running(given.data))
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
