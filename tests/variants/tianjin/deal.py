"""Scripted rounds of 天津麻将: a wall of what a test cares about, then the language of `tests.variants.script`.

    game = deal(D="123m…", R="…", draws="5m 7s", indicator="1z")
    game.play("D discard 1m / R discard 1m / O pong / hold / O discard 9s / R win")

Hands are given by place and may be given in part; the rest of the wall is filled with what is left, kinds that are
named nowhere first.
"""

from collections import Counter

from app.kernel.tiles import KINDS, Tile, parse_tiles
from app.kernel.variant import Setup
from app.variants.tianjin import VARIANT, wall
from app.variants.tianjin.state import TianjinState
from tests.variants.script import PLACES, Script

Game = Script[TianjinState]


def deal(
    *, indicator: str = "1z", D: str = "", R: str = "", O: str = "", L: str = "", draws: str = "",  # noqa: E741
    tail: str = "", n: int = 5, m: int = 3, dealer: int = 0, sit: bool = False,
    pull: tuple[int, int, int] = (0, 0, 0), rules: dict[str, object] | None = None, last: str = "",
    answered: bool = True,
) -> Game:  # fmt: skip
    """Start a round: `n` and `m` are the two sums of dice, `draws` come from the front and `tail` from the end of the
    wall, `last` are the last live tiles. `answered`: 坐庄 and 拉庄 are answered as `sit` and `pull` say.
    """
    tiles = _wall(indicator, (D, R, O, L), draws, tail, m, last)
    dice = (*_two_dice(n), *_two_dice(m))
    options = VARIANT.parse_rules(rules or {})
    game = Script(VARIANT, Setup(options, 4, dealer, tiles, dice, 0, "commitment", "00", ("", "", "", "")))
    if answered:
        game.play(f"D sit {str(sit).lower()}")
        for place, times in zip(PLACES[1:], pull, strict=True):
            game.play(f"{place} pull {times}")
    return game


def _two_dice(total: int) -> tuple[int, int]:
    return (total - 6, 6) if total > 7 else (1, total - 1)


def _wall(indicator: str, hands: tuple[str, ...], draws: str, tail: str, m: int, last: str) -> tuple[Tile, ...]:
    """All 136 tiles with the named ones in their places; `last` are the last live tiles in drawing order."""
    placed: dict[int, Tile] = {wall.indicator_index(m): indicator}
    for place, text in enumerate(hands):
        placed.update(zip(wall.dealt_indices(place), parse_tiles(text), strict=False))
    front = range(wall.FIRST_FRONT, wall.indicator_index(m))
    placed.update(zip(front, parse_tiles(draws.replace(" ", "")), strict=False))
    ending = parse_tiles(last)
    placed.update(zip(front[len(front) - len(ending) :], ending, strict=True))
    placed.update(zip(wall.tail_order(wall.indicator_index(m)), parse_tiles(tail.replace(" ", "")), strict=False))
    counted = Counter(placed.values())
    assert max(counted.values()) <= 4, counted
    rest = [kind for copy in range(1, 5) for kind in KINDS if counted[kind] + copy <= 4]
    rest.sort(key=lambda kind: kind in counted)
    filler = iter(rest)
    return tuple([placed[index] if index in placed else next(filler) for index in range(wall.TILES)])


def undrawn(left: wall.Wall) -> tuple[Tile, ...]:
    """Every tile still in the wall, the indicator left out."""
    taken = frozenset(wall.tail_order(left.indicator)[: left.tail])
    return tuple([left.tiles[i] for i in range(left.head, wall.TILES) if i != left.indicator and i not in taken])
