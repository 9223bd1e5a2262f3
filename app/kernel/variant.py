"""The contract of a variant (玩法): facts in, facts out. One value of functions, no class to inherit, no hooks.

A variant is registered by one line in `app/variants/__init__.py`. Differences between games that are no function of a
round's state stand in `Meta` as data; the runtime, protocol and clients read it and never ask which game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from app.kernel.actions import Action
from app.kernel.errors import MalformedInput, Rejection
from app.kernel.events import Event, RoundStarted, Value
from app.kernel.immutable import immutable
from app.kernel.play.commands import Command
from app.kernel.play.decisions import Clock, Decision
from app.kernel.table import TableState
from app.kernel.tiles import Tile
from app.kernel.words import NO_WORDS, Words


@immutable
class Option:
    """One room option (房规). `kind` int: `low`…`high`; bool; choice: one of `choices`. Labels are for people.

    `choice_labels` stand beside `choices`; `help_zh` and `help_en` say what the option does,
    `clause` where it is written.
    """

    name: str
    kind: Literal["bool", "int", "choice"]
    default: bool | int | str
    label_zh: str
    label_en: str
    low: int = 0
    high: int = 0
    choices: tuple[int | str, ...] = ()
    choice_labels: tuple[str, ...] = ()
    help_zh: str = ""
    clause: str = ""
    help_en: str = ""


@immutable
class LadderRow:
    """A rank of the ladder (等级): reached at `threshold` points, inclusive (None: the lowest)."""

    level: int
    name: str
    threshold: int | None


@immutable
class BotHints:
    """Facts for bots that the table does not show. `seven_pairs`: a hand of pairs (七对) wins.

    `wilds_mark`: name of the public mark whose value lists the wild kinds (混儿); None: no tile is wild.
    """

    seven_pairs: bool = False
    wilds_mark: str | None = None


@immutable
class Meta:
    """A variant described as data for the rest of the house.

    `players`: allowed seat counts. `kinds`: kinds in play, four copies each. `dice`: number of dice of a round.
    `first_dealer`: the rule that picks the first dealer of a series. `new_series_on_leave`: a leaving player starts a
    new series (the next first dealer is picked again). `auto_ready_s`: countdown for the last one not ready (None:
    none). `clocks`: default seconds of a decision's clock where the table has no setting of its own. `pattern_names`:
    identifier → Chinese name of patterns and ledger detail tokens; `reason_names` of ledger reasons. `names_en`:
    Chinese name → English of patterns, reasons, levels and choices; a name without one is shown in Chinese. `bots`:
    facts for bots beside the open state of the table.
    """

    slug: str
    name_zh: str
    name_en: str
    rules_version: int
    players: tuple[int, ...]
    kinds: tuple[Tile, ...]
    dice: int
    options: tuple[Option, ...]
    first_dealer: Literal["random", "owner_or_first"]
    new_series_on_leave: bool
    auto_ready_s: int | None
    clocks: Mapping[Clock, int]
    pattern_names: Mapping[str, str]
    reason_names: Mapping[str, str]
    void_clause: str
    ladder: tuple[LadderRow, ...] = ()
    names_en: Mapping[str, str] = field(default_factory=dict[str, str])
    bots: BotHints = BotHints()


class Rules(Protocol):
    """A variant's frozen options. `rounds` is the length of a match in rounds that are not void."""

    @property
    def rounds(self) -> int: ...


@immutable
class Setup:
    """Every outside fact of a round, as values. `wall` has all tiles in drawing order; `dice`: as many as in META."""

    rules: Any
    players: int
    dealer: int
    wall: tuple[Tile, ...]
    dice: tuple[int, ...]
    dealt_at_ms: int
    commitment: str
    seed: str
    contributions: tuple[str, ...]


class State(Protocol):
    """The part of the state that all variants share; a variant adds its own."""

    @property
    def table(self) -> TableState: ...


S = TypeVar("S", bound=State)


@immutable
class Step(Generic[S]):
    """An accepted command: its events, and the state that folding them gives."""

    events: tuple[Event, ...]
    state: S


@immutable
class Wait:
    """A kind that completes the hand: `left` copies this player has not seen, points one payer would owe.

    None: no win that way.
    """

    tile: Tile
    left: int
    by_draw: int | None
    by_claim: int | None


@immutable
class Hint:
    """Readiness: after discarding `discard` (None: as the hand stands) these waits remain."""

    discard: Tile | None
    waits: tuple[Wait, ...]


@immutable
class Reason:
    """Why `action`, which a seat's own tiles suggest, is not offered to it now: a `code` of the game, and the clause.

    A game says in `Words.reasons` what each code means.
    """

    action: Action
    code: str
    clause: str


@immutable
class Facts:
    """Facts of a finished round for the archive beside seats and ledger, JSON-ready: of the round, and of each seat.

    `seats` has one mapping a seat, all with the same names; no name stands in both parts.
    """

    round: Mapping[str, object]
    seats: tuple[Mapping[str, object], ...]

    def plain(self) -> dict[str, object]:
        """Both in one, as a round's row is stored: a seat's name stands for the list of its values in seat order."""
        names = self.seats[0] if self.seats else {}
        return {**self.round, **{name: [seat[name] for seat in self.seats] for name in names}}


def no_reasons(state: Any, seat: int) -> tuple[Reason, ...]:
    """The `why_not` of a game that explains nothing."""
    return ()


@immutable
class Variant(Generic[S]):
    """The functions of one variant; see `README.md` for how they are driven.

    parse_rules(raw)           frozen Rules; raises MalformedInput naming the option
    start(setup)               the first step of a round
    decisions(state)           open questions; a seat's own are a function of what it sees; empty: the round is over
    decide(state, open, cmd)   the step of a command, or why it is refused; `open` is decisions(state)
    evolve(state, event)       fold; total, no judgement; state None for the first event
    facts(state)               what the archive keeps of a finished round: dealer and what only this game knows
    score(list, entry)         the calculator behind `mj score`; raises MalformedInput naming the field
    advise(view, seat)         hints from what the seat itself sees
    why_not(state, seat)       why wins, claims and kongs that its tiles suggest are not offered; as much a function of
                               what the seat sees as its offers are, and never about an action that is offered
    words                      the game's texts for people who learn it
    """

    meta: Meta
    parse_rules: Callable[[Mapping[str, object]], Any]
    start: Callable[[Setup], Step[S]]
    decisions: Callable[[S], tuple[Decision, ...]]
    decide: Callable[[S, tuple[Decision, ...], Command], Step[S] | Rejection]
    evolve: Callable[[S | None, Event], S]
    facts: Callable[[S], Facts]
    score: Callable[[str, Mapping[str, object]], dict[str, object]]
    advise: Callable[[TableState, int], tuple[Hint, ...]]
    why_not: Callable[[S, int], tuple[Reason, ...]] = no_reasons
    words: Words = NO_WORDS


def check_options(options: tuple[Option, ...], raw: Mapping[str, object]) -> dict[str, bool | int | str]:
    """Fill defaults and check every given option. Raises MalformedInput naming the option that is unknown or wrong."""
    known = {option.name: option for option in options}
    for name in raw:
        if name not in known:
            raise MalformedInput(str(name), f"no such option; known are {', '.join(known)}")
    return {name: _check_option(option, raw.get(name, option.default)) for name, option in known.items()}


def _check_option(option: Option, value: object) -> bool | int | str:
    if option.kind == "bool":
        if isinstance(value, bool):
            return value
        raise MalformedInput(option.name, f"expected true or false, got {value!r}")
    if option.kind == "int":
        if isinstance(value, int) and not isinstance(value, bool) and option.low <= value <= option.high:
            return value
        raise MalformedInput(option.name, f"expected a whole number from {option.low} to {option.high}, got {value!r}")
    for choice in option.choices:
        if type(value) is type(choice) and value == choice:
            return choice
    raise MalformedInput(option.name, f"expected one of {', '.join(map(str, option.choices))}, got {value!r}")


def later(default: Any) -> Any:
    """The field of an option that was added after rounds had been recorded: its default is the rule of before."""
    return field(default=default, metadata=_LATER)


_LATER: Final = {"later": True}


def rule_pairs(rules: Any) -> tuple[tuple[str, Value], ...]:
    """A frozen Rules record as the name-value pairs that `RoundStarted` carries.

    An option added later is left out at its default, so that rounds of before are repeated to the letter.
    """
    return tuple(
        [
            (option.name, value)
            for option in fields(rules)
            for value in (getattr(rules, option.name),)
            if not option.metadata or value != option.default
        ]
    )


def round_started(meta: Meta, setup: Setup) -> RoundStarted:
    """The first event of a round: every outside fact of its setup, under the variant's name and version."""
    return RoundStarted(
        meta.slug, rule_pairs(setup.rules), meta.rules_version, setup.players, setup.dealer, setup.dealt_at_ms,
        setup.commitment, setup.contributions, setup.wall, setup.dice, setup.seed,
    )  # fmt: skip
