"""A match as one file: `{"format": 1, "match", "variant", "records": [a record, …]}`, made to travel.

Like a share it names nobody: no ids of players, room or match, and one name for all its records. Reading takes single
records and a record a line too; `refuse_false` is for all that show one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from app.kernel.errors import MalformedInput
from app.kernel.variant import Variant
from app.records.codec import Record, decode, nameless
from app.records.verify import verify

FORMAT: Final = 1


def bundle(match: str, variant: str, records: Sequence[Record]) -> dict[str, Any]:
    """The file of a match, of its records in order. `match` becomes a name that tells nothing of its room."""
    name = hashlib.sha256(match.encode()).hexdigest()[:16]
    return {
        "format": FORMAT, "match": name, "variant": variant, "records": [nameless(record, name) for record in records],
    }  # fmt: skip


def read_records(text: bytes) -> list[Record]:
    """The records of a file: of a match, a single one, or one a line. Raises MalformedInput."""
    lines = text.splitlines()
    if len(lines) > 1 and all(line.startswith(b"{") and line.endswith(b"}") for line in lines):
        return [decode(line) for line in lines]
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):  # also bytes that are no UTF-8
        return [decode(text)]
    if not isinstance(whole, dict) or "records" not in whole:
        return [decode(text)]
    given = whole["records"]
    if whole.get("format") != FORMAT or not isinstance(given, list) or not given:
        raise MalformedInput("records", "no file of a match that this version can read")
    records = [decode(json.dumps(record)) for record in given]
    _refuse_mixed(whole, records)
    return records


def refuse_false(records: Sequence[Record], variants: Mapping[str, Variant[Any]]) -> None:
    """Raises MalformedInput for the first record that differs from what it must be."""
    for number, record in enumerate(records, 1):
        check = verify(record, variants)[-1]
        if check.difference is not None:
            raise MalformedInput(f"record {number}", f"{check.name} differs: {check.difference}")


def _refuse_mixed(whole: Mapping[str, Any], records: Sequence[Record]) -> None:
    """One match in one game, its rounds in order, none twice."""
    for record in records:
        if (record["match"], record["variant"]) != (whole.get("match"), whole.get("variant")):
            raise MalformedInput("records", "a record is of another match")
    numbers = [record["round_no"] for record in records]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise MalformedInput("records", "the rounds are out of order")
