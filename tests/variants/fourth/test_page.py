"""The page `app/variants/README.md` is enough: a fourth game written by it plays, settles, replays and passes the laws.

The game is the folder `erren`, as it would lie in `app/variants`. Its line in the registry is an entry in the mapping
that every consumer is handed; the laws and the bots meet it in `tests/laws/driving.py`.
"""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from app.kernel import events as ev
from app.kernel.actions import PASS, WIN, action
from app.kernel.errors import MalformedInput, Rejection
from app.kernel.play.commands import Abort, Act, TimeOut
from app.kernel.tiles import COPIES, parse_tiles
from app.kernel.variant import Setup
from app.lab.laws.rounds import bots, play, random_setup
from app.records.calculator import score_document, score_lists
from app.records.codec import decode
from app.records.verify import verify
from app.tables import asks
from app.tables.outcomes import Done
from app.variants import VARIANTS
from tests.golden.writer import streams_of
from tests.laws.driving import GAMES, TABLES, timeouts_only
from tests.laws.driving import play as play_anyhow
from tests.records.rounds import record_of
from tests.tables.test_restore import run_match
from tests.tables.world import World
from tests.variants.fourth.erren import VARIANT
from tests.variants.fourth.erren.state import State

HERE = Path(__file__).parent
REGISTRY = {**VARIANTS, VARIANT.meta.slug: VARIANT}
CASES: dict[str, Any] = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))


def _setup(dealer: str, other: str, drawn: str, then: str = "", **options: object) -> Setup:
    """Seat 0 deals: both hands, its extra tile, and the next tiles of the wall."""
    told = parse_tiles(dealer) + parse_tiles(other) + parse_tiles(drawn) + parse_tiles(then)
    rest = [kind for kind in VARIANT.meta.kinds for _ in range(COPIES - told.count(kind))]
    return Setup(VARIANT.parse_rules(options), 2, 0, (*told, *rest), (), 0, "", "", ("", ""))


def _act(state: State, seat: int | None, verb: str, *tiles: str) -> State:
    """The seat chooses, or the hold of the window ends (seat None)."""
    open_ = VARIANT.decisions(state)
    decision = next(one for one in open_ if one.seat == seat)
    chosen = action(verb, *tiles)  # type: ignore[arg-type]
    step = VARIANT.decide(state, open_, TimeOut(decision.id) if seat is None else Act(seat, decision.id, chosen))
    assert not isinstance(step, Rejection), step
    return step.state


def _offered(state: State, seat: int) -> tuple[str, ...]:
    return next(tuple([one.verb for one in d.options]) for d in VARIANT.decisions(state) if d.seat == seat)


def test_the_laws_and_the_bots_play_it() -> None:
    assert GAMES["erren"] is VARIANT and ("erren", 2) in TABLES


def test_a_pong_of_dragons_is_paid_at_once_and_leads_to_a_discard_only() -> None:
    """ER-1.3, ER-2.2, ER-2.3, ER-3.4."""
    state = VARIANT.start(_setup("123789s5z", "2468s55z", "9s", base=3)).state
    assert [seat.count for seat in state.table.seats] == [8, 7] and state.table.turn == 0
    state = _act(state, 0, "discard", "5z")
    assert _offered(state, 1) == ("pong", "pass")
    state = _act(_act(state, 1, "pong", "5z"), None, "pass")
    assert state.table.points == (-3, 3)
    assert state.table.turn == 1 and set(_offered(state, 1)) == {"discard"}
    unpaid = VARIANT.start(_setup("123789s5z", "2468s55z", "9s", dragon_pong=False)).state
    unpaid = _act(_act(_act(unpaid, 0, "discard", "5z"), 1, "pong", "5z"), None, "pass")
    assert unpaid.table.points == (0, 0) and unpaid.table.seats[1].melds


@pytest.mark.parametrize(("drawn", "points"), [(True, (-2, 2)), (False, (-1, 1))])
def test_a_drawn_win_costs_twice_a_claimed_one(drawn: bool, points: tuple[int, int]) -> None:
    """ER-1.4, ER-2.1, ER-3.3: the winner deals next."""
    state = VARIANT.start(_setup("2355779s", "1234567s", "8s", then="1s")).state
    state = _act(state, 0, "discard", "8s" if drawn else "7s")
    if drawn:
        state = _act(state, None, "pass")
        assert state.table.seats[1].drawn == "1s"
        state = _act(state, 1, "win")
    else:
        assert _offered(state, 1) == ("win", "pass")
        state = _act(_act(state, 1, "win"), None, "pass")
    ended = state.table.ending.ended
    assert state.table.points == points and ended is not None and ended.next_dealer == 1


def test_silence_throws_the_drawn_tile_and_passes() -> None:
    """ER-2.5: a clock never wins; autoplay does."""
    state = VARIANT.start(_setup("1234567s", "1234567s", "7s")).state
    (turn,) = VARIANT.decisions(state)
    assert turn.on_timeout == action("discard", "7s") and turn.on_autoplay == WIN
    state = _act(state, 0, "discard", "7s")
    claim = VARIANT.decisions(state)[0]
    assert claim.seat == 1 and claim.on_timeout == PASS and claim.on_autoplay == WIN


def test_an_empty_wall_ends_the_round_and_the_ready_hand_is_paid() -> None:
    """ER-1.4, ER-2.4, ER-3.5."""
    paid = 0
    for seed in range(30):
        rng = random.Random(f"check {seed}")
        setup = random_setup(VARIANT, 2, rng, {"dragon_pong": False})
        table = play_anyhow(VARIANT, setup, rng, timeouts_only)[-1].step.state.table
        assert table.left == 0 and table.ending.ended is not None and table.ending.ended.outcome == "exhausted"
        assert table.ending.ended.next_dealer == setup.dealer
        ready = [waits is not None for waits in table.ending.waits]
        assert table.points == {(True, False): (1, -1), (False, True): (-1, 1)}.get((ready[0], ready[1]), (0, 0))
        paid += ready[0] != ready[1]
    assert paid


def test_a_dissolved_round_is_as_if_it_had_not_been() -> None:
    """ER-3.6."""
    state = VARIANT.start(_setup("123789s5z", "2468s55z", "9s")).state
    state = _act(_act(_act(state, 0, "discard", "5z"), 1, "pong", "5z"), None, "pass")
    step = VARIANT.decide(state, VARIANT.decisions(state), Abort("vote"))
    assert not isinstance(step, Rejection)
    assert step.state.table.points == (0, 0) and isinstance(step.events[-1], ev.RoundEnded)


@pytest.mark.parametrize("entry", CASES["hands"], ids=[entry["id"] for entry in CASES["hands"]])
def test_a_golden_hand(entry: dict[str, Any]) -> None:
    (result,) = score_document({"format": 1, "variant": "erren", "hands": [entry]}, REGISTRY)
    assert result["result"] == entry["expect"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"hand": "123456s"}, "hand"), ({"hand": "1234567m"}, "hand"), ({"tile": "12s"}, "tile"), ({"tile": 1}, "tile"),
        ({"pongs": [{}]}, "pongs[0].tile"), ({"colour": 1}, "colour"), ({"hand": "1111234s", "tile": "1s"}, "tile"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_named(change: dict[str, object], field: str) -> None:
    entry = {"id": "x", "hand": "1234567s", "tile": "7s", **change}
    with pytest.raises(MalformedInput) as caught:
        score_lists(VARIANT, {"hands": [entry]})
    assert caught.value.field == f"hands[0] (x).{field}"


async def test_bots_play_a_whole_match_at_a_live_table() -> None:
    world = World(variants=REGISTRY)
    table = await world.table(variant=VARIANT, rules={"rounds": 3}, settings={"claim_hold_ms": 0})
    assert isinstance(await table.operate(asks.OrderFill()), Done)
    await world.advance(5)
    assert not world.alerts.alerts and table.gone == "closed"
    assert [settled["round_no"] for settled in world.store.queue] == [1, 2, 3]
    for settled in world.store.queue:
        checks = verify(decode(json.dumps(settled["record"])), REGISTRY)
        assert len(checks) == 7 and not [check for check in checks if check.difference or check.skipped]


async def test_a_table_of_it_is_restored_after_crashes_and_goes_on() -> None:
    _, compared = await run_match(200, crash_every=150, game=VARIANT)
    assert compared > 40


def test_its_records_verify_and_make_the_streams_of_a_replay() -> None:
    for seed in range(5):
        record = record_of(seed, VARIANT, 2)
        assert not [check for check in verify(record, REGISTRY) if check.difference or check.skipped]
        assert streams_of(record)["spectator"]["batches"]


def test_bots_with_sense_win_most_of_its_rounds() -> None:
    outcomes = []
    for seed in range(40):
        rng = random.Random(f"erren {seed}")
        trace = play(VARIANT, random_setup(VARIANT, 2, rng), rng, bots(VARIANT, ("normal", "normal")))
        outcomes.append(trace[-1].step.events[-1].outcome)  # type: ignore[union-attr]
    assert outcomes.count("won") > 20


def test_every_clause_is_cited() -> None:
    rules = re.findall(r"^- \*\*(ER-\d+\.\d+)\*\*", (HERE / "erren" / "RULES.md").read_text(encoding="utf-8"), re.M)
    texts = [*(HERE / "erren").glob("*.py"), Path(__file__), HERE / "cases.json"]
    cited: set[str] = set()
    for part in re.findall(r"ER-[\d., ]+\d", "\n".join(path.read_text(encoding="utf-8") for path in texts)):
        cited |= {f"ER-{number}" for number in re.findall(r"\d+\.\d+", part)}
    assert len(rules) == 15 and set(rules) - cited <= {"ER-1.1"}
