"""Documents for the archive: typed on both sides, and the same bytes for versions before and after."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.records.codec import digest
from app.tables import asks
from app.tables.log.documents import (
    FinishedMatch,
    FinishedRound,
    RoomEnded,
    UnacceptableDocument,
    ending_document,
    match_document,
    read_document,
)
from app.tables.log.record import quick_digest
from tests.tables.world import ALL_CLAIM, NO_SECRETS, World, settle

BEFORE: dict[str, Any] = {
    "format": 1, "kind": "round", "table": "t1", "code": "123456", "variant": "toy", "host": "a", "circle": None,
    "ranked": False, "bots_ever": False, "players": 2, "rules": {}, "match": "t1.1", "match_no": 1, "round_no": 1,
    "seats": [
        {"seat": 0, "user": "a", "name": "A", "bot": False, "autoplay": False, "left": False},
        {"seat": 1, "user": None, "name": None, "bot": True, "autoplay": False, "left": False},
    ],
    "parted": [{"seat": 1, "user": "b", "total": -3}], "outcome": "won", "started_ms": 1, "ended_ms": 2, "dealer": 0,
    "series": 1, "played_no": 1, "nets": [3, -3], "totals": [3, -3], "winners": [0],
    "lines": [{"reason": "win", "clause": "TOY-1", "from": 1, "to": 0, "points": 3, "detail": [["su", 3]]}],
    "facts": {"dealer": 0},
    "match_over": {"reason": "finished", "ranking": [{"seat": 0, "user": "a", "total": 3, "rank": 1}]},
    "record": {"format": 1, "entries": []},
}  # fmt: skip
"""A round as an older version queued it, in the order that it wrote."""


def test_a_document_that_an_older_version_queued_is_still_taken() -> None:
    document = read_document(json.dumps(BEFORE).encode())
    assert isinstance(document, FinishedRound)
    assert (document.lines[0].source, document.lines[0].target, document.seats[1].bot) == (1, 0, True)
    assert json.loads(bytes(document.record)) == BEFORE["record"] and document.patterns is None
    match = read_document(json.dumps({**BEFORE, "kind": "match"}).encode())
    assert isinstance(match, FinishedMatch) and match.match_over is not None and match.match_over.reason == "finished"
    ended = read_document(b'{"format":1,"kind":"end","table":"t1","reason":"voted","ended_ms":5}')
    assert ended == RoomEnded(format=1, table="t1", reason="voted", ended_ms=5)


async def test_what_is_queued_has_all_that_an_older_version_reads() -> None:
    world = World()
    table = await world.table(variant=ALL_CLAIM, rules=NO_SECRETS)
    clients = await world.dealt(table)
    await table.operate(asks.OrderDissolve("test"))
    await settle()
    [finished], [ended] = world.store.queue, world.store.ends
    assert set(BEFORE) <= set(finished) and set(BEFORE["seats"][0]) <= set(finished["seats"][0])
    assert (finished["kind"], finished["outcome"], ended["kind"]) == ("round", "void", "end")
    assert [seat["user"] for seat in finished["seats"]] == [client.person.user for client in clients]
    between = json.loads(match_document(table.log.match, 7))
    assert set(between) >= {"format", "kind", "match", "round_no", "seats", "ended_ms", "totals", "match_over"}
    assert json.loads(ending_document("t1", "voted", 5)) == {
        "format": 1, "kind": "end", "table": "t1", "reason": "voted", "ended_ms": 5,
    }  # fmt: skip


@pytest.mark.parametrize("spoilt", [{"nets": "none"}, {"kind": "other"}, {"seats": [{}]}])
def test_a_document_that_nobody_can_read_is_named_for_an_operator(spoilt: dict[str, Any]) -> None:
    with pytest.raises(UnacceptableDocument, match=r"t1\.1/1"):
        read_document(json.dumps({**BEFORE, **spoilt}).encode())


def test_bytes_that_are_no_document_at_all_are_refused_for_good() -> None:
    with pytest.raises(UnacceptableDocument, match="unreadable"):
        read_document(b"{")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6).filter(lambda key: key != "digest"), _VALUES, max_size=6))
def test_the_quick_digest_of_a_record_is_the_one_that_everybody_computes(record: dict[str, Any]) -> None:
    """Escapes, order and letters outside ASCII make no difference (A3)."""
    assert quick_digest(record) == digest(record)
