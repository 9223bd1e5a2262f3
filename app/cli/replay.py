"""`mj replay FILE`: step through a record (牌谱) in the terminal. The work is in `app/records`.

A record that does not verify is refused. FILE holds one record as JSON, a match as it was exported, or a record a line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.seats import EVERYTHING
from app.kernel.table import TableState
from app.kernel.text.notation import plain_event, plain_view
from app.kernel.variant import Meta
from app.kernel.views import project, view
from app.records.bundle import read_records, refuse_false
from app.records.codec import Record
from app.records.replay import Frame, frames
from app.variants import VARIANTS

Plain = dict[str, Any]

_SILENT: Final = frozenset({"answered", "hold_ended", "phase_began", "round_started"})
_VERBS: Final = {
    "hand_dealt": "is dealt", "tile_drawn": "draws", "tile_discarded": "discards", "tile_laid": "lays",
    "tile_robbed": "is robbed of", "meld_made": "makes", "meld_extended": "extends to", "seat_passed": "passes",
    "dice_rolled": "rolls", "tile_flipped": "turned:", "marked": "is marked",
}  # fmt: skip
_KEYS: Final = "Enter: next   b: back   number: that step   q: end"


def main(argv: list[str]) -> int:
    """Step through the file; where nobody types, print every step. 0: shown; 1: not a record, or not a true one."""
    parser = argparse.ArgumentParser(prog="mj replay", description="step through a record in the terminal")
    parser.add_argument("file", type=Path, help="a record as JSON, an exported match, or a record a line")
    parser.add_argument("--seat", type=int, metavar="N", help="as this seat saw it, from 0 (default: everything)")
    asked = parser.parse_args(argv)
    try:
        records = read_records(asked.file.read_bytes())
        refuse_false(records, VARIANTS)
        shown = [_pages(record, asked.seat) for record in records]
    except (OSError, MalformedInput) as error:
        print(f"mj replay: {asked.file}: {error}", file=sys.stderr)
        return 1
    pages = [page for pages in shown for page in pages]
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step(pages)
    else:
        print("\n\n".join(pages))
    return 0


def _pages(record: Record, seat: int | None) -> list[str]:
    """Every step of a round as text, as `seat` saw it. Raises MalformedInput for a seat that the round has not."""
    names = [str(person.get("name") or f"seat {place}") for place, person in enumerate(record["seats"])]
    if seat is not None and not 0 <= seat < len(names):
        raise MalformedInput("--seat", f"the round has seats 0 to {len(names) - 1}")
    viewer = EVERYTHING if seat is None else seat
    meta = VARIANTS[record["variant"]].meta
    steps = [(frame, told) for frame in frames(record) if (told := list(_told(frame, viewer, names, meta)))]
    head = f"{meta.name_zh} {meta.name_en}, round {record['round_no']}"
    return [
        "\n".join([f"{head}, step {number}/{len(steps)}", *told, "", *_table(view(frame.table, viewer), names)])
        for number, (frame, told) in enumerate(steps, 1)
    ]


def _step(pages: list[str]) -> None:
    """One page at a time, until the person at the terminal has had enough."""
    at = 0
    while True:
        print(f"\n{pages[at]}\n\n{_KEYS}")
        try:
            said = input().strip()
        except EOFError:
            return
        if said == "q" or (not said and at == len(pages) - 1):
            return
        wanted = int(said) - 1 if said.isascii() and said.isdigit() else at - 1 if said == "b" else at + 1
        at = max(0, min(wanted, len(pages) - 1))


def _told(frame: Frame, viewer: int, names: list[str], meta: Meta) -> Iterator[str]:
    """The events of an entry, as the viewer was sent them."""
    for event in frame.events:
        seen = project(event, viewer)
        plain = {} if seen is None else plain_event(seen)
        if plain and plain["type"] not in _SILENT:
            yield from _sentence(plain, names, meta)


def _sentence(e: Plain, names: list[str], meta: Meta) -> Iterator[str]:
    who = "" if e.get("seat") is None else names[e["seat"]]
    match e["type"]:
        case "points_moved":
            for line in e["lines"]:
                reason = meta.reason_names.get(line["reason"], line["reason"])
                parts = "".join(f" {meta.pattern_names.get(token, token)}" for token, _ in line.get("detail", []))
                pays = f"{names[line['source']]} pays {names[line['target']]} {line['points']}"
                yield f"  {pays}: {reason}{parts} ({line['clause']})"
        case "won":
            patterns = [meta.pattern_names.get(token, token) for token, _ in e["reading"]["patterns"]]
            yield " ".join([who, "wins", *patterns, *e["reading"].get("groups", [])])
        case "hands_revealed":
            yield "hands are laid open"
        case "round_ended":
            yield f"the round is over: {e['outcome']}"
        case kind:
            value = "" if e.get("value") is None else str(e["value"])
            faces = " ".join(map(str, e.get("faces", [])))
            shown = [e.get("kind"), e.get("mark"), value, faces, e.get("tile") or e.get("tiles")]
            words = [who, _VERBS.get(kind, kind.replace("_", " ")), *shown]
            yield " ".join(word.replace("_", " ") for word in words if word)


def _table(seen: TableState, names: list[str]) -> Iterator[str]:
    """The table: one block a seat; `··` is a tile that the viewer does not see."""
    plain = plain_view(seen)
    width = max(map(len, names))
    for place, seat in enumerate(plain["seats"]):
        turn = ">" if plain["turn"] == place else " "
        hand = "··" * seat["count"] if seat["hand"] is None else seat["hand"]
        melds = " ".join(f"[{meld['tiles'] or '··' * meld['count']}]" for meld in seat["melds"])
        yield f"{turn} {names[place]:<{width}} {plain['points'][place]:+5}  {hand} {melds}".rstrip()
        if seat["row"]:
            yield f"  {'':<{width}}        {seat['row']}"
    yield f"  {plain['left']} tiles left"
