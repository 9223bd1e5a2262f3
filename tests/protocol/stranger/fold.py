"""The fold of "How to write a client", written from its table by a stranger: plain dicts in, plain dicts out."""

from typing import Any

Plain = dict[str, Any]


def split(tiles: str | None) -> list[str]:
    return [tiles[at : at + 2] for at in range(0, len(tiles or ""), 2)] if tiles else []


def joined(tiles: list[str]) -> str:
    return "".join(sorted(tiles, key=lambda tile: ("mpsz".index(tile[1]), tile[0])))


def without(hand: str | None, gone: list[str]) -> str | None:
    if hand is None:
        return None
    left = split(hand)
    for tile in gone:
        left.remove(tile)
    return "".join(left)


def started(event: Plain) -> Plain:
    empty: Plain = {"hand": None, "count": 0, "drawn": None, "melds": [], "row": ""}
    told = ("variant", "rules", "rules_version", "players", "dealer", "dealt_at_ms", "commitment", "contributions")
    lists: Plain = {name: [] for name in ("lines", "dice", "flips", "answers", "passed", "marks", "wins", "waits")}
    return {
        **{name: event[name] for name in told}, **lists, "seats": [dict(empty) for _ in range(event["players"])],
        "phase": "deal", "turn": None, "left": 0, "tick": 1, "last": None, "laid": None,
        "points": [0] * event["players"], "revealed": False, "ended": None,
    }  # fmt: skip


def fold(view: Plain | None, event: Plain) -> Plain:
    """The view after one event. The view that is given changes too."""
    kind, bare = event["type"], {name: value for name, value in event.items() if name != "type"}
    if kind == "round_started":
        return started(event)
    assert view is not None
    if kind in ("answered", "hold_ended"):
        return view
    _MOVES[kind](view, bare)
    view["tick"] += not event.get("private", False)
    return view


def _phase(v: Plain, e: Plain) -> None:
    v.update(phase=e["phase"], turn=e.get("seat"), left=e["left"])


def _flip(v: Plain, e: Plain) -> None:
    v["flips"].append(e)
    v["left"] = e["left"]


def _dealt(v: Plain, e: Plain) -> None:
    hand = joined(split(e["tiles"])) if e.get("tiles") else None
    v["seats"][e["seat"]] = {"hand": hand, "count": e["count"], "drawn": e.get("drawn"), "melds": [], "row": ""}


def _drawn(v: Plain, e: Plain) -> None:
    seat, tile = v["seats"][e["seat"]], e.get("tile")
    hand = joined([*split(seat["hand"]), tile]) if tile and seat["hand"] is not None else None
    seat.update(hand=hand, count=seat["count"] + 1, drawn=tile)
    v.update(turn=e["seat"], left=e["left"], last=None, laid=None)


def _gave(seat: Plain, own: list[str], count: int) -> None:
    hand = without(seat["hand"], own)
    drawn = seat["drawn"] if hand is not None and seat["drawn"] in split(hand) else None
    seat.update(hand=hand, count=seat["count"] - count, drawn=drawn)


def _discarded(v: Plain, e: Plain) -> None:
    seat = v["seats"][e["seat"]]
    _gave(seat, [e["tile"]], 1)
    seat.update(drawn=None, row=seat["row"] + e["tile"])
    v.update(turn=e["seat"], last=[e["seat"], e["tile"]], laid=None)


def _laid(v: Plain, e: Plain) -> None:
    _gave(v["seats"][e["seat"]], [e["tile"]], 1)
    v.update(turn=e["seat"], last=None, laid=e)


def _from_row(v: Plain, e: Plain) -> None:
    if e["source"] == "row":
        source = v["seats"][e["source_seat"]]
        source["row"] = source["row"][:-2]


def _melded(v: Plain, e: Plain) -> None:
    _from_row(v, e)
    seat, own = v["seats"][e["seat"]], split(e.get("tiles"))
    if "taken" in e:
        own.remove(e["taken"])
    _gave(seat, own, e["count"] - ("taken" in e))
    kept = ("kind", "count", "source_seat", "taken", "face_down", "late_kind")
    seat["melds"].append({"tiles": e.get("tiles", ""), **{name: e[name] for name in kept if name in e}})
    v.update(turn=e["seat"], last=None, laid=None)


def _extended(v: Plain, e: Plain) -> None:
    _from_row(v, e)
    seat = v["seats"][e["seat"]]
    if e["source"] == "own":
        _gave(seat, [e["tile"]], 1)
    old = {
        name: seat["melds"][e["meld"]][name] for name in ("source_seat", "taken") if name in seat["melds"][e["meld"]]
    }
    new = {name: e[name] for name in ("kind", "tiles", "count", "source_seat", "late_kind") if name in e}
    seat["melds"][e["meld"]] = {**old, **new, **({"taken": e["tile"]} if e["source"] == "row" else {})}
    v.update(turn=e["seat"], last=None, laid=None)


def _marked(v: Plain, e: Plain) -> None:
    v["marks"] = [mark for mark in v["marks"] if (mark["mark"], mark["seat"]) != (e["mark"], e.get("seat"))]
    if e.get("value") is not None:
        mark = {"seat": e.get("seat"), "mark": e["mark"], "value": e["value"], "private": e.get("private", False)}
        v["marks"].append(mark)


def _points(v: Plain, e: Plain) -> None:
    v["lines"] += e["lines"]
    for line in e["lines"]:
        v["points"][line["source"]] -= line["points"]
        v["points"][line["target"]] += line["points"]


def _revealed(v: Plain, e: Plain) -> None:
    for seat, hand, melds in zip(v["seats"], e["hands"], e["melds"], strict=True):
        seat.update(hand=joined(split(hand)), count=len(split(hand)), melds=melds)
    v.update(revealed=True, waits=e["waits"])


_MOVES: Plain = {
    "phase_began": _phase, "tile_flipped": _flip, "hand_dealt": _dealt, "tile_drawn": _drawn, "marked": _marked,
    "tile_discarded": _discarded, "tile_laid": _laid, "meld_made": _melded, "meld_extended": _extended,
    "points_moved": _points, "hands_revealed": _revealed,
    "tile_robbed": lambda v, e: v.update(last=None),
    "dice_rolled": lambda v, e: v["dice"].append(e),
    "answers_revealed": lambda v, e: v["answers"].append(e),
    "seat_passed": lambda v, e: v["passed"].append(e["seat"]),
    "won": lambda v, e: v["wins"].append(e),
    "round_ended": lambda v, e: v.update(phase="over", ended=e),
}  # fmt: skip
