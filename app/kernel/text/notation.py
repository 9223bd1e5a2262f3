"""Plain forms (JSON-ready dicts) of events, actions, commands and views, and back: one mapping for log, record, wire.

An event is `{"type": "tile_drawn", "seat": 1, …}`; a field at its default is left out. Tiles run together as mpsz text
in their own order (`1m1m5z`). No bytes, no version numbers, no secrecy here (`views` comes first).
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from operator import itemgetter
from typing import Any, Final

from app.kernel import events as ev
from app.kernel.actions import VERB_ORDER, Action, action
from app.kernel.errors import MalformedInput
from app.kernel.ledger import Line
from app.kernel.melds import Meld
from app.kernel.play.commands import Abort, Act, Command, TimeOut
from app.kernel.shapes.counts import hand_of, tiles_of
from app.kernel.table import Ending, Mark, RoundFacts, SeatTiles, Shown, TableState
from app.kernel.tiles import ORDER, Tile

Plain = dict[str, Any]
_Convert = Callable[[Any], Any]
_Codec = tuple[_Convert, _Convert]
_KINDS: Final = frozenset(ORDER)
_ACTION_PARTS: Final = frozenset({"verb", "tiles", "choice"})


def tiles_text(tiles: tuple[Tile, ...] | None) -> str | None:
    """Tiles in their own order as one text: `("5z", "1m")` → `5z1m`."""
    return None if tiles is None else "".join(tiles)


def text_tiles(text: str | None) -> tuple[Tile, ...] | None:
    """Inverse of `tiles_text`. Raises MalformedInput for a text that is no tile."""
    if text is None:
        return None
    tiles = tuple([text[at : at + 2] for at in range(0, len(text), 2)])
    if not _KINDS.issuperset(tiles):
        wrong = next(tile for tile in tiles if tile not in _KINDS)
        raise MalformedInput("tiles", f"no such tile {wrong!r}")
    return tiles


def freeze(value: Any) -> Any:
    """Lists to tuples, all the way down."""
    return tuple([freeze(item) for item in value]) if isinstance(value, list | tuple) else value


def thaw(value: Any) -> Any:
    """Tuples to lists, all the way down."""
    return [thaw(item) for item in value] if isinstance(value, tuple) else value


def plain_action(act: Action) -> Plain:
    """`{"verb": "pong", "tiles": "5m", "choice": …}`; empty parts are left out."""
    plain: Plain = {"verb": act.verb}
    if act.tiles:
        plain["tiles"] = "".join(act.tiles)
    if act.choice is not None:
        plain["choice"] = act.choice
    return plain


def read_action(plain: object) -> Action:
    """Inverse of `plain_action`, strict: the value comes from a client. Raises MalformedInput naming the part."""
    if not isinstance(plain, dict):
        raise MalformedInput("action", "expected an object")
    if not _ACTION_PARTS.issuperset(plain):
        wrong = next(key for key in plain if key not in _ACTION_PARTS)
        raise MalformedInput(f"action.{wrong}", "no such part")
    return action_of(plain.get("verb"), plain.get("tiles", ""), plain.get("choice"))


def action_of(verb: object, tiles: object, choice: object) -> Action:
    """An action of its parts: a verb, tiles as one text, a choice or None. Raises MalformedInput naming the part."""
    if verb not in VERB_ORDER:
        raise MalformedInput("action.verb", f"no such verb {verb!r}")
    if not isinstance(tiles, str) or len(tiles) > 8:
        raise MalformedInput("action.tiles", "expected at most four tiles as text")
    if choice is not None and not (isinstance(choice, int) or (isinstance(choice, str) and len(choice) <= 20)):
        raise MalformedInput("action.choice", "expected a short text, a number, true or false")
    return action(verb, *(text_tiles(tiles) or ()), choice=choice)


def _plain_meld(meld: Meld) -> Plain:
    return _encode(meld, {})


def _read_meld(plain: Plain) -> Meld:
    return typing.cast(Meld, _decode(_FORMS[Meld], plain))


def _each(codec: _Codec) -> _Codec:
    there, back = codec
    return lambda items: [there(item) for item in items], lambda items: tuple([back(item) for item in items])


def _optional(codec: _Codec) -> _Codec:
    there, back = codec
    return lambda v: None if v is None else there(v), lambda v: None if v is None else back(v)


_TEXT: Final[_Codec] = (tiles_text, text_tiles)
_VALUE: Final[_Codec] = (thaw, freeze)
_MELDS: Final[_Codec] = _each((_plain_meld, _read_meld))
_FIELDS: Final[dict[str, _Codec]] = {
    "wall": _TEXT,
    "tiles": _TEXT,
    "hands": _each(_TEXT),
    "waits": _each(_optional(_TEXT)),
    "melds": _each(_MELDS),
    "lines": _each((lambda line: _encode(line, {}), lambda plain: _decode(_FORMS[Line], plain))),
    "action": (plain_action, read_action),
    "reading": (lambda reading: _encode(reading, {}), lambda plain: _decode(_FORMS[ev.Reading], plain)),
    "rules": (dict, lambda plain: tuple([(name, freeze(value)) for name, value in plain.items()])),
    "contributions": _VALUE,
    "dice": _optional(_VALUE),
    "faces": _VALUE,
    "takers": _VALUE,
    "winners": _VALUE,
    "values": _VALUE,
    "value": _VALUE,
    "detail": _VALUE,
    "patterns": _VALUE,
    "groups": _VALUE,
}
"""Fields whose plain form differs from their value, by name; all other fields are plain already."""

_ABSENT: Final = object()
"""Stands for the default of a field that has none."""


class _Form(typing.NamedTuple):
    """Writer and reader for the values of a class, computed once per class."""

    cls: type[Any]
    there: tuple[tuple[str, Any, _Convert | None], ...]
    """Name, default, how its plain form is made."""
    required: Callable[[Plain], tuple[Any, ...]]
    """The values of the fields without a default, which stand first in every class, by one call. Raises KeyError."""
    optional: tuple[tuple[str, Any], ...]
    """Name and default of all others, in the order of the class."""
    back: tuple[tuple[int, str, _Convert], ...]
    """Place and name of each field that is not plain, and how its value is made."""


def _getter(names: list[str]) -> Callable[[Plain], tuple[Any, ...]]:
    """Several values of a dict at once; `itemgetter` gives a tuple for two names and more only."""
    if len(names) > 1:
        return itemgetter(*names)
    return (lambda plain: (plain[names[0]],)) if names else lambda plain: ()


def _form(cls: type) -> _Form:
    assert is_dataclass(cls)
    names = [(f.name, _ABSENT if f.default is MISSING else f.default) for f in fields(cls)]
    codecs = [_FIELDS.get(name) for name, _ in names]
    needed = [name for name, default in names if default is _ABSENT]
    return _Form(
        cls,
        tuple([(name, default, codec and codec[0]) for (name, default), codec in zip(names, codecs, strict=True)]),
        _getter(needed),
        tuple(names[len(needed) :]),
        tuple([(at, names[at][0], codec[1]) for at, codec in enumerate(codecs) if codec is not None]),
    )


EVENT_TYPES: Final[dict[str, type]] = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in typing.get_args(ev.Event)
}
"""Plain type tag → event class, for all events."""
_TAGS: Final = {cls: tag for tag, cls in EVENT_TYPES.items()}
_FORMS: Final[dict[type[Any], _Form]] = {cls: _form(cls) for cls in (*EVENT_TYPES.values(), Meld, Line, ev.Reading)}
_EVENTS: Final[dict[str, _Form]] = {tag: _FORMS[cls] for tag, cls in EVENT_TYPES.items()}


LAID: Final = frozenset({Meld, ev.MeldMade, ev.MeldExtended})
"""Types whose plain form has `late_kind`, one of `LATE_KINDS`, where the kind is `kong_late`.

It follows from kind and face; readers have known it by this name from the first version on.
"""
LATE_KINDS: Final = ("concealed", "added")


def _encode(value: Any, plain: Plain) -> Plain:
    """Put the fields of a value into `plain`, those at their default left out."""
    cls = type(value)
    for name, default, there in _FORMS[cls].there:
        item = getattr(value, name)
        if default is _ABSENT or item != default:
            plain[name] = item if there is None else there(item)
    if cls in LAID and value.kind == "kong_late":
        plain["late_kind"] = LATE_KINDS[0 if getattr(value, "face_down", False) else 1]
    return plain


def _decode(form: _Form, plain: Plain) -> Any:
    cls, _, required, optional, convert = form
    try:
        values = [*required(plain)]
    except KeyError as missing:
        raise MalformedInput(f"{cls.__name__}.{missing.args[0]}", "missing") from None
    for name, default in optional:
        values.append(plain.get(name, default))
    for at, name, back in convert:
        if name in plain:
            values[at] = back(values[at])
    return cls(*values)


def plain_event(event: ev.Event) -> Plain:
    """An event (or a face of one) as a JSON-ready dict."""
    return _encode(event, {"type": _TAGS[type(event)]})


def read_event(plain: Plain) -> ev.Event:
    """Inverse of `plain_event`. Raises MalformedInput for an unknown type or a missing field."""
    form = _EVENTS.get(plain.get("type", ""))
    if form is None:
        raise MalformedInput("type", f"no such event {plain.get('type')!r}")
    event: ev.Event = _decode(form, plain)
    return event


def plain_line(line: Line) -> Plain:
    """A ledger line as a JSON-ready dict, with the names that events use: `source` pays `target`."""
    return _encode(line, {})


def plain_command(command: Command) -> Plain:
    """A command as a JSON-ready dict: keys `act`, `timeout` or `abort`."""
    match command:
        case Act(seat, decision, act):
            return {"act": plain_action(act), "seat": seat, "decision": decision}
        case TimeOut(decision):
            return {"timeout": decision}
        case Abort(reason):
            return {"abort": reason}


def read_command(plain: Plain) -> Command:
    """Inverse of `plain_command`. Raises MalformedInput."""
    if "act" in plain:
        return Act(plain["seat"], plain["decision"], read_action(plain["act"]))
    if "timeout" in plain:
        return TimeOut(plain["timeout"])
    if "abort" in plain:
        return Abort(plain["abort"])
    raise MalformedInput("command", f"no such command {sorted(plain)!r}")


def plain_view(table: TableState) -> Plain:
    """A (projected) table as a JSON-ready dict: what a `sync` carries and `view.js` starts from."""
    facts, shown, ending = table.facts, table.shown, table.ending
    return {
        "variant": facts.variant, "rules": dict(facts.rules), "rules_version": facts.rules_version,
        "players": facts.players, "dealer": facts.dealer, "dealt_at_ms": facts.dealt_at_ms,
        "commitment": facts.commitment, "contributions": list(facts.contributions),
        "seats": [
            {
                "hand": None if s.hand is None else "".join(tiles_of(s.hand)), "count": s.count, "drawn": s.drawn,
                "melds": [_plain_meld(meld) for meld in s.melds], "row": "".join(s.row),
            }
            for s in table.seats
        ],
        "phase": table.phase, "turn": table.turn, "left": table.left, "tick": table.tick,
        "last": thaw(table.last), "laid": None if table.laid is None else _encode(table.laid, {}),
        "lines": [_encode(line, {}) for line in table.lines], "points": list(table.points),
        "dice": [_encode(roll, {}) for roll in shown.dice], "flips": [_encode(flip, {}) for flip in shown.flips],
        "answers": [_encode(answers, {}) for answers in shown.answers], "passed": list(shown.passed),
        "marks": [
            {"seat": m.seat, "mark": m.name, "value": thaw(m.value), "private": m.private} for m in shown.marks
        ],
        "wins": [_encode(won, {}) for won in ending.wins], "revealed": ending.revealed,
        "waits": [tiles_text(waits) for waits in ending.waits],
        "ended": None if ending.ended is None else _encode(ending.ended, {}),
    }  # fmt: skip


def read_view(plain: Plain) -> TableState:
    """Inverse of `plain_view`: where a client that comes back goes on folding. Raises KeyError or MalformedInput."""
    facts = RoundFacts(
        plain["variant"], tuple([(name, freeze(value)) for name, value in plain["rules"].items()]),
        plain["rules_version"], plain["players"], plain["dealer"], plain["dealt_at_ms"], plain["commitment"],
        tuple(plain["contributions"]),
    )  # fmt: skip
    shown = Shown(
        _read_all(ev.DiceRolled, plain["dice"]), _read_all(ev.TileFlipped, plain["flips"]),
        _read_all(ev.AnswersRevealed, plain["answers"]), tuple(plain["passed"]),
        tuple([Mark(m["seat"], m["mark"], freeze(m["value"]), m["private"]) for m in plain["marks"]]),
    )  # fmt: skip
    ending = Ending(
        _read_all(ev.Won, plain["wins"]), plain["revealed"], tuple([text_tiles(waits) for waits in plain["waits"]]),
        _read_one(ev.RoundEnded, plain["ended"]),
    )  # fmt: skip
    return TableState(
        facts, tuple([_read_seat(seat) for seat in plain["seats"]]), plain["phase"], plain["turn"], plain["left"],
        plain["tick"], freeze(plain["last"]), _read_one(ev.TileLaid, plain["laid"]), _read_all(Line, plain["lines"]),
        shown, ending,
    )  # fmt: skip


def _read_seat(plain: Plain) -> SeatTiles:
    hand = None if plain["hand"] is None else hand_of(text_tiles(plain["hand"]) or ())
    melds = tuple([_read_meld(meld) for meld in plain["melds"]])
    return SeatTiles(hand, plain["count"], plain["drawn"], melds, text_tiles(plain["row"]) or ())


def _read_one(cls: type, plain: Plain | None) -> Any:
    return None if plain is None else _decode(_FORMS[cls], plain)


def _read_all(cls: type, plains: list[Plain]) -> tuple[Any, ...]:
    return tuple([_decode(_FORMS[cls], plain) for plain in plains])
