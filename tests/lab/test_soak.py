"""`mj soak` and `mj bench engine`: they pass on the games as they are, and fail when a law is broken."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.kernel import events as ev
from app.kernel.ledger import Line
from app.kernel.play.commands import Abort
from app.kernel.variant import Step, Variant
from app.lab.bench import command as bench
from app.lab.games.game import lab_game
from app.lab.laws import soak
from app.lab.laws.coverage import FULL
from app.variants import VARIANTS
from tests.laws import mutants
from tests.laws.toy import TOY


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_a_sample_of_every_game_is_clean_and_counted(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--variant", slug, "--rounds", "20", "--seed", "sample"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and "20 rounds" in out
    assert [line.split()[1] for line in out.splitlines()[1:]] == [rare.name for rare in lab_game(slug).rare]


def test_the_same_seed_plays_the_same_rounds() -> None:
    game = VARIANTS["guizhou"]
    assert soak.soak(game, (2, 3, 4), 6, "x") == soak.soak(game, (2, 3, 4), 6, "x")
    assert soak.soak(game, (2, 3, 4), 6, "x") != soak.soak(game, (2, 3, 4), 6, "y")


def _tile_lost(game: Variant[Any]) -> Variant[Any]:
    """The state that is kept forgets a tile of the row."""

    def decide(state: Any, open_: Any, command: Any) -> Any:
        step = game.decide(state, open_, command)
        if not isinstance(step, Step) or not isinstance(step.events[-1], ev.TileDiscarded):
            return step
        table = step.state.table
        seats = tuple([replace(seat, row=seat.row[:-1]) for seat in table.seats])
        return Step(step.events, replace(step.state, table=replace(table, seats=seats)))

    return replace(game, decide=decide)


def _void_pays(game: Variant[Any]) -> Variant[Any]:
    """A dissolved round keeps a point."""

    def decide(state: Any, open_: Any, command: Any) -> Any:
        step = game.decide(state, open_, command)
        if not isinstance(command, Abort) or not isinstance(step, Step):
            return step
        return mutants.with_events(game, step, ev.PointsMoved((Line("void", "TOY-9", 0, 1, 1),)))

    return replace(game, decide=decide)


def _never_ends(game: Variant[Any]) -> Variant[Any]:
    """Every answer is taken and nothing happens."""
    return replace(game, decide=lambda state, open_, command: Step((), state))


@pytest.mark.parametrize(
    ("mutate", "told"),
    [
        (mutants.walks_through_windows, "entry shape"), (mutants.tick_counts_answers, "view"), (_tile_lost, "fold"),
        (_void_pays, "dissolved"), (_never_ends, "does not end"),
    ],
)  # fmt: skip
def test_a_broken_law_ends_in_status_1_and_says_where(
    mutate: Callable[[Variant[Any]], Variant[Any]],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(soak, "VARIANTS", {"toy": mutate(TOY)})
    assert soak.main(["--variant", "toy", "--rounds", "2", "--seed", "s"]) == 1
    err = capsys.readouterr().err
    assert told in err and "--seed s" in err and "round " in err


@pytest.mark.parametrize(("slug", "name"), [(slug, rare.name) for slug in VARIANTS for rare in lab_game(slug).rare])
def test_anything_listed_that_never_occurred_fails_a_full_soak_only(slug: str, name: str) -> None:
    counts = Counter({rare.name: 1 for rare in lab_game(slug).rare if rare.name != name})
    assert soak.missing_of(slug, counts, FULL) == (name,)
    assert soak.missing_of(slug, counts, FULL - 1) == ()


def test_a_full_soak_that_met_too_little_ends_in_status_1_and_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak, "FULL", 2)
    assert soak.main(["--variant", "guizhou", "--rounds", "2", "--seed", "s"]) == 1
    out, err = capsys.readouterr()
    zeros = [line.split()[1] for line in out.splitlines()[1:] if line.split()[0] == "0"]
    assert "清龙背" in zeros
    assert err.splitlines() == [f"mj soak: never occurred: {name}" for name in zeros]


@pytest.mark.parametrize("words", [["--variant", "tianjin", "--players", "3"], ["--variant", "chess"], []])
def test_wrong_arguments_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        soak.main(words)
    assert caught.value.code == 2 and "--" in capsys.readouterr().err


def test_the_engine_is_measured_for_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["engine", "--rounds", "2", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    assert [one["variant"] for one in measured] == list(VARIANTS)
    for one in measured:
        assert one["rounds_per_s"] > 0 and one["entries_per_s"] > 0 and one["ratio"] > 0
    assert all(one["check_ms"] > 0 for one in measured if one["variant"] in ("tianjin", "guizhou", "tangshan"))
    assert bench.main(["engine", "--rounds", "1", "--variant", "guizhou"]) == 0
    assert "guizhou" in capsys.readouterr().out


def test_a_bench_without_a_name_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([]) == 2
    assert "engine" in capsys.readouterr().err
    assert bench.main(["--help"]) == 0
