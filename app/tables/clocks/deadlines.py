"""Seconds of each kind of question at a table, by the variant's names of clocks."""

from __future__ import annotations

from typing import Final

from app.kernel.play.decisions import Decision
from app.kernel.variant import Meta
from app.tables.settings import TableSettings

GRACE_S: Final = 3.0
"""Added to every clock that starts afresh after an outage of ours: people have to look again."""
UNWRITTEN_S: Final = 2.0
"""A prompt's clock waits for its prompt to be written, but never longer than this."""
LATE_S: Final = 1.0
"""A deadline that is handled so much too late was delayed by us: all clocks start afresh instead."""
STALL_S: Final = 1.0
"""A store call that takes longer is an outage of ours; meanwhile the table sends "saving"."""
_FORCED_S: Final = 1.0
_ANSWER_S: Final = 10.0


def seconds(decision: Decision, settings: TableSettings, meta: Meta) -> float:
    """`turn` and `claim` are the room's, `hold` the room's in ms, the rest the variant's (GZ-10.3: forced 1 s)."""
    match decision.clock:
        case "turn":
            return float(settings.think_s)
        case "claim":
            return float(settings.claim_s)
        case "hold":
            return settings.claim_hold_ms / 1000
        case "forced":
            return float(meta.clocks.get("forced", _FORCED_S))
        case _:
            return float(meta.clocks.get(decision.clock, _ANSWER_S))


def grace(decision: Decision) -> float:
    """Extra seconds after an outage; the clocks that nobody thinks under get none."""
    return 0.0 if decision.clock in ("hold", "forced") else GRACE_S
