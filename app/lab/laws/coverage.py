"""What rarely happens in each game, counted from the entries of a round, so that a soak shows what it has exercised.

A table by variant: name, and how often it happened in an entry. Each one must occur: a soak of FULL rounds or more
that never met one has failed, so whatever stands here needs players in `players.py` who get there. Patterns are taken
from the variants' own tables. A variant without a table is soaked all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.shapes.counts import count
from app.kernel.table import TableState
from app.kernel.variant import Meta
from app.lab.laws.rounds import Entry
from app.variants.guizhou.rules import META as GUIZHOU
from app.variants.guizhou.winning import PATTERN_VALUE
from app.variants.tangshan.offers import LOCK, wins_claimed
from app.variants.tangshan.offers import Position as TangshanPosition
from app.variants.tangshan.scoring import WIN_POINTS
from app.variants.tangshan.state import position_of
from app.variants.tianjin.patterns import ROWS
from app.variants.tianjin.rules import META as TIANJIN

Counter = Callable[[Entry], int]


@dataclass(frozen=True, slots=True)
class Rare:
    """One kind of event."""

    name: str
    times: Counter


FULL: Final = 10_000
"""Rounds after which everything has had its chance, and a zero is a failure."""


def _of(kind: type[Any], test: Callable[[Any], bool] = lambda event: True) -> Counter:
    """Events of a class that pass a test."""
    return lambda entry: sum([isinstance(event, kind) and test(event) for event in entry.step.events])


def _meld(kind: str) -> Counter:
    return lambda entry: sum(
        [
            isinstance(event, ev.MeldMade | ev.MeldExtended) and event.kind == kind
            for event in entry.step.events
        ]
    )  # fmt: skip


def _late_kong(entry: Entry) -> int:
    """憨包豆, of either kind."""
    return sum([isinstance(e, ev.MeldMade | ev.MeldExtended) and e.late_kind is not None for e in entry.step.events])


def _won(test: Callable[[ev.Won], bool]) -> Counter:
    return _of(ev.Won, test)


def _pattern(name: str) -> Counter:
    return _won(lambda won: any(token == name for token, _ in won.reading.patterns))


def _patterns(meta: Meta, tokens: Iterable[str]) -> tuple[Rare, ...]:
    """Every pattern of a game's own table, under its Chinese name."""
    return tuple([Rare(meta.pattern_names[token], _pattern(token)) for token in tokens])


def _mark(name: str) -> Counter:
    return _of(ev.Marked, lambda event: event.mark == name and event.value is not None)


def _line(test: Callable[[Any], bool]) -> Counter:
    """Ledger lines that pass a test."""
    return lambda entry: sum(
        [test(line) for event in entry.step.events if isinstance(event, ev.PointsMoved) for line in event.lines]
    )


def _reason(*names: str) -> Counter:
    return _line(lambda line: line.reason in names)


def _detail(token: str) -> Counter:
    return _line(lambda line: any(name == token for name, _ in line.detail))


def _outcome(outcome: str) -> Counter:
    return _of(ev.RoundEnded, lambda event: event.outcome == outcome)


def _several(entry: Entry) -> int:
    """一炮多响: one tile, several winners."""
    return _of(ev.Won)(entry) > 1


def _hot(entry: Entry) -> int:
    """热炮: a win on the first discard after a kong onto a 碰."""
    return entry.before is not None and entry.before.hot and _won(lambda won: won.origin == "discard")(entry) > 0


def _no_flip(entry: Entry) -> int:
    """A win on the last tile: nothing is left to flip."""
    return _of(ev.Won)(entry) > 0 and _of(ev.TileFlipped)(entry) == 0


def _declared_winner(entry: Entry) -> int:
    """天听: the winner had declared 报听."""
    return sum(
        [isinstance(e, ev.Won) and entry.step.state.table.mark("declared_ready", e.seat) is True for e in
         entry.step.events]
    )  # fmt: skip


_GUIZHOU: Final = (
    Rare("点豆", _meld("kong_exposed")),
    Rare("闷豆", _meld("kong_concealed")),
    Rare("爬坡豆", _meld("kong_added")),
    Rare("憨包豆", _late_kong),
    Rare("抢杠", _of(ev.TileRobbed)),
    Rare("热炮", _hot),
    Rare("一炮多响", _several),
    Rare("杠开", _won(lambda won: won.origin == "kong_draw")),
    Rare("报听", _mark("declared_ready")),
    Rare("天听", _declared_winner),
    Rare("杀听", _detail("sha_ting")),
    Rare("天胡", _pattern("tian_hu")),
    Rare("地胡", _pattern("di_hu")),
    *_patterns(GUIZHOU, PATTERN_VALUE),
    Rare("冲锋", _mark("charge")),
    Rare("责任", _mark("duty")),
    Rare("责任鸡", _reason("duty")),
    Rare("包鸡", _reason("bao")),
    Rare("金鸡", _detail("gold")),
    Rare("末张胡", _no_flip),
    Rare("荒庄", _outcome("exhausted")),
    Rare("查叫", _reason("check")),
)

_TIANJIN: Final = (
    *_patterns(TIANJIN, dict.fromkeys([*[name for row in ROWS for name in row], "tian_he"])),
    Rare("坐庄", _of(ev.AnswersRevealed, lambda event: any(value is True for value in event.values))),
    Rare("拉庄", _of(ev.AnswersRevealed, lambda event: any(value in (1, 2) and value is not True
                                                           for value in event.values))),
    Rare("明杠", _meld("kong_exposed")),
    Rare("补杠", _meld("kong_added")),
    Rare("暗杠", _meld("kong_concealed")),
    Rare("金杠", _meld("kong_gold")),
    Rare("小相公", _mark("dead_hand")),
    Rare("铲", _mark("follow")),
    Rare("封顶", _reason("cap")),
    Rare("荒庄", _outcome("exhausted")),
)  # fmt: skip


def _windows(entry: Entry) -> list[tuple[int, str, TangshanPosition]]:
    """For a tile that has just been thrown or laid: every other seat, the tile, and the seat's position."""
    thrown = [event for event in entry.step.events if isinstance(event, ev.TileDiscarded | ev.TileLaid)]
    table: TableState = entry.step.state.table
    return [
        (seat, event.tile, position_of(table, seat))
        for event in thrown
        for seat in range(table.facts.players)
        if seat != event.seat
    ]


def _refused(entry: Entry) -> int:
    """过水: a win that would be there but for the lock."""
    return sum(
        [
            not wins_claimed(position, tile) and wins_claimed(_unlocked(position), tile)
            for _, tile, position in _windows(entry)
            if position.locked
        ]
    )


def _unlocked(p: TangshanPosition) -> TangshanPosition:
    return TangshanPosition(p.hand, p.sets, p.pair_claimed, p.closed, p.covers, p.lit)


def _guarded(entry: Entry) -> int:
    """TS-2.5: four sets and the pair with the tile held twice, so no pong; or five sets, so no pair claim."""
    players = entry.step.state.table.facts.players
    source = entry.step.state.table.turn
    found = 0
    for seat, tile, position in _windows(entry):
        held = count(position.hand, tile)
        if position.pair_claimed:
            found += position.sets == 4 and held >= 2
        else:
            found += position.sets == 5 and held >= 1 and players == 4 and seat == (source + 1) % players
    return found


_TANGSHAN: Final = (
    Rare("亮幺", _meld("ones")),
    Rare("亮九", _meld("nines")),
    Rare("亮箭", _meld("dragons")),
    Rare("亮风", _meld("winds")),
    Rare("走喜", lambda entry: entry.before is not None and entry.before.table.phase == "turn" and sum(
        [_meld(kind)(entry) for kind in ("ones", "nines", "dragons", "winds")])),
    Rare("补喜", _reason("xi_add")),
    Rare("抢喜（胡）", _of(ev.TileRobbed, lambda event: event.use == "win")),
    Rare("抢喜（碰）", _of(ev.TileRobbed, lambda event: event.use == "pong")),
    Rare("扣", _meld("cover")),
    Rare("明杠", _meld("kong_exposed")),
    Rare("暗杠", _meld("kong_concealed")),
    Rare("吃", _meld("chow")),
    Rare("碰", _meld("pong")),
    Rare("订将", _meld("pair_claim")),
    Rare("过水", _mark(LOCK)),
    Rare("过水不胡", _refused),
    *[Rare(str(points), _reason(reason)) for reason, points in WIN_POINTS.items()],
    Rare("无牌可打之防", _guarded),
    Rare("流局", _outcome("exhausted")),
)  # fmt: skip

SEEDS: Final = {"tianjin": 100, "guizhou": 25}
"""Games in which a hand is won as it is dealt (天和, 天胡), too rare for FULL rounds: seeds to look through for one."""

RARE: Final[dict[str, tuple[Rare, ...]]] = {"tianjin": _TIANJIN, "guizhou": _GUIZHOU, "tangshan": _TANGSHAN}
