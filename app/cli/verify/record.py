"""`mj verify RECORD`: check a record (牌谱), or those of an exported match, and print the checks.

The work is in `app/records/verify.py`. A record alone can only be compared with itself.
`--commitment` and `--entropy` compare it with what a player saw.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from app.kernel.errors import MalformedInput
from app.records.bundle import read_records
from app.records.codec import Record
from app.records.verify import Check, anchored, verify
from app.variants import VARIANTS

_SAYS = {
    "header": "the header matches the deal and the revealed facts",
    "order": "entries and their times run forward",
    "commitment": "the seed is the one that was committed to before the deal",
    "shuffle": "wall, dice and a drawn dealer follow from the seed and the players' contributions",
    "fold": "the events lead to the end of the round",
    "rules": "every command, decided again, gives the same events",
    "result": "the result is the sum of the ledger's lines, zero together",
    "seen": "commitment and contributions are those that were seen before the deal",
    "digest": "the digest is that of the whole record",
}


def main(argv: list[str]) -> int:
    """Print one line per check. 0: all hold; 1: a difference, or not a record at all.

    `--live`, `--audit` and `--archive` check something else: see the modules beside this one.
    """
    if "--live" in argv:
        from app.cli.verify.live import main as verify_live

        return verify_live(argv)
    if "--audit" in argv:
        from app.cli.verify.audit_log import main as verify_audit

        return verify_audit(argv)
    if "--archive" in argv:
        from app.cli.verify.archive import main as verify_archive

        return verify_archive(argv)
    parser = argparse.ArgumentParser(prog="mj verify", description="check a record: its shuffle, its rules, its sums")
    parser.add_argument("record", type=Path, help="a record as JSON, an exported match, or a record a line")
    parser.add_argument("--commitment", metavar="H", help="the commitment that was shown before the deal")
    parser.add_argument(
        "--entropy", metavar="SEAT:TEXT", type=_contribution, action="append", default=[],
        help="a seat's (from 0) contribution to the shuffle; may be given for several seats",
    )  # fmt: skip
    asked = parser.parse_args(argv)
    path: Path = asked.record
    try:
        records = read_records(path.read_bytes())
        if len(records) > 1 and (asked.commitment or asked.entropy):
            raise MalformedInput("", "--commitment and --entropy are of one round")
        wrong = sum([_checked(record, asked.commitment, dict(asked.entropy)) for record in records])
    except (OSError, MalformedInput) as error:
        print(f"mj verify: {path}: {error}", file=sys.stderr)
        return 1
    return 1 if wrong else 0


def _checked(record: Record, commitment: str | None, entropy: dict[int, str]) -> int:
    """Check a record and print what was found; 1 if it differs."""
    checks = verify(record, VARIANTS)
    if checks[-1].difference is None:
        checks = (*checks, anchored(record, commitment, entropy))
    return _report(record, checks)


def _contribution(text: str) -> tuple[int, str]:
    seat, colon, contribution = text.partition(":")
    if not colon or not seat.isascii() or not seat.isdigit():
        raise argparse.ArgumentTypeError("expected SEAT:TEXT, as in 0:9f2c")
    return int(seat), contribution


def _report(record: Record, checks: tuple[Check, ...]) -> int:
    print(f"{record['variant']}, match {record['match']}, round {record['round_no']}: {len(record['entries'])} entries")
    print(f"  digest   {record['digest'] or 'none: a record of format 1 binds neither people nor times'}")
    for check in checks:
        if check.difference is not None:
            print(f"  DIFFERS  {check.name:<11}{check.difference}")
        elif check.skipped is not None:
            print(f"  skipped  {check.name:<11}{check.skipped}")
        else:
            print(f"  ok       {check.name:<11}{_SAYS[check.name]}")
    return 1 if any(check.difference is not None for check in checks) else 0
