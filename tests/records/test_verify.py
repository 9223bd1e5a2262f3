"""`mj verify` finds every way a record can be tampered with, and says where."""

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli.verify import record as command
from app.kernel.errors import MalformedInput
from app.kernel.play.shuffle import commitment, deal
from app.records.codec import build, decode, encode, sealed
from app.records.verify import anchored, setup_of, verify
from app.variants import VARIANTS
from tests.laws.driving import play, random_command
from tests.laws.toy import TOY
from tests.records.rounds import log_of, match_of, record_of

GAMES = {"toy": TOY}


def _failure(record: dict[str, Any]) -> tuple[str, str]:
    last = verify(record, GAMES)[-1]
    assert last.difference is not None, "nothing was found"
    return last.name, last.difference


def _copy(seed: int = 11) -> dict[str, Any]:
    return copy.deepcopy(record_of(seed))


def test_records_of_random_rounds_verify() -> None:
    for seed in range(40):
        for check in verify(record_of(seed, players=2 + seed % 3), GAMES):
            assert check.difference is None and check.skipped is None, check


def test_all_seven_things_are_checked() -> None:
    names = [check.name for check in verify(record_of(1), GAMES)]
    assert names == ["header", "order", "commitment", "shuffle", "rules", "fold", "result"]


def _swap_wall(record: dict[str, Any]) -> None:
    """Two different tiles of the wall exchanged everywhere in the record."""
    wall = record["wall"]
    at = next(at for at in range(2, len(wall), 2) if wall[at : at + 2] != wall[:2])
    swapped = wall[at : at + 2] + wall[2:at] + wall[:2] + wall[at + 2 :]
    record["wall"] = record["entries"][0]["events"][0]["wall"] = record["entries"][-1]["events"][-1]["wall"] = swapped


def _other_seed(record: dict[str, Any]) -> None:
    seed = "ab" * 32
    record["seed"] = record["entries"][0]["events"][0]["seed"] = record["entries"][-1]["events"][-1]["seed"] = seed


def _other_seed_and_commitment(record: dict[str, Any]) -> None:
    _other_seed(record)
    record["commitment"] = record["entries"][0]["events"][0]["commitment"] = commitment("ab" * 32)


def _contribution(record: dict[str, Any]) -> None:
    record["contributions"][0] += "!"
    record["entries"][0]["events"][0]["contributions"] = record["contributions"]


def _dealer_in_header(record: dict[str, Any]) -> None:
    record["dealer"] = (record["dealer"] + 1) % 3


def _discard(record: dict[str, Any]) -> None:
    event = next(ev for e in record["entries"] for ev in e["events"] if ev["type"] == "tile_discarded")
    event["tile"] = "1s" if event["tile"] != "1s" else "2s"


def _command(record: dict[str, Any]) -> None:
    entry = next(e for e in record["entries"] if e["command"] and "act" in e["command"])
    entry["command"]["decision"] = "999.0"


def _drop_entry(record: dict[str, Any]) -> None:
    del record["entries"][len(record["entries"]) // 2]


def _points(record: dict[str, Any]) -> None:
    record["result"]["points"][0] += 1
    record["result"]["points"][1] -= 1


def _winner(record: dict[str, Any]) -> None:
    record["result"]["winners"] = [0, 1, 2]


def _numbers(record: dict[str, Any]) -> None:
    record["entries"][3]["n"] = record["entries"][2]["n"]


@pytest.mark.parametrize(
    ("tamper", "name"),
    [
        (_swap_wall, "shuffle"), (_other_seed, "commitment"), (_other_seed_and_commitment, "shuffle"),
        (_contribution, "shuffle"), (_dealer_in_header, "header"), (_discard, "rules"), (_command, "rules"),
        (_drop_entry, "rules"), (_points, "result"), (_winner, "result"), (_numbers, "order"),
    ],
)  # fmt: skip
def test_tampering_is_found(tamper: Callable[[dict[str, Any]], None], name: str) -> None:
    record = _copy()
    tamper(record)
    assert _failure(record)[0] == name


def test_the_first_difference_is_told_with_both_values() -> None:
    record = _copy()
    _discard(record)
    _, difference = _failure(record)
    assert "entry" in difference and "the record says" in difference and "found" in difference


def test_another_rules_version_is_folded_but_not_decided_again() -> None:
    record = _copy()
    record["rules_version"] = record["entries"][0]["events"][0]["rules_version"] = 99
    checks = {check.name: check for check in verify(record, GAMES)}
    assert checks["rules"].skipped is not None and "99" in checks["rules"].skipped
    assert checks["fold"].difference is None and checks["result"].difference is None


@pytest.mark.parametrize("version", [0, 2, 7, "1", 1.0, True, None], ids=repr)
def test_an_unknown_shuffle_version_is_refused_and_said(version: object) -> None:
    """A3: a shuffle that nobody can repeat proves nothing."""
    assert _failure({**_copy(), "shuffle_version": version})[0] == "shuffle"


def test_a_drawn_dealer_is_the_one_that_the_shuffle_drew() -> None:
    """S5: dealer and everything played after it would fit any seat; the seed says which one it is."""
    record = sealed({**_copy(), "dealer_drawn": True})
    assert all(check.difference is None for check in verify(record, GAMES))
    setup = setup_of(record, TOY)
    other = replace(setup, dealer=(setup.dealer + 1) % setup.players)
    trace = play(TOY, other, random.Random(1), random_command)
    forged = build({**match_of(setup.players), "dealer_drawn": True}, log_of(trace))
    assert _failure(forged)[0] == "shuffle"
    denied = build({**match_of(setup.players), "round_no": 1, "dealer_drawn": False}, log_of(trace))
    assert _failure(denied) == ("shuffle", "dealer: the first dealer was not drawn")


def test_a_record_of_format_1_is_read_and_binds_nothing() -> None:
    """Its people may be other people; what can be computed anew is checked as before."""
    old = {key: value for key, value in _copy().items() if key not in ("digest", "dealer_drawn")}
    record = decode(json.dumps({**old, "format": 1}))
    assert record["digest"] is None and all(check.difference is None for check in verify(record, GAMES))
    with pytest.raises(MalformedInput, match="format 1"):
        decode(json.dumps({**_copy(), "format": 1}))


def test_a_record_of_a_game_this_program_lacks_ends_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(encode({**record_of(1), "variant": "nowhere"}))
    assert command.main([str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "nowhere" in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"format": 99})])
def test_a_file_that_is_no_record_ends_in_one_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    assert command.main([str(path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert command.main([str(tmp_path / "missing.json")]) == 1


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_the_command_prints_every_check_and_fails_on_a_tampered_record(
    slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = VARIANTS[slug]
    for players in game.meta.players:
        record = record_of(players, game, players)
        path = tmp_path / "record.json"
        path.write_bytes(encode(record))
        assert command.main([str(path)]) == 0, capsys.readouterr().out
        assert capsys.readouterr().out.count("  ok  ") == 7
        record["result"]["points"][0] += 1
        path.write_bytes(encode(record))
        assert command.main([str(path)]) == 1
        assert "DIFFERS  result" in capsys.readouterr().out


def test_a_record_is_compared_with_what_was_seen_before_the_deal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """S5: a server that picks the seed after it saw all contributions makes a record that agrees with itself."""
    game = VARIANTS["tianjin"]
    record = record_of(1, game, 4)
    path = tmp_path / "record.json"
    path.write_bytes(encode(record))
    mine = ["--commitment", record["commitment"].upper(), "--entropy", f"2:{record['contributions'][2]}"]
    assert command.main([str(path), *mine]) == 0
    assert "ok       seen" in capsys.readouterr().out
    assert command.main([str(path)]) == 0
    assert "skipped  seen" in capsys.readouterr().out, "and says that it was compared with nothing"
    for other in (
        ["--commitment", commitment("ab" * 32)], ["--entropy", "0:not mine"], ["--entropy", "4:"],
        [*mine, "--entropy", "1:not mine"],
    ):  # fmt: skip
        assert command.main([str(path), *other]) == 1
        assert "DIFFERS  seen" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["word", "x:word", ":word", "-1:word", "²:word"])
def test_a_contribution_without_a_seat_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["record.json", f"--entropy={text}"])
    assert "SEAT:TEXT" in capsys.readouterr().err


def test_a_seed_that_was_picked_afterwards_passes_alone_and_not_beside_the_commitment() -> None:
    """S5: the whole round played anew from another seed, with its own commitment in it."""
    setup = setup_of(_copy(), TOY)
    seed = "cd" * 32
    dealt = deal(seed, setup.contributions, TOY.meta.kinds, TOY.meta.dice, setup.players)
    picked = replace(setup, seed=seed, commitment=commitment(seed), wall=dealt.wall, dice=dealt.dice)
    trace = play(TOY, picked, random.Random(2), random_command)
    forged = build(match_of(setup.players), log_of(trace))
    assert all(check.difference is None for check in verify(forged, GAMES))
    assert anchored(forged, setup.commitment, {}).difference is not None
