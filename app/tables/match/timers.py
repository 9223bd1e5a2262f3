"""The clocks of a match that run, as a function of its state: name → seconds. The table arms real clocks by it.

A key that is new is armed, one that is gone is cancelled, one that stays runs on; after an outage of ours all start
afresh. `decide.expire` judges a clock that ran out.
"""

from __future__ import annotations

from typing import Final

from app.kernel.variant import Meta
from app.tables.match.state import MatchState

NEXT_S: Final = 30.0
"""After settlement everybody is made ready (TJ-1.8, GZ-2.8, TS-13.4)."""
KEPT_S: Final = 120.0
"""After the round, a player who left keeps the seat this long."""
HELD_S: Final = 60.0
"""A seat taken over REST waits this long for its person to connect."""
VOTE_S: Final = 60.0
COOL_S: Final = 120.0
PAUSE_S: Final = 600.0
START_S: Final = 1800.0
REMATCH_S: Final = 600.0
DESERTED_S: Final = 600.0
"""With no person connected for this long, the room closes at the next round's end (presence is not in the log)."""


def timers(m: MatchState, meta: Meta) -> dict[str, float]:
    """By name: `ready:seat` `next` `kept:seat` `held:seat` `vote:number` `cool:seat` `pause` `start` `rematch`.

    Nothing while frozen.
    """
    if m.phase == "closed" or m.frozen is not None:
        return {}
    running = {f"cool:{seat}": COOL_S for seat in m.cooling}
    if m.vote is not None:
        running[f"vote:{m.vote.number}"] = VOTE_S
    if m.phase == "waiting":
        running["start"] = START_S
    elif m.phase == "ended":
        running["rematch"] = REMATCH_S
    elif m.phase == "between":
        running.update(_between(m))
    running.update({f"held:{place}": HELD_S for place, seat in enumerate(m.seats) if seat.reserved_ms is not None})
    if m.phase in ("waiting", "between") and meta.auto_ready_s is not None:
        missing = [place for place, seat in enumerate(m.seats) if not seat.ready]
        if len(missing) == 1 and m.seats[missing[0]].arrived and not m.paused:
            running[f"ready:{missing[0]}"] = float(meta.auto_ready_s)
    return running


def _between(m: MatchState) -> dict[str, float]:
    if m.paused:
        return {"pause": PAUSE_S}
    running = {f"kept:{place}": KEPT_S for place, seat in enumerate(m.seats) if seat.left}
    if any(seat.present and not seat.ready for seat in m.seats):
        running["next"] = NEXT_S
    return running


def starts(m: MatchState) -> bool:
    """The one start rule: every seat taken and ready, no player who left, no pause; a rematch needs a person."""
    if m.phase not in ("waiting", "between", "ended") or m.paused or m.frozen is not None or m.vote is not None:
        return False
    if m.phase == "ended" and not any(seat.person is not None for seat in m.seats):
        return False
    return all(seat.ready and not seat.left for seat in m.seats)
