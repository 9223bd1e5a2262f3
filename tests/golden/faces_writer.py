"""Tables of the games' faces: prices and roles, as in the rules.

`python -m tests.golden.faces_writer` writes `faces/<slug>.json` anew. `test_faces.py` holds them to the
rules, `tests/e2e/test_view.py` the faces (`app/web/static/variants/<slug>.js`) to them.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from app.kernel.ledger import Line
from app.kernel.tiles import KINDS
from app.variants.guizhou.chickens import chickens_of
from app.variants.guizhou.rules import parse_rules
from app.variants.tangshan import scoring
from app.variants.tangshan.xi import CATEGORY, XI

HERE = Path(__file__).parent / "faces"
_PLAYERS: Final = 4
_SWITCHES: Final = ("wugu", "up_down_chicken", "weekday_chicken", "self_chicken")
_FLIPS: Final = (None, "1p", "3s", "7p", "8p", "9p", "1s", "8s", "9s")


def _chickens() -> Iterator[dict[str, Any]]:
    """Which kinds count, for every combination of the options that decide it."""
    for chosen in itertools.product((False, True), repeat=len(_SWITCHES)):
        raw = dict(zip(_SWITCHES, chosen, strict=True))
        for flip, weekday in itertools.product(_FLIPS, (3, 7)):
            found = chickens_of(parse_rules(raw), flip, weekday)
            gold = sorted(found.gold)
            plain = sorted({*found.defaults, *found.others} - found.gold)
            yield {"rules": raw, "flip": flip, "weekday": weekday, "gold": gold, "plain": plain}


def _each(lines: tuple[Line, ...]) -> int:
    """One payer's debt."""
    [points] = {line.points for line in lines}
    return points


def _prices() -> Iterator[dict[str, Any]]:
    """The gain of an offer from each payer."""
    for system in ("high", "low"):
        for xi, tiles in XI.items():
            offer = {"verb": "light", "choice": xi}
            price = _each(scoring.light_lines(0, _PLAYERS, xi, system))  # type: ignore[arg-type]
            yield {"scoring": system, "offer": offer, "price": price, "tiles": list(tiles)}
        for tile in KINDS:
            cover = {"verb": "cover", "tiles": tile}
            yield {"scoring": system, "offer": cover, "price": _each(scoring.cover_lines([(0, tile)], _PLAYERS))}
            if tile in CATEGORY:
                add = {"verb": "extend", "tiles": tile, "choice": "xi_add"}
                yield {"scoring": system, "offer": add, "price": _each(scoring.add_lines(0, _PLAYERS, tile))}
            kong = {"verb": "kong", "tiles": tile, "choice": "kong_concealed"}
            yield {"scoring": system, "offer": kong, "price": _each(scoring.concealed_kong_lines(0, _PLAYERS, tile))}


MADE: Final = {"guizhou": lambda: list(_chickens()), "tangshan": lambda: list(_prices())}


def write(slug: str) -> None:
    """Write the file of a game."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in MADE[slug]())
    (HERE / f"{slug}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    for each in MADE:
        write(each)
