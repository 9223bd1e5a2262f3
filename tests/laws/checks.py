"""The secrecy laws as functions: None when the law holds over a round, else the first violation in words.

Functions, so that the mutants can be shown to break them.
"""

from __future__ import annotations

import random
from typing import Any

from app.kernel.actions import PASS
from app.kernel.events import Answered, AnswersRevealed, HoldEnded
from app.kernel.play.commands import Act
from app.kernel.play.decisions import Decision
from app.kernel.seats import SPECTATOR
from app.kernel.variant import Setup, Variant
from app.kernel.views import fold
from tests.laws.driving import Entry
from tests.laws.seeing import (
    HONEST,
    Eyes,
    Frame,
    Line,
    World,
    answers,
    exchange_differs,
    first_seen,
    frame,
    hidden_melds,
    is_private,
    prompt,
    redealt,
    script_of,
    viewers,
)


def view_law(trace: list[Entry], players: int, eyes: Eyes = HONEST) -> str | None:
    """The view law of `invariants.py`, through eyes that may leak."""
    for viewer in viewers(players):
        seen = None
        for number, entry in enumerate(trace):
            for event in entry.step.events:
                face = eyes.project(event, viewer)
                if face is not None:
                    seen = fold(seen, face)
            if seen != eyes.view(entry.step.state.table, viewer):
                return f"entry {number}, viewer {viewer}"
    return None


def redeal_law(
    game: Variant[Any], trace: list[Entry], players: int, rng: random.Random, times: int, eyes: Eyes = HONEST
) -> str | None:
    """Anything hidden from a viewer may be otherwise: same view, prompt, ids, hold, answers to its acts, hints
    and reasons (`why_not`).

    States in which the viewer is asked are always tried, others now and then.
    """
    for number, entry in enumerate(trace[:-1]):
        state = entry.step.state
        open_ = game.decisions(state)
        for viewer in viewers(players):
            if not prompt(open_, viewer) and rng.random() > 0.15:
                continue
            expected = _sight(game, state, open_, viewer, eyes)
            for _ in range(times):
                other = redealt(state, viewer, game.meta.kinds, rng)
                asked = game.decisions(other)
                if not asked:  # a window that all who matter have answered would have been settled: no such state
                    continue
                found = _sight(game, other, asked, viewer, eyes)
                if found != expected:
                    return f"entry {number}, viewer {viewer}: {expected[1:]} became {found[1:]}"
    return None


def _sight(game: Variant[Any], state: Any, open_: tuple[Decision, ...], viewer: int, eyes: Eyes) -> tuple[Any, ...]:
    seen = eyes.view(state.table, viewer)
    holds = tuple([decision for decision in open_ if decision.seat is None])
    hints = () if viewer == SPECTATOR else game.advise(seen, viewer)
    reasons = () if viewer == SPECTATOR else game.why_not(state, viewer)
    return seen, prompt(open_, viewer), holds, answers(game, state, open_, viewer), hints, reasons


def exchange_law(
    game: Variant[Any], setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes = HONEST
) -> tuple[str | None, int]:
    """Two kinds a viewer has not seen may be exchanged; aimed at melds that lie face down. And frames compared."""
    compared = 0
    for viewer in viewers(players):
        seen = first_seen(trace, viewer, game.meta.kinds)
        late = sorted(game.meta.kinds, key=lambda kind: (-seen[kind], rng.random()))
        pairs = [(late[0], late[1])]
        for number, kind in hidden_melds(trace, viewer):
            partners = [other for other in late if other != kind and seen[other] > number]
            pairs += [(kind, other) for other in partners[:2] if seen[kind] > number]
        for pair in rng.sample(pairs, min(4, len(pairs))):
            difference, frames = exchange_differs(game, setup, trace, viewer, pair, eyes)
            compared += frames
            if difference is not None:
                return f"viewer {viewer}, kinds {pair}: {difference}", compared
    return None, compared


def steady_law(game: Variant[Any], trace: list[Entry], players: int, eyes: Eyes = HONEST) -> str | None:
    """Hidden facts change no decision of others: an answer of another seat may close it, never rename or change it.

    Nor does it change the answers to a seat while its own decision is open (S1).
    """
    for number, entry in enumerate(trace[1:], 1):
        if not is_private(entry.step, players, eyes):
            continue
        after = {decision.seat: decision for decision in game.decisions(entry.step.state)}
        for decision in entry.open:
            if decision.seat in after and after[decision.seat] != decision:
                return f"entry {number}: {decision} became {after[decision.seat]}"
        for viewer in range(players):
            if prompt(entry.open, viewer) == prompt(entry.after, viewer):
                before = answers(game, entry.before, entry.open, viewer)
                if answers(game, entry.step.state, entry.after, viewer) != before:
                    return f"entry {number}: seat {viewer} is answered otherwise, though nothing happened for it"
    return None


def timeout_law(game: Variant[Any], setup: Setup, trace: list[Entry], players: int, eyes: Eyes = HONEST) -> str | None:
    """A pass that was chosen and one by the clock are the same to everybody, to the end of the round."""
    world = World(game, setup)
    for number, (entry, line) in enumerate(zip(trace[1:], script_of(trace), strict=True), 1):
        passes = line.action == PASS
        if not world.say(line, silent=passes and isinstance(entry.command, Act)):
            return f"entry {number}: {line} is refused when earlier passes ran out of time"
        for viewer in viewers(players):
            if frame(entry, viewer, eyes) != frame(world.entry, viewer, eyes):
                return f"entry {number}, viewer {viewer}"
    return None


def order_law(
    game: Variant[Any], setup: Setup, trace: list[Entry], players: int, rng: random.Random, eyes: Eyes = HONEST
) -> tuple[str | None, int]:
    """Two private entries that follow each other may come the other way round: the others see the same frames.

    Returns the first difference and how many exchanges both worlds accepted.
    """
    lines = script_of(trace)
    spots = [
        at
        for at in range(1, len(trace) - 1)
        if lines[at - 1].seat != lines[at].seat
        and is_private(trace[at].step, players, eyes)
        and _is_answer(trace[at])
        and _is_answer(trace[at + 1])
        and any(decision.seat == lines[at].seat for decision in trace[at].open)
    ]
    tried = 0
    for at in rng.sample(spots, min(4, len(spots))):
        other = [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
        outcome = _same_for_the_others(game, setup, trace, other, at, players, eyes)
        if outcome is None:
            continue
        tried += 1
        if outcome:
            return outcome, tried
    return None, tried


def _is_answer(entry: Entry) -> bool:
    """An answer in a window, or the end of its hold."""
    return any(isinstance(event, Answered | HoldEnded) for event in entry.step.events)


def _same_for_the_others(
    game: Variant[Any], setup: Setup, trace: list[Entry], lines: list[Line], at: int, players: int, eyes: Eyes
) -> str | None:
    """None: the other world refuses the order. Empty: same frames. Else the difference."""
    world = World(game, setup)
    others = [viewer for viewer in viewers(players) if viewer not in (lines[at - 1].seat, lines[at].seat)]
    upto = min(at + 12, len(lines))
    for number, line in enumerate(lines[:upto], 1):
        if not world.say(line):
            return None if number <= at + 1 else f"entry {number}: {line} is refused after the other order"
        if number == at:
            continue
        for viewer in others:
            base, found = (_visible(frame(entry, viewer, eyes)) for entry in (trace[number], world.entry))
            if base != found:
                return f"entry {number}, viewer {viewer}: {base} became {found}"
    return ""


def _visible(seen: Frame) -> Frame | None:
    return seen if seen[0] else None


def secret_answer_law(
    game: Variant[Any], setup: Setup, trace: list[Entry], players: int, eyes: Eyes = HONEST
) -> tuple[str | None, int]:
    """A secret answer (坐庄, 拉庄) shows in nothing until all are revealed. And how many answers were changed."""
    lines, changed = script_of(trace), 0
    for at, line in enumerate(lines):
        entry = trace[at + 1]
        decision = next((d for d in entry.open if d.seat == line.seat), None)
        if decision is None or decision.clock != "answer":
            continue
        for option in decision.options:
            if option == line.action and type(option.choice) is type(line.action.choice):
                continue
            changed += 1
            difference = _until_revealed(game, setup, trace, [*lines[:at], Line(line.seat, option), *lines[at + 1 :]],
                                         line.seat, players, eyes)  # fmt: skip
            if difference is not None:
                return difference, changed
    return None, changed


def _until_revealed(
    game: Variant[Any], setup: Setup, trace: list[Entry], lines: list[Line], seat: int | None, players: int, eyes: Eyes
) -> str | None:
    world = World(game, setup)
    for number, line in enumerate(lines, 1):
        if any(isinstance(event, AnswersRevealed) for event in trace[number].step.events):
            return None
        if not world.say(line):
            return f"entry {number}: {line} is refused"
        for viewer in viewers(players):
            if viewer != seat and frame(trace[number], viewer, eyes) != frame(world.entry, viewer, eyes):
                return f"entry {number}, viewer {viewer}"
    return None
