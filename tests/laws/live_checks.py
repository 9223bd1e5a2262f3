"""The laws of secrecy on a live table as functions: None when the law holds, else the first difference in words."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from app.kernel.actions import PASS, WIN, action
from app.kernel.seats import SPECTATOR
from app.kernel.tiles import Tile, sort_tiles
from app.kernel.variant import Setup, Variant
from app.lab.laws.rounds import random_options
from tests.laws.live import HONEST, Channels, Live, Move, Witness, elsewhere, probe
from tests.laws.seeing import exchanged, redealt, viewers


async def redeal(
    game: Variant[Any], players: int, rng: random.Random, channels: Channels = HONEST
) -> tuple[str | None, int]:
    """Play to some moment, deal what is hidden from a viewer afresh, and let the viewer ask and come back.

    Returns the first difference and how many worlds were compared.
    """
    options, delay = random_options(game.meta.options, rng), rng.choice((0.0, 0.0, 5.0))
    moves: list[Move] = []
    live = await Live.begin(game, players, options, channels, delay)
    compared = 0
    for _ in range(rng.randrange(5, 60)):
        if live.state is None or live.table.log.match.round_no > 1:
            break
        moves.append(await live.random_move(rng))
        if "claim" in live.asked().values() and rng.random() < 0.5:
            break  # windows are where most is hidden
    asked = sorted(live.asked())
    base, over = live.state, live.state is None or live.table.log.round_over
    await live.world.crash()
    if over:
        return None, 0
    for viewer in {rng.choice(viewers(players)), rng.choice(asked or [SPECTATOR])}:
        seat = None if viewer == SPECTATOR else viewer
        other = _other_deal(game, base, viewer, rng)
        if other is None:
            continue
        compared += 1
        expected = await _probed(game, players, options, channels, delay, moves, seat)
        found = await _probed(elsewhere(game, base, other), players, options, channels, delay, moves, seat)
        if (difference := first_difference(expected, found)) is not None:
            return f"after {len(moves)} moves, viewer {viewer}: {difference}", compared
    return None, compared


def _other_deal(game: Variant[Any], base: Any, viewer: int, rng: random.Random) -> Any:
    """One of some other deals, in which the others may claim most, or least; None: no deal here can be reached."""
    deals = [redealt(base, viewer, game.meta.kinds, rng) for _ in range(8)]
    open_ = [(game.decisions(deal), deal) for deal in deals]
    reached = [(sum([len(d.options) + 9 * (WIN in d.options) for d in asked]), deal) for asked, deal in open_ if asked]
    if not reached:  # a window that all who matter have answered would have been settled
        return None
    return rng.choice((max, min))(reached, key=lambda found: found[0])[1]


async def _probed(
    game: Variant[Any], players: int, options: dict[str, object], channels: Channels, delay: float,
    moves: list[Move], seat: int | None,
) -> list[Any]:  # fmt: skip
    live = await Live.begin(game, players, options, channels, delay)
    for move in moves:
        assert await live.make(move), f"{move} is refused in the other world before anything differs"
    assert live.table.facts().broken is None
    found = await probe(live, seat)
    await live.world.crash()
    return found


def first_difference(expected: list[Any], found: list[Any]) -> str | None:
    """The first difference of two lists of notes."""
    for part, (one, two) in enumerate(zip(expected, found, strict=True)):
        if one == two:
            continue
        if isinstance(one, str):
            return f"part {part}: {one} became {two}"
        for place, (a, b) in enumerate(zip(one, two, strict=False)):
            if a != b:
                return f"part {part}, {place}: {a} became {b}"
        return f"part {part}: {len(one)} became {len(two)}"
    return None


async def late_passes(
    game: Variant[Any], players: int, rng: random.Random, channels: Channels = HONEST
) -> tuple[str | None, int]:
    """In one world all answer a discard at once, in the other late or not at all: the others hear the same.

    Seats on autoplay that may win are left to it, since it takes every win.

    Returns the first difference and the number of compared windows in which a seat was asked.
    """
    options = random_options(game.meta.options, rng)
    settings = {"claim_hold_ms": 3000, "claim_s": 1, "think_s": 60, "autoplay_after": rng.choice((1, 2))}
    quick, slow = [await Live.begin(game, players, options, channels, settings=settings) for _ in range(2)]
    found = await _compare_late(quick, slow, rng)
    await quick.world.crash()
    await slow.world.crash()
    return found


async def _compare_late(quick: Live, slow: Live, rng: random.Random) -> tuple[str | None, int]:
    compared = 0
    for _ in range(160):
        if quick.state is None or quick.table.log.match.round_no > 1:
            break
        before = [len(witness.heard) for witness in quick.everybody()]
        asked = quick.asked()
        if asked != slow.asked():
            return f"asked {asked} and {slow.asked()}", compared
        autoplay = [seat.autoplay for seat in quick.table.log.match.seats]
        claims = [
            seat for seat, clock in asked.items()
            if clock == "claim" and not (autoplay[seat] and WIN in quick.options(seat))
        ]  # fmt: skip
        if claims:
            compared += 1
            await _window(quick, slow, claims, rng)
        else:
            move = await quick.random_move(rng)
            assert await slow.make(move)
        quiet = [place for place, witness in enumerate(quick.everybody()) if witness.seat not in claims]
        for place in quiet:
            one, two = quick.everybody()[place].heard[before[place] :], slow.everybody()[place].heard[before[place] :]
            if (difference := first_difference([one], [two])) is not None:
                return f"window {compared}, witness {place}: {difference}", compared
        for witness, late in zip(quick.everybody(), slow.everybody(), strict=True):
            late.heard[:] = witness.heard
    return None, compared


async def _window(quick: Live, slow: Live, claims: list[int], rng: random.Random) -> None:
    """Each asked seat passes, or one of them takes what it is offered: at once here, late or by the clock there."""
    taker = rng.choice(claims) if rng.random() < 0.3 else None
    for seat in claims:
        option = quick.options(seat)[0 if seat == taker else -1]
        if seat == taker:
            await slow.make((seat, option))
        await quick.make((seat, option))
    await quick.make(3.0)
    await slow.make(0.75)
    for seat in reversed(claims):
        if slow.options(seat) and rng.random() < 0.5:
            await slow.make((seat, slow.options(seat)[-1]))
    await slow.make(2.25)


async def exchange(
    game: Variant[Any], players: int, rng: random.Random, channels: Channels = HONEST
) -> tuple[str | None, int]:
    """Two kinds a viewer has not seen change places in the wall and in the others' answers, from the deal on.

    The viewer hears the same, at the same time, until one of them surfaces. Returns the first difference and how many
    frames were compared.
    """
    options = random_options(game.meta.options, rng)
    base = await Live.begin(game, players, options, channels)
    moves: list[tuple[Move, set[int]]] = []
    while base.state is not None and base.table.log.match.round_no == 1 and len(moves) < 150:
        asked = set(base.asked())
        moves.append((await base.random_move(rng), asked))
    await base.world.crash()
    compared = 0
    for viewer in rng.sample(viewers(players), 2):
        witness = base.everybody()[viewer]
        order = {kind: _first_heard(witness, kind) for kind in game.meta.kinds}
        late = sorted(order, key=lambda kind: (-order[kind], rng.random()))
        pair = late[0], rng.choice(late[1:4])
        other = await _played_exchanged(game, players, options, channels, moves, viewer, pair)
        upto = min(order[pair[0]], order[pair[1]], _first_heard(other, pair[0]), _first_heard(other, pair[1]))
        compared += min(upto, len(other.heard))
        for one, two in zip(witness.heard[:upto], other.heard[:upto], strict=False):
            if one != two:
                return f"viewer {viewer}, kinds {pair}: {one} became {two}", compared
    return None, compared


def _first_heard(witness: Witness, kind: str) -> int:
    """Number of the first frame that names a kind; never: the number of frames."""
    found = (place for place, text in enumerate(witness.honest) if kind in text)
    return next(found, len(witness.heard))


async def _played_exchanged(
    game: Variant[Any], players: int, options: dict[str, object], channels: Channels,
    moves: list[tuple[Move, set[int]]], viewer: int, pair: tuple[Tile, Tile],
) -> Witness:  # fmt: skip
    """The same moves in the world with the two kinds exchanged, as far as they can be made there."""
    swap = exchanged(pair)

    def start(setup: Setup) -> Any:
        return game.start(replace(setup, wall=tuple([swap(tile) for tile in setup.wall])))

    live = await Live.begin(replace(game, start=start), players, options, channels)
    for move, asked in moves:
        for seat in set(live.asked()) - asked - {viewer}:  # thinking is accepted: a seat that is asked only here passes
            await live.make((seat, PASS))
        if not isinstance(move, float) and move[0] != viewer:
            tiles = sort_tiles(tuple([swap(tile) for tile in move[1].tiles]))
            move = move[0], action(move[1].verb, *tiles, choice=move[1].choice)
        if not await live.make(move) and not (isinstance(move, tuple) and move[1] == PASS):
            break
    await live.world.crash()
    return live.everybody()[viewer]
