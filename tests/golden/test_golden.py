"""The golden streams are what the server sends today, and every round in them verifies."""

import json
import typing
from typing import Any

import pytest

from app.kernel import events as ev
from app.kernel.text.notation import read_event
from app.records.codec import decode
from app.records.verify import verify
from app.variants import VARIANTS
from tests.golden.writer import HERE, ROUNDS, streams_of, tokens_of

slugs = pytest.mark.parametrize("slug", list(VARIANTS))


def _golden(slug: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"{slug}.json").read_bytes())
    return found


@slugs
def test_the_streams_are_made_again_from_the_records(slug: str) -> None:
    golden = _golden(slug)
    assert golden["variant"] == slug and len(golden["rounds"]) == ROUNDS
    for played in golden["rounds"]:
        assert json.loads(json.dumps(streams_of(played["record"]))) == played["streams"], played["name"]


@slugs
def test_the_records_verify(slug: str) -> None:
    """If only this fails the rules have changed: a new rules_version, or `python -m tests.golden.writer`."""
    for played in _golden(slug)["rounds"]:
        for check in verify(decode(json.dumps(played["record"])), VARIANTS):
            assert check.difference is None and check.skipped is None, (played["name"], check)


def test_all_games_together_show_every_event() -> None:
    shown: set[str] = set()
    for slug in VARIANTS:
        for played in _golden(slug)["rounds"]:
            shown |= tokens_of(read_event(plain) for e in played["record"]["entries"] for plain in e["events"])
    assert {cls.__name__ for cls in typing.get_args(ev.Event)} <= shown
    wanted = {
        "MeldMade.face_down=True", "MeldExtended.source=laid", "MeldExtended.source=row", "TileRobbed.use=win",
        "RoundEnded.outcome=won", "RoundEnded.outcome=exhausted", "TileDrawn.end=tail", "Marked.mark=wilds",
    }  # fmt: skip
    assert wanted <= shown, wanted - shown


@slugs
def test_no_stream_shows_a_secret(slug: str) -> None:
    for played in _golden(slug)["rounds"]:
        for name, stream in played["streams"].items():
            for plain in [plain for batch in stream["batches"] for plain in batch]:
                foreign = str(plain.get("seat")) != name
                assert not (plain["type"] == "tile_drawn" and foreign and "tile" in plain)
                assert not (plain["type"] == "hand_dealt" and foreign and "tiles" in plain)
                assert not (plain["type"] == "round_started" and ("wall" in plain or "seed" in plain))
                assert not (plain["type"] == "meld_made" and foreign and plain.get("face_down") and "tiles" in plain)
                assert not (plain["type"] == "answered" and foreign) and plain["type"] != "hold_ended"
