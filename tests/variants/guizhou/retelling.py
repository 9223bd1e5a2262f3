"""A finished live round rewritten as a plain case entry, from its events alone, for the oracle to settle.

Reads events as a bystander with all hands open would; asks neither the machine's state nor its marks.
"""

from typing import Any

from app.kernel import events as ev
from app.kernel.melds import Meld

Entry = dict[str, Any]


def retell(events: list[ev.Event]) -> Entry:
    """The case that the round's events describe. The last event must be the end of a round that was not void."""
    started, shown, ended = events[0], _last(events, ev.HandsRevealed), events[-1]
    assert isinstance(started, ev.RoundStarted) and isinstance(ended, ev.RoundEnded)
    wins = [event for event in events if isinstance(event, ev.Won)]
    flips = [event.tile for event in events if isinstance(event, ev.TileFlipped)]
    rules = {name: value for name, value in started.rules if name not in ("players", "rounds")}
    days = (started.dealt_at_ms // 1000 + 8 * 3600) // 86400
    hands = [list(hand) for hand in shown.hands]
    tile = None
    if wins:
        tile = wins[0].tile or hands[wins[0].seat][-1]
        if wins[0].source_seat is None:
            hands[wins[0].seat].remove(tile)
    seats = [
        {
            "hand": "".join(hand),
            "melds": [_plain(meld) for meld in melds],
            "river": "".join(row),
            "declared_ready": any(_declares(event, seat) for event in events),
        }
        for seat, (hand, melds, row) in enumerate(zip(hands, shown.melds, _rows(events, started.players), strict=True))
    ]
    end: Entry = {"kind": "exhausted"}
    if wins:
        end = {
            "kind": "win",
            "by": wins[0].origin,
            "from": wins[0].source_seat,
            "hot": wins[0].origin == "discard" and _hot(events),
            "heaven": wins[0].tile is None,
            "earth": False,
            "winners": [{"seat": w.seat, "tile": tile, "earth": _untouched(events, started, w.seat)} for w in wins],
        }
    return {
        "players": started.players,
        "dealer": started.dealer,
        "rules": rules,
        "setup": {"weekday": (days + 3) % 7 + 1},
        "seats": seats,
        "events": {"first_discards": [first for kind in ("1s", "8p") if (first := _first(events, kind))]},
        "flip": flips[0] if flips else None,
        "end": end,
    }


def _last(events: list[ev.Event], kind: type) -> Any:
    return [event for event in events if type(event) is kind][-1]


def _declares(event: ev.Event, seat: int) -> bool:
    return isinstance(event, ev.Marked) and event.mark == "declared_ready" and event.seat == seat


def _plain(meld: Meld) -> Entry:
    plain: Entry = {"kind": meld.kind, "tiles": "".join(meld.tiles), "from": meld.source_seat}
    return plain | ({"late_kind": "concealed" if meld.face_down else "added"} if meld.kind == "kong_late" else {})


def _claimants(events: list[ev.Event], place: int) -> list[int]:
    """The takers of the discard at `place`: all that melded or won it before the next draw, discard or laid tile."""
    takers: list[int] = []
    for event in events[place + 1 :]:
        if isinstance(event, ev.TileDrawn | ev.TileDiscarded | ev.TileLaid):
            break
        if (isinstance(event, ev.MeldMade) and event.source == "row") or isinstance(event, ev.Won):
            takers.append(event.seat)
    return takers


def _rows(events: list[ev.Event], players: int) -> list[list[str]]:
    rows: list[list[str]] = [[] for _ in range(players)]
    for place, event in enumerate(events):
        if isinstance(event, ev.TileDiscarded) and not _claimants(events, place):
            rows[event.seat].append(event.tile)
    return rows


def _first(events: list[ev.Event], kind: str) -> Entry | None:
    for place, event in enumerate(events):
        if isinstance(event, ev.TileDiscarded) and event.tile == kind:
            takers = _claimants(events, place)
            return {"tile": kind, "seat": event.seat, "claimed_by": takers, "claim": "claimed" if takers else None}
    return None


def _hot(events: list[ev.Event]) -> bool:
    """The last discard was its player's first since they extended a 碰."""
    *earlier, last = [event for event in events if isinstance(event, ev.TileDiscarded | ev.MeldExtended)]
    return bool(earlier) and isinstance(earlier[-1], ev.MeldExtended) and earlier[-1].seat == last.seat


def _untouched(events: list[ev.Event], started: ev.RoundStarted, seat: int) -> bool:
    acts = (ev.TileDiscarded, ev.MeldMade)
    return seat != started.dealer and not any(isinstance(event, acts) and event.seat == seat for event in events)
