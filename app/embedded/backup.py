"""Backup of a data folder: both stores and the signing key in one file, and back into an empty folder.

The snapshot of the live store is taken first and the dump of the archive after it: a round that has left the live
store's queue is in the archive by then, and one that is in both is stored once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.embedded.identity import mark_halves
from app.embedded.places import StartError, writable_folder
from app.embedded.postgres import dump_database, restore_database, start_postgres
from app.embedded.process import take_lock
from app.embedded.snapshot import bring_back, take_snapshot
from app.embedded.valkey import start_valkey

FORMAT: Final = 1
_VALKEY, _POSTGRES, _SECRET, _MANIFEST = "valkey.rdb", "postgres.dump", "secret", "manifest.json"


@dataclass(frozen=True)
class Stores:
    """Addresses of the two stores of a data folder."""

    valkey_url: str
    database_url: str


def back_up(data: Path, file: Path, version: str, running: Mapping[str, Any]) -> dict[str, Any]:
    """Write a backup of the data folder to `file`, readable by its owner only. Returns the manifest.

    `running`: the entry (`run.json`) of the server in that folder, empty for none; it serves on.
    Raises StartError: no data there, stores elsewhere, the file cannot be written.
    """
    if not (data / "valkey" / "appendonlydir").is_dir() or not (data / "postgres" / "PG_VERSION").exists():
        raise StartError(f"{data} is no data folder with both stores: for stores of your own use their own tools.")
    with tempfile.TemporaryDirectory(prefix="backup-", dir=data) as made, _stores(data, running) as stores:
        parts = Path(made)
        take_snapshot(stores.valkey_url, parts / _VALKEY)
        dump_database(data / "postgres", stores.database_url, parts / _POSTGRES)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(data / "secret", parts / _SECRET)
        sums = {part.name: _sum(part) for part in sorted(parts.iterdir())}
        manifest = {
            "format": FORMAT,
            "version": version,
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "sha256": sums,
        }
        (parts / _MANIFEST).write_text(json.dumps(manifest, indent=1))
        _pack(parts, [_MANIFEST, *sums], file)
    return manifest


def restore(file: Path, data: Path, archive_from: Path | None = None) -> dict[str, Any]:
    """Make `data`, which holds no stores yet, the data folder that `file` was made of. Returns the manifest.

    `archive_from`: take the archive out of this backup instead, when the other half was lost on another day.
    Raises StartError: the file is damaged or of a newer format, or the folder holds stores already.
    """
    data = writable_folder(data)
    with take_lock(data / "lock", f"The data folder {data}"):
        for half in ("valkey", "postgres", "secret"):
            if (data / half).exists():
                raise StartError(f"{data / half} is there already: restore into an empty data folder.")
        with tempfile.TemporaryDirectory(prefix="restore-", dir=data) as made:
            parts = Path(made)
            manifest = _unpack(file, parts)
            if archive_from is not None:
                (parts / "other").mkdir()
                _unpack(archive_from, parts / "other")
                (parts / "other" / _POSTGRES).replace(parts / _POSTGRES)
            bring_back(parts / _VALKEY, data / "valkey")
            database = start_postgres(data / "postgres")
            try:
                restore_database(data / "postgres", database.url, parts / _POSTGRES)
            finally:
                database.stop()
            if (parts / _SECRET).exists():
                _private_copy(parts / _SECRET, data / "secret")
        mark_halves(data)
    return manifest


@contextlib.contextmanager
def _stores(data: Path, entry: Mapping[str, Any]) -> Iterator[Stores]:
    """The stores of a running server; started for the moment where none runs."""
    running = _alive(entry)
    if running is not None:
        yield running
        return
    with take_lock(data / "lock", f"The data folder {data}"):
        valkey = start_valkey(data / "valkey")
        try:
            database = start_postgres(data / "postgres")
            try:
                yield Stores(valkey.url, database.url)
            finally:
                database.stop()
        finally:
            valkey.stop()


def _alive(entry: Mapping[str, Any]) -> Stores | None:
    """The stores of an entry whose server still lives: one that was killed leaves its entry behind."""
    with contextlib.suppress(OSError, KeyError):
        os.kill(entry["pid"], 0)
        return Stores(entry["valkey_url"], entry["database_url"])
    return None


def _pack(parts: Path, names: list[str], file: Path) -> None:
    making = file.with_name(file.name + ".making")
    try:
        with os.fdopen(os.open(making, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            with tarfile.open(fileobj=out, mode="w") as tar:
                for name in names:
                    tar.add(parts / name, name)
            out.flush()
            os.fsync(out.fileno())
        making.replace(file)
    except OSError as error:
        making.unlink(missing_ok=True)
        raise StartError(f"The backup {file} cannot be written: {error.strerror}.") from None


def _unpack(file: Path, parts: Path) -> dict[str, Any]:
    """Take a backup apart, and see that it is whole. Raises StartError, naming what is damaged."""
    try:
        with tarfile.open(file) as tar:
            for member in tar.getmembers():
                if member.name in (_MANIFEST, _VALKEY, _POSTGRES, _SECRET) and member.isfile():
                    tar.extract(member, parts, filter="data")
        manifest: dict[str, Any] = json.loads((parts / _MANIFEST).read_text())
    except (OSError, tarfile.TarError, ValueError) as error:
        raise StartError(f"{file} is no backup that can be read: {error}.") from None
    if manifest.get("format") != FORMAT:
        raise StartError(f"{file} has format {manifest.get('format')}; this program knows {FORMAT}.")
    for name, expected in manifest["sha256"].items():
        if not (parts / name).exists() or _sum(parts / name) != expected:
            raise StartError(f"{file} is damaged: {name} is not what was put into it.")
    return manifest


def _sum(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _private_copy(secret: Path, to: Path) -> None:
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(secret.read_bytes())
