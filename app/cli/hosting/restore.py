"""`mj restore`: an empty data folder becomes what a backup holds."""

import argparse
from pathlib import Path

from app.cli.running import data_folder
from app.embedded.backup import restore


def main(argv: list[str]) -> int:
    """Bring a backup back. Returns the exit status."""
    given = parser().parse_args(argv)
    folder = data_folder(given.data)
    manifest = restore(given.file, folder, given.archive_from)
    print(f"{folder}: as of {manifest['at']}, version {manifest['version']}. `mj up` goes on from there.")
    return 0


def parser() -> argparse.ArgumentParser:
    """The options of `mj restore`."""
    back = argparse.ArgumentParser(prog="mj restore", description="Make an empty data folder out of a backup.")
    back.add_argument("file", type=Path, metavar="FILE")
    back.add_argument("--data", type=Path, help="data folder, without stores (default: as `mj up`)")
    back.add_argument(
        "--archive-from", type=Path, metavar="FILE",
        help="take the archive (Postgres) out of this backup: what it does not know is made again as tables end",
    )  # fmt: skip
    return back
