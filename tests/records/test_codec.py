"""A record is built from a round's log, survives its bytes, and old ones are lifted."""

import json
from typing import Any

import pytest

from app.kernel.errors import MalformedInput
from app.records.codec import KEYS, build, decode, encode
from app.records.replay import frames
from app.records.upcast import FORMAT, upcast
from tests.records.rounds import log_of, match_of, record_of


def test_a_record_has_exactly_the_documented_keys_in_order() -> None:
    record = record_of(1)
    assert list(json.loads(encode(record))) == list(KEYS)
    assert set(record) == set(KEYS)
    assert record["match"] == "m-1" and record["round_no"] == 2 and len(record["seats"]) == 3
    assert all(list(entry) == ["n", "at_ms", "ref", "command", "events"] for entry in record["entries"])


def test_nothing_of_the_log_but_the_record_is_kept() -> None:
    assert b"7:secret" not in encode(record_of(1)), "the owner's token stays in the log"


def test_bytes_and_back_is_the_same_record() -> None:
    for seed in range(20):
        record = record_of(seed)
        assert decode(encode(record)) == record
        assert encode(decode(encode(record))) == encode(record)


def test_the_result_is_that_of_the_last_event_and_the_lines() -> None:
    record = record_of(3)
    end = record["entries"][-1]["events"][-1]
    lines = [line for e in record["entries"] for ev in e["events"] for line in ev.get("lines", [])]
    assert record["result"]["outcome"] == end["outcome"] and record["result"]["winners"] == end["winners"]
    for seat, points in enumerate(record["result"]["points"]):
        gained = sum(line["points"] for line in lines if line["target"] == seat)
        assert points == gained - sum(line["points"] for line in lines if line["source"] == seat)


@pytest.mark.parametrize("cut", [slice(1, None), slice(0, -1), slice(0, 0)])
def test_half_a_round_makes_no_record(cut: slice) -> None:
    entries = record_of(1)["entries"]
    with pytest.raises(MalformedInput, match="entries"):
        build(match_of(3), entries[cut])


def test_replay_shows_every_entry_and_ends_as_the_round_did() -> None:
    record = record_of(4)
    shown = list(frames(record))
    assert [frame.n for frame in shown] == [entry["n"] for entry in record["entries"]]
    assert shown[-1].table.phase == "over" and list(shown[-1].table.points) == record["result"]["points"]
    assert shown[0].table.tick < shown[-1].table.tick


def test_old_formats_are_lifted_step_by_step() -> None:
    def to_two(record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "two": record["old"] + 1}

    def to_three(record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "three": record["two"] + 1}

    old = {"format": 1, "old": 1}
    lifted = upcast(old, {1: to_two, 2: to_three}, 3)
    assert lifted == {"format": 3, "old": 1, "two": 2, "three": 3}
    assert old == {"format": 1, "old": 1}
    assert upcast({"format": 2, "two": 5}, {1: to_two, 2: to_three}, 3)["three"] == 6


@pytest.mark.parametrize("number", [0, FORMAT + 1, "1", None, True, 1.0])
def test_an_unknown_format_is_told_with_what_can_be_read(number: object) -> None:
    with pytest.raises(MalformedInput, match=f"1 to {FORMAT}") as caught:
        decode(json.dumps({**record_of(1), "format": number}))
    assert caught.value.field == "format"


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b"{}", "[" * 100_000])
def test_what_is_no_record_is_refused(text: bytes | str) -> None:
    with pytest.raises(MalformedInput):
        decode(text)


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_part_is_named(key: str) -> None:
    record = record_of(1)
    del record[key]
    with pytest.raises(MalformedInput, match=key):
        decode(json.dumps(record))


def test_a_log_entry_without_events_list_is_named() -> None:
    record = record_of(1)
    record["entries"][1] = {**record["entries"][1], "events": "none"}
    with pytest.raises(MalformedInput, match=r"entries\[1\]"):
        decode(json.dumps(record))


def test_a_round_voided_at_once_makes_a_record_too() -> None:
    import random

    from app.kernel.errors import Rejection
    from app.kernel.play.commands import Abort
    from tests.laws.driving import Entry, random_setup
    from tests.laws.toy import TOY

    start = TOY.start(random_setup(TOY, 2, random.Random(5)))
    void = TOY.decide(start.state, TOY.decisions(start.state), Abort("vote"))
    assert not isinstance(void, Rejection)
    record = build(
        match_of(2), log_of([Entry(None, (), None, start, ()), Entry(start.state, (), Abort("vote"), void, ())])
    )
    assert record["result"] == {"outcome": "void", "winners": [], "next_dealer": record["dealer"], "points": [0, 0]}
