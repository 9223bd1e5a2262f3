"""Recognising a win: the best reading over all decompositions, drawn slots and optional claims (TJ-10.1, TJ-10.12).

A *claim* is a property of a reading's drawn tile or runs: 混吊 or 双混吊, 捉5, 龙, 本混. Claims are tried
from the dearest down, and a claim holds when the naturals that its own groups leave over fit into the sets and the pair
that remain (`app.kernel.shapes.wildcards`). Hence decompositions need not be listed. The bare shape is checked first,
and 番 are counted for a complete hand only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, Literal

from app.kernel.errors import InvariantViolation
from app.kernel.immutable import immutable
from app.kernel.shapes.counts import ONE, Hand, kinds_of
from app.kernel.shapes.sets import run_of
from app.kernel.shapes.wildcards import Group, arrange, filled, fits, split_wilds, take
from app.kernel.tiles import DRAGONS, RANK, SUIT, WINDS, Tile
from app.variants.tianjin.patterns import MIN_FAN, Patterns, fan_of

Wilds = tuple[Tile, Tile]
SETS: Final = 4
FIVE: Final[Tile] = "5m"
_BESIDE_FIVE: Final[tuple[Tile, ...]] = ("4m", "6m")
_SUITS: Final = ("m", "p", "s")
_LONG: Final = {suit: tuple([f"{rank}{suit}" for rank in range(1, 10)]) for suit in _SUITS}
_ROUND_FIVE: Final = tuple([tile for tile in _LONG["m"] if tile != FIVE])
_NEXT_DRAGON: Final = dict(zip(reversed(DRAGONS), (*reversed(DRAGONS[:-1]), DRAGONS[-1]), strict=True))


def successor(kind: Tile) -> Tile:
    """The next kind on its ring: 1…9→1 in a suit, 东南西北→东, 中发白→中 (TJ-4.6)."""
    if kind in _NEXT_DRAGON:
        return _NEXT_DRAGON[kind]
    return f"{RANK[kind] % (len(WINDS) if SUIT[kind] == 'z' else 9) + 1}{SUIT[kind]}"


def wilds_of(indicator: Tile) -> Wilds:
    """The two wild kinds (混): the indicator's kind and its successor (TJ-4.6)."""
    return indicator, successor(indicator)


@immutable
class Draw:
    """A seat's own tiles at the moment it may win; nothing that it could not see itself.

    `hand` holds the concealed tiles, `drawn` included; `melds` counts laid sets; `gold`: one is a 金杠.
    `after_kong`: drawn is the replacement of the kong just made. `heaven`: the dealer's untouched deal.
    """

    hand: Hand
    drawn: Tile
    melds: int
    gold: bool
    wilds: Wilds
    after_kong: bool = False
    heaven: bool = False


@immutable
class Best:
    """The best reading: its sorted patterns, its 番, and the tile that counts as drawn (TJ-10.12, TJ-10.13)."""

    patterns: Patterns
    fan: int
    drawn: Tile


@immutable
class _Claim:
    label: Literal["", "hun_diao", "shuang_hun_diao"]
    zhuo_wu: bool
    long: bool
    ben_hun: bool

    def patterns(self) -> tuple[str, ...]:
        named = (("zhuo_wu", self.zhuo_wu), ("long", self.long), ("ben_hun", self.ben_hun), (self.label, self.label))
        claimed = tuple([name for name, said in named if said])
        return claimed if self.zhuo_wu or self.long else (*claimed, "ti_liu")


def _claims() -> tuple[_Claim, ...]:
    """All claims, the dearest first; among equals 双混吊, then 本混 (TJ-10.13). Never 混吊 with 捉5 (P2)."""
    labels: tuple[Literal["", "hun_diao", "shuang_hun_diao"], ...] = ("", "hun_diao", "shuang_hun_diao")
    flags = (False, True)
    claims = [
        _Claim(label, zhuo_wu, long, ben_hun)
        for label, zhuo_wu, long, ben_hun in product(labels, flags, flags, flags)
        if (long or not ben_hun) and not (zhuo_wu and label == "hun_diao")
    ]
    return tuple(sorted(claims, key=lambda c: (-fan_of(c.patterns()), c.label != "shuang_hun_diao", not c.ben_hun)))


_CLAIMS: Final = _claims()


@immutable
class _Tiles:
    """The concealed tiles around one drawn tile: naturals without and with it, wilds beside it, sets to make."""

    before: Hand
    whole: Hand
    spare: int
    drawn: Tile
    drawn_wild: bool
    sets: int
    wilds: Wilds


Rest = tuple[Hand, int, bool]
"""The remainder after a claim's own groups: naturals, sets still to make, whether the pair is still to make."""


def _tiles(draw: Draw, drawn: Tile) -> _Tiles:
    whole, wild_count = split_wilds(draw.hand, draw.wilds)
    drawn_wild = drawn in draw.wilds
    before = whole if drawn_wild else whole - ONE[drawn]
    return _Tiles(before, whole, wild_count - drawn_wild, drawn, drawn_wild, SETS - draw.melds, draw.wilds)


def complete(draw: Draw) -> bool:
    """Four sets and one pair, wilds playing anything; no other shape is a hand (TJ-9.2, TJ-9.3, TJ-9.4).

    Laid melds are whole sets, and no part of 龙 or 捉5 (TJ-9.5).
    """
    naturals, _ = split_wilds(draw.hand, draw.wilds)
    return fits(naturals, SETS - draw.melds, True)


def best(draw: Draw) -> Best | None:
    """The best reading, None when the tiles are not complete; no minimum is asked (TJ-10.12, TJ-10.13, TJ-12.2)."""
    if not complete(draw):
        return None
    always = tuple([name for name, said in _extras(draw) if said])
    options = [_tiles(draw, drawn) for drawn in (kinds_of(draw.hand) if draw.heaven else (draw.drawn,))]
    for claim in _CLAIMS:
        for tiles in options:
            if any(fits(*rest) for _, rest in _rests(claim, tiles)):
                patterns = tuple(sorted((*claim.patterns(), *always)))
                return Best(patterns, fan_of(patterns), tiles.drawn)
    raise InvariantViolation("a complete hand always has the plain reading")


def _extras(draw: Draw) -> tuple[tuple[str, bool], ...]:
    """Patterns that no choice changes: 素 (TJ-10.4), 杠开 (TJ-10.10), 天和 (TJ-12.1)."""
    wild_in_hand = split_wilds(draw.hand, draw.wilds)[1] > 0
    return ("su", not wild_in_hand and not draw.gold), ("gang_kai", draw.after_kong), ("tian_he", draw.heaven)


def may_win(reading: Best | None, kong_bloom_plain: bool) -> bool:
    """Complete and worth at least 2 番; with the option off 杠开提溜 alone is refused (TJ-9.6, TJ-9.7)."""
    if reading is None or reading.fan < MIN_FAN:
        return False
    return kong_bloom_plain or reading.patterns != ("gang_kai", "ti_liu")


def _rests(claim: _Claim, tiles: _Tiles) -> Iterator[tuple[tuple[Tile, ...], Rest]]:
    """Every way to set the claim's own groups apart: the tiles of its 龙 (outside the drawn group) and the remainder.

    龙 is three runs of one suit in the hand (TJ-10.8); 本混 is 龙 in the suit of the wilds (TJ-10.9).
    """
    start = _after_drawn_group(claim, tiles)
    if start is None:
        return
    naturals, sets, pair = start
    if not claim.long:
        yield (), start
        return
    for suit in _SUITS:
        if claim.ben_hun == (suit == SUIT[tiles.wilds[0]]):
            yield _LONG[suit], (take(naturals, _LONG[suit]), sets - 3, pair)
            if claim.zhuo_wu and not claim.label and suit == "m":
                # 捉5 may lie inside the 龙, then its group is one of the three runs (TJ-10.11)
                yield _ROUND_FIVE, (take(tiles.before, _ROUND_FIVE), tiles.sets - 3, True)


def _after_drawn_group(claim: _Claim, tiles: _Tiles) -> Rest | None:
    """The remainder beside the drawn tile's group that the claim needs, or None (TJ-10.5, TJ-10.6, TJ-10.7)."""
    if claim.zhuo_wu and not (tiles.drawn_wild or tiles.drawn == FIVE):
        return None
    if claim.label == "hun_diao":
        return (tiles.before, tiles.sets, False) if tiles.spare >= 1 else None
    if claim.label == "shuang_hun_diao":
        return (tiles.before, tiles.sets - 1, True) if tiles.spare >= 2 else None
    if claim.zhuo_wu:
        return take(tiles.before, _BESIDE_FIVE), tiles.sets - 1, True
    return tiles.whole, tiles.sets, True


def groups(draw: Draw, reading: Best) -> tuple[str, ...]:
    """One decomposition that gives the reading, as texts such as `4m W(5m) *6m`; laid melds are left out (TJ-16.4)."""
    tiles = _tiles(draw, reading.drawn)
    claim = next(c for c in _CLAIMS if {*c.patterns()} == {*reading.patterns} - {name for name, _ in _extras(draw)})
    long, rest = next((long, rest) for long, rest in _rests(claim, tiles) if fits(*rest))
    own = _drawn_group(claim, tiles)
    laid = () if own is None else (_text(*own),)
    naturals = tiles.whole if own is None else take(tiles.before, () if claim.label else _BESIDE_FIVE)
    others: list[Group] = []
    for start in long[::3] if long != _ROUND_FIVE else ("1m", "7m"):
        run, naturals = filled(naturals, "run", run_of(start))
        others.append(run)
    others.extend(arrange(*rest, filler=draw.wilds[1]))
    return (*laid, *_texts(others, tiles, own is None))


def _drawn_group(claim: _Claim, tiles: _Tiles) -> tuple[Group, int] | None:
    """The drawn tile's group and its place there, where the claim says which; None when any place will do."""
    played = tiles.wilds[1] if tiles.drawn_wild else tiles.drawn
    if claim.label == "hun_diao":
        return Group("pair", (played,) * 2, (tiles.drawn_wild, True)), 0
    if claim.zhuo_wu:
        run, _ = filled(0 if claim.label else tiles.before, "run", run_of("4m"))
        return Group("run", run.tiles, (run.wild[0], tiles.drawn_wild, run.wild[2])), 1
    if claim.label:
        return Group("triplet", (played,) * 3, (tiles.drawn_wild, True, True)), 0
    return None


def _texts(found: list[Group], tiles: _Tiles, starred: bool) -> Iterator[str]:
    """The groups as texts; when `starred`, the first place that can be the drawn tile's carries the star (TJ-10.2)."""
    for group in found:
        place = None
        if starred:
            fit = [
                wild if tiles.drawn_wild else tile == tiles.drawn and not wild
                for tile, wild in zip(group.tiles, group.wild, strict=True)
            ]
            place = fit.index(True) if True in fit else None
            starred = place is None
        yield _text(group, place)


def _text(group: Group, place: int | None) -> str:
    return " ".join(
        [
            ("*" if index == place else "") + (f"W({tile})" if wild else tile)
            for index, (tile, wild) in enumerate(zip(group.tiles, group.wild, strict=True))
        ]
    )
