"""`mj bench WHAT`: measurements. Each is a module with `main(argv) -> exit status`, imported only when it is called."""

from __future__ import annotations

import importlib
import sys
from typing import Final

BENCHES: Final[dict[str, tuple[str, str]]] = {
    "engine": ("app.lab.bench.engine", "rules and bots on one core: rounds, entries, the dearest checks"),
    "ladder": ("app.lab.bench.ladder", "a million players: my rank, my neighbours, the top 100"),
    "socket": ("app.lab.bench.socket", "sockets of one node: actions/s beside a plain echo, latency"),
    "server": ("app.lab.bench.server", "one node on one core: CPU an entry, entries/s, latency, at any pace"),
    "recovery": ("app.lab.bench.recovery", "500 tables in mid-round after a kill: the first, and all, play again"),
    "storm": ("app.lab.bench.storm", "1,600 people return within 5 s after a kill: how long each return takes"),
    "flood": ("app.lab.bench.flood", "a hostile machine: half-open handshakes, floods of frames; do others feel it"),
    "outage": (
        "app.lab.chaos.as_players_see",
        "a fault under play: how long until each player's next act is acknowledged",
    ),
    "slow": ("app.lab.bench.slow", "people who stop reading: are they cut, do others feel it"),
}


def main(argv: list[str]) -> int:
    """Run the measurement named first in `argv`; the rest are its own arguments."""
    if argv and argv[0] in BENCHES:
        status: int = importlib.import_module(BENCHES[argv[0]][0]).main(argv[1:])
        return status
    asked_for_help = argv[:1] in (["-h"], ["--help"])
    print("usage: mj bench WHAT [options]\n", file=sys.stdout if asked_for_help else sys.stderr)
    for name, (_, says) in BENCHES.items():
        print(f"  {name:<9}{says}", file=sys.stdout if asked_for_help else sys.stderr)
    return 0 if asked_for_help else 2
