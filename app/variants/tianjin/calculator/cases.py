"""List `cases`: stakes, kongs and end of a round → its settlement."""

from __future__ import annotations

from collections import Counter
from typing import Final

from app.kernel.ledger import net, plain_lines
from app.kernel.text.fields import CaseReader, Given, Result, is_whole
from app.kernel.tiles import COPIES, Tile
from app.variants.tianjin.calculator.reader import HAND_FIELDS, check_wild_kong, read_draw
from app.variants.tianjin.patterns import breakdown
from app.variants.tianjin.rules import KONG_POINTS, MAX_PULL, PLAYERS, Rules, parse_rules
from app.variants.tianjin.scoring import Result as Outcome
from app.variants.tianjin.scoring import Stakes, next_dealer, settle
from app.variants.tianjin.winning import SETS, Best, best, may_win

_FIELDS: Final = ("setup", "events", "follow", "end", "players", "dealer", "rules")

Kongs = tuple[tuple[tuple[str, Tile], ...], ...]
"""By seat: (kind, tile) of each kong."""


def score_case(entry: Given) -> Result:
    """Settle one round. Raises MalformedInput naming the field."""
    case = CaseReader(entry, known=_FIELDS)
    if "players" in entry:
        case.number("players", PLAYERS, PLAYERS)
    dealer = case.seat("dealer", PLAYERS)
    rules = case.options(parse_rules, default={})
    stakes, indicator = _read_setup(case, dealer)
    follow = case.flag("follow", default=False)
    case.count((indicator,), "setup.indicator")
    kongs = _read_kongs(case, indicator)
    winner, reading = _read_end(case, stakes, indicator, rules, kongs)
    if reading is not None and "tian_he" in reading.patterns and (follow or any(kongs)):
        raise case.wrong("end.heaven", "nothing can happen before 天和")
    detail = breakdown(reading.patterns) if reading else ()
    names = tuple([tuple([kind for kind, _ in own]) for own in kongs])
    lines = settle(stakes, Outcome(winner, detail, names, follow), rules)
    return {
        "net": list(net(lines, PLAYERS)),
        "next_dealer": next_dealer(dealer, winner),
        "fan": reading.fan if reading else None,
        "patterns": list(reading.patterns) if reading else [],
        "ledger": plain_lines(lines),
    }


def _read_setup(case: CaseReader, dealer: int) -> tuple[Stakes, Tile]:
    setup = case.part("setup", ("sit", "pull", "indicator"))
    pull = setup.value("pull")
    if not isinstance(pull, list) or len(pull) != PLAYERS or not all(is_whole(p, 0, MAX_PULL) for p in pull):
        raise setup.wrong("pull", f"expected {PLAYERS} numbers from 0 to {MAX_PULL}")
    if pull[dealer]:
        raise setup.wrong("pull", "the dealer does not pull")
    indicator = setup.tile("indicator")
    return Stakes(dealer, setup.flag("sit"), tuple(pull)), indicator


def _read_kongs(case: CaseReader, indicator: Tile) -> Kongs:
    """The kongs by seat."""
    kongs: list[list[tuple[str, Tile]]] = [[] for _ in range(PLAYERS)]
    for event in case.parts("events", ("do", "seat", "tile", "from"), default=[]):
        kind, seat = event.word("do", KONG_POINTS), event.seat("seat", PLAYERS)
        tile = event.tile("tile")
        _check_source(event, kind, seat)
        check_wild_kong(event, "tile", kind, tile, indicator)
        event.count([tile] * COPIES, "tile")
        kongs[seat].append((kind, tile))
        if len(kongs[seat]) > SETS:
            raise event.wrong("seat", f"seat {seat} has more than {SETS} kongs")
    return tuple([tuple(own) for own in kongs])


def _check_source(event: CaseReader, kind: str, seat: int) -> None:
    source = event.value("from", None)
    if source is not None and (not is_whole(source, 0, PLAYERS - 1) or source == seat):
        raise event.wrong("from", f"expected another seat, got {source!r}")
    if kind == "kong_exposed" and source is None:
        raise event.wrong("from", "a kong on a discard has a discarder")
    if kind == "kong_concealed" and source is not None:
        raise event.wrong("from", "a concealed kong takes nobody's tile")


def _read_end(
    case: CaseReader, stakes: Stakes, indicator: Tile, rules: Rules, kongs: Kongs
) -> tuple[int | None, Best | None]:
    """The winner and the reading of the winning hand; (None, None) after exhaustion."""
    end = case.part("end")
    if end.word("kind", ("win", "exhausted")) == "exhausted":
        end.allow(("kind",))
        return None, None
    end.allow(("kind", "seat", *HAND_FIELDS))
    winner = end.seat("seat", PLAYERS)
    draw, melds, missing = read_draw(end, indicator, kongs_counted=True)
    if missing:
        raise end.wrong("hand", f"{abs(missing)} tiles too {'few' if missing > 0 else 'many'}")
    own = Counter([(kind, tiles[0]) for kind, tiles in melds if kind in KONG_POINTS])
    if own != Counter(kongs[winner]):
        raise end.wrong("melds", "the winner's kongs are not those of the events")
    if draw.heaven and winner != stakes.dealer:
        raise end.wrong("heaven", "only the dealer can win on the deal")
    reading = best(draw)
    if not may_win(reading, rules.kong_bloom_plain):
        raise end.wrong("hand", "this hand cannot win")
    return winner, reading
