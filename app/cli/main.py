"""`mj`: the table of commands. Each is a module with `main(argv) -> exit status`, imported only when it is called.

No command does its work here.
"""

import importlib
import importlib.util
import os
import select
import signal
import sys

COMMANDS: dict[str, tuple[str, str]] = {
    "up": ("app.cli.hosting.up", "start the server, with its own Valkey and Postgres unless others are given"),
    "test": ("app.cli.testing", "run the tests; arguments go to pytest"),
    "check": ("app.cli.check", "format, lint, types, import contracts, tests"),
    "demo": ("app.lab.demo", "play a match over sockets against a running server, or one started for it"),
    "score": ("app.cli.score", "settle the hands of a file, with every clause that applied"),
    "rules": ("app.cli.rules", "print a clause of a game, with the code and the tests that cite it"),
    "verify": (
        "app.cli.verify.record",
        "check a record, or with --live or --audit what a store holds",
    ),
    "replay": ("app.cli.replay", "step through a record in the terminal"),
    "schema": ("app.cli.schema", "write or check the schema files of the protocol"),
    "sdk": ("app.cli.sdk", "write the package of a client: @quezhuo/client, quezhuo-client"),
    "settings": ("app.cli.hosting.settings", "list every setting: variable, option, default, meaning"),
    "backup": ("app.cli.hosting.backup", "write both stores and the signing key to one file"),
    "restore": ("app.cli.hosting.restore", "make an empty data folder out of a backup"),
    "audit": ("app.cli.audit", "known faults and licences of the packages that the server needs (by hand)"),
    "migrate": ("app.serving.migrate", "bring a database to this version's schema"),
    "admin": ("app.cli.hosting.admin", "operate a running server: watch, dissolve, drain"),
    "bench": ("app.lab.bench.command", "measure the engine and the server"),
    "soak": ("app.lab.laws.soak", "play many rounds under all invariants; count rare events"),
    "leaks": ("app.lab.bench.leaks", "play bot matches on a real node and compare the resources in use afterwards"),
    "shots": ("app.lab.shots", "take pictures of every screen of the page, to be looked at"),
    "chaos": ("app.lab.chaos.chaos", "break things on purpose while tables play"),
}


def main(argv: list[str] | None = None) -> int:
    """Run the command named first in `argv` (default: the process's arguments). Returns the exit status."""
    try:
        try:
            return _main(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if not _unread():
            raise
        return 128 + signal.SIGPIPE


def _main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if words[0] in ("-V", "--version"):
        from importlib.metadata import version

        print(version("quezhuo"))
        return 0
    if words[0] not in COMMANDS:
        print(f"mj: there is no command '{words[0]}'.\n\n{usage()}", file=sys.stderr)
        return 2
    return _run(words[0], words[1:])


def usage() -> str:
    """The commands, one a line."""
    rows = [f"  {name:<9}{says}" for name, (_, says) in COMMANDS.items()]
    head = "usage: mj COMMAND [options]        (the same: python3 -m app COMMAND)\n\n"
    return head + "\n".join(rows) + "\n\n'mj COMMAND --help' shows the options."


def _run(command: str, argv: list[str]) -> int:
    from app.embedded.places import StartError

    module = COMMANDS[command][0]
    if module.startswith("app.lab.") and importlib.util.find_spec("app.lab") is None:
        print(f"mj: '{command}' belongs to the test kit, which only the source tree has.", file=sys.stderr)
        return 2
    try:
        status: int = importlib.import_module(module).main(argv)
    except StartError as error:
        print(f"mj: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _unread() -> bool:
    """Does nobody read our output any more (`mj rules … | head`)? Then the rest of it goes nowhere, silently."""
    ends = select.poll()
    ends.register(sys.stdout.fileno(), 0)
    if not ends.poll(0):
        return False
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return True
