"""A choice of a player: one frozen, interned value `Action(verb, tiles, choice)`.

The server offers actions, the client echoes one. No legality here: a variant's `decisions` says what is offered. The
vocabulary is closed and shared by all games; the page `ACTIONS.md` lists each verb with its tiles and choices.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from app.kernel.immutable import immutable
from app.kernel.tiles import Tile

Verb = Literal[
    "win", "kong", "extend", "light", "cover", "pong", "chow", "pair_claim", "discard", "sit", "pull", "pass"
]
Choice = str | int | bool | None


@immutable
class Action:
    """A choice. `tiles` and `choice` as in the table of `ACTIONS.md`; `choice` tells variants of one verb apart.

    kong: kong_exposed, kong_concealed, kong_gold, kong_late · extend: kong_added, kong_late, xi_add ·
    discard: None or declare_ready · light: ones, nines, dragons, winds · sit: False / True · pull: 0, 1, 2
    """

    verb: Verb
    tiles: tuple[Tile, ...] = ()
    choice: Choice = None


@lru_cache(maxsize=4096, typed=True)
def action(verb: Verb, *tiles: Tile, choice: Choice = None) -> Action:
    """The interned action: equal calls return the same object."""
    return Action(verb, tiles, choice)


WIN: Final = action("win")
PASS: Final = action("pass")

VERB_ORDER: Final[tuple[Verb, ...]] = (
    "win", "light", "cover", "kong", "extend", "pong", "chow", "pair_claim", "sit", "pull", "discard", "pass",
)  # fmt: skip
"""Order of options in a decision: win first, melds and kongs, discards in tile order, pass last. Records rely on it."""
