"""One identity for the two stores of a data folder, so that a half which is missing, or of another server, is noticed.

Each half carries the same few letters in a file `quezhuo.identity`. Without this a lost archive would be made anew,
empty and without a word, beside the live tables of the old one.
"""

import contextlib
import os
import secrets
from pathlib import Path

from app.embedded.places import StartError

_FILE = "quezhuo.identity"
_MAKING = "quezhuo.making"
"""Stands in the data folder while the two halves are made: a start that was killed in between may go on."""
_FLAG = "--accept-data"


def check_halves(data: Path, accepted: bool = False) -> None:
    """See that the halves of a data folder belong together; before either store is started.

    `accepted`: the operator has accepted that they do not. Raises StartError with one sentence.
    """
    valkey, postgres = data / "valkey", data / "postgres"
    there = {"valkey": (valkey / "appendonlydir").is_dir(), "postgres": (postgres / "PG_VERSION").exists()}
    if accepted or (data / _MAKING).exists() or not any(there.values()):
        with contextlib.suppress(OSError):
            (data / _MAKING).touch()
        return
    advice = f"Put the right folder back, restore a backup, or go on knowingly with {_FLAG}."
    if not there["postgres"]:
        raise StartError(
            f"{valkey} holds live tables, but the archive that belongs to them, {postgres}, is missing. {advice}"
        )
    if not there["valkey"]:
        raise StartError(
            f"{postgres} holds an archive, but the live store that belongs to it, {valkey}, is missing. {advice}"
        )
    one, other = _read(valkey), _read(postgres)
    if one and other and one != other:
        raise StartError(f"{valkey} and {postgres} are halves of two different servers. {advice}")


def mark_halves(data: Path) -> None:
    """Give both halves one identity, where they have none yet or were accepted as they are; once both are made."""
    halves = (data / "valkey", data / "postgres")
    found = [_read(half) for half in halves]
    if found[0] and found[0] == found[1]:
        (data / _MAKING).unlink(missing_ok=True)
        return
    identity = found[1] or found[0] or secrets.token_hex(8)
    for half in halves:
        _write(half, identity)
    (data / _MAKING).unlink(missing_ok=True)


def _read(half: Path) -> str:
    with contextlib.suppress(OSError):
        return (half / _FILE).read_text("ascii").strip()
    return ""


def _write(half: Path, identity: str) -> None:
    """Replace the file whole, owned like its folder: Postgres may run under another account."""
    new = half / f"{_FILE}.new"
    new.write_text(identity + "\n", "ascii")
    owner = half.stat()
    if owner.st_uid != os.geteuid():
        os.chown(new, owner.st_uid, owner.st_gid)
    new.replace(half / _FILE)
