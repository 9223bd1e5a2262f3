"""Public view of a match: the protocol's MatchView and RoomView as plain dicts. Nothing private, no seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.kernel.variant import rule_pairs
from app.tables.match.state import MatchState

Plain = dict[str, Any]
LeftMs = Callable[[str], int | None]
"""Milliseconds left on a match clock, by its key; None when it does not run."""


def match_view(m: MatchState, rules: Any, online: Sequence[bool], left_ms: LeftMs) -> Plain:
    """MatchView, whole. `online` by seat; clocks as durations."""
    return {
        "phase": "ended" if m.phase == "closed" else m.phase,
        "round_no": m.round_no, "match_no": m.match_no, "played": m.played, "rounds": rules.rounds,
        "variant": m.spec.variant, "rules": _rules(rules), "settings": _settings(m), "host": m.host_seat,
        "seats": [_seat(m, place, online[place], left_ms) for place in range(len(m.seats))],
        "totals": list(m.totals), "series": m.series, "dealer": m.dealer, "commitment": m.commitment,
        "vote": _vote(m, left_ms), "refused": _refused(m), "pause": _pause(m, left_ms), "ended": _ended(m),
        "rounds_so_far": [{"round_no": r.round_no, "outcome": r.outcome, "nets": list(r.nets)} for r in m.rounds],
        "last_lines": list(m.last_lines), "frozen": m.frozen is not None,
        "kicked": [{"user": kick.user, "name": kick.name} for kick in m.kicks],
        "unranked": m.spec.ranked and not m.counts,
        "frozen_note": m.frozen or None,
    }  # fmt: skip


def room_view(m: MatchState) -> Plain:
    """RoomView: the part that does not change while the table runs."""
    spec = m.spec
    return {
        "id": spec.table_id, "code": spec.code, "variant": spec.variant, "circle": spec.circle,
        "host_name": spec.host_name, "spectators": spec.settings.spectators, "ranked": spec.ranked,
    }  # fmt: skip


def _rules(rules: Any) -> Mapping[str, Any]:
    return dict(rule_pairs(rules))


def _settings(m: MatchState) -> Plain:
    s = m.spec.settings
    return {
        "think_s": s.think_s, "claim_s": s.claim_s, "claim_hold_ms": s.claim_hold_ms,
        "autoplay_after": s.autoplay_after, "fill_with_bots": s.fill_with_bots, "spectators": s.spectators,
    }  # fmt: skip


def _seat(m: MatchState, place: int, online: bool, left_ms: LeftMs) -> Plain | None:
    s = m.seats[place]
    if s.empty:
        return None
    user, name, avatar = (s.person.user, s.person.name, s.person.avatar) if s.person else ("", f"机器人{place + 1}", "")
    return {
        "user": user, "name": name, "avatar": avatar, "bot": s.bot, "ready": s.ready, "autoplay": s.autoplay,
        "left": s.left, "online": s.bot or online, "bot_account": s.person is not None and s.person.bot_account,
        "reserved_ms": None if s.reserved_ms is None else left_ms(f"held:{place}"),
    }  # fmt: skip


def _vote(m: MatchState, left_ms: LeftMs) -> Plain | None:
    if m.vote is None:
        return None
    answers = [
        True if answer is None and not seat.arrived else answer
        for answer, seat in zip(m.vote.answers, m.seats, strict=True)
    ]
    return {
        "kind": "dissolve", "by": m.vote.by, "answers": answers, "left_ms": left_ms(f"vote:{m.vote.number}"),
    }  # fmt: skip


def _refused(m: MatchState) -> Plain | None:
    """Shows every viewer the seats that did not agree; an empty `no`: the time ran out."""
    if m.refused is None:
        return None
    no = [seat for seat, answer in enumerate(m.refused.answers) if answer is False]
    return {"number": m.refused.number, "by": m.refused.by, "no": no}


def _pause(m: MatchState, left_ms: LeftMs) -> Plain | None:
    if not m.paused and not any(m.pause_asked):
        return None
    return {"on": m.paused, "asked": list(m.pause_asked), "left_ms": left_ms("pause")}


def _ended(m: MatchState) -> Plain | None:
    if m.over is None and m.closed is None:
        return None
    return {
        "reason": m.closed if m.over is None else m.over.reason,
        "ranking": [
            {"seat": r.seat, "user": r.user, "name": r.name, "total": r.total, "rank": r.rank}
            for r in (m.over.ranking if m.over else ())
        ],
        "rounds": [{"round_no": r.round_no, "nets": list(r.nets)} for r in m.rounds],
        "note": m.note,
    }  # fmt: skip
