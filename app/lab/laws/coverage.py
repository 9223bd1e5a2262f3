"""Counts rare events in the entries of a round: the parts that a game's own table is made of.

Each game's table is in `app/lab/games`. Every row must occur: a soak of FULL rounds or more
that never met one has failed, so each row needs players who get there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.variant import Meta
from app.lab.laws.rounds import Entry

Counter = Callable[[Entry], int]


@dataclass(frozen=True, slots=True)
class Rare:
    """One kind of event."""

    name: str
    times: Counter


FULL: Final = 10_000
"""Rounds after which everything has had its chance, and a zero is a failure."""


def of(kind: type[Any], test: Callable[[Any], bool] = lambda event: True) -> Counter:
    """Events of a class that pass a test."""
    return lambda entry: sum([isinstance(event, kind) and test(event) for event in entry.step.events])


def meld(kind: str) -> Counter:
    """Melds of a kind, made or extended to it."""
    return lambda entry: sum(
        [
            isinstance(event, ev.MeldMade | ev.MeldExtended) and event.kind == kind
            for event in entry.step.events
        ]
    )  # fmt: skip


def won(test: Callable[[ev.Won], bool]) -> Counter:
    """Wins that pass a test."""
    return of(ev.Won, test)


def pattern(name: str) -> Counter:
    """Wins whose reading has the pattern."""
    return won(lambda won: any(token == name for token, _ in won.reading.patterns))


def patterns(meta: Meta, tokens: Iterable[str]) -> tuple[Rare, ...]:
    """Every pattern of a game's own table, under its Chinese name."""
    return tuple([Rare(meta.pattern_names[token], pattern(token)) for token in tokens])


def mark(name: str) -> Counter:
    """Marks of a name that are set."""
    return of(ev.Marked, lambda event: event.mark == name and event.value is not None)


def line(test: Callable[[Any], bool]) -> Counter:
    """Ledger lines that pass a test."""
    return lambda entry: sum(
        [test(line) for event in entry.step.events if isinstance(event, ev.PointsMoved) for line in event.lines]
    )


def reason(*names: str) -> Counter:
    """Ledger lines with one of the reasons."""
    return line(lambda line: line.reason in names)


def detail(token: str) -> Counter:
    """Ledger lines with the token in their detail."""
    return line(lambda line: any(name == token for name, _ in line.detail))


def outcome(outcome: str) -> Counter:
    """Rounds that ended so."""
    return of(ev.RoundEnded, lambda event: event.outcome == outcome)
