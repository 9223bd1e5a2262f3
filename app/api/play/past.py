"""Bodies of finished play, and of the ladder. Shapes only."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from app.rest.bodies import ResponseBody

_SERIES = Field(
    description="The series (局, TJ-2.1) of the match: 1, and one more after each reset. Null: stored before this was."
)


class SeatResultOut(ResponseBody):
    """One seat of a round. `facts`: what the variant states about this seat (天津 for one: `pull`)."""

    seat: int
    user_id: str | None = Field(description="Null for a bot.")
    name: str
    avatar: str
    bot: bool
    bot_account: bool = Field(False, description="A program plays this account, by its owner's word.")
    net: int
    won: bool
    patterns: list[str]
    facts: dict[str, Any]


class LedgerLineOut(ResponseBody):
    """Seat `source` pays `points` to seat `target`, because of `reason`, by rule `clause`."""

    n: int
    reason: str = Field(examples=["win"])
    clause: str = Field(examples=["TJ-13.1"])
    source: int
    target: int
    points: int
    detail: list[Any] = Field(examples=[[["zhuo_wu", 3]]])


class RoundResultOut(ResponseBody):
    """A finished round. `outcome`: won, exhausted (荒庄), void, or failed."""

    id: str = Field(examples=["7k2m9qv4c0x1b8nd.1.3"])
    match_id: str
    round_no: int
    series: int | None = _SERIES
    circle_id: str | None
    variant: str
    rules_version: int | None
    rules: dict[str, Any]
    dealer: int
    outcome: str
    ranked: bool
    started_at: datetime
    ended_at: datetime
    facts: dict[str, Any] = Field(description="The variant's facts about the round (天津 for one: `sit`).")
    seats: list[SeatResultOut]


class RoundDetailOut(RoundResultOut):
    """A round with every line of its ledger: each seat's net is the sum of its lines."""

    lines: list[LedgerLineOut]


class MyRoundOut(ResponseBody):
    """One of my rounds, for a list."""

    id: str
    match_id: str
    round_no: int
    series: int | None = _SERIES
    variant: str
    circle_id: str | None
    outcome: str
    ranked: bool
    ended_at: datetime
    seat: int
    dealer: bool
    net: int
    won: bool
    patterns: list[str]


class MatchLineOut(ResponseBody):
    """A match, for a list. `rounds` counts those that are not void; `net` is mine, null in a circle's list."""

    id: str
    room_id: str
    variant: str
    circle_id: str | None
    started_at: datetime
    ended_at: datetime | None
    end_reason: str | None
    rounds: int
    net: int | None


class MatchDetailOut(ResponseBody):
    """A match with its rounds."""

    id: str
    room_id: str
    variant: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    circle_id: str | None
    ranked: bool
    started_at: datetime
    ended_at: datetime | None
    end_reason: str | None
    rounds: list[RoundResultOut]


class DealingOut(ResponseBody):
    """Dealer, 坐庄 and 拉庄 of one seat in one round: what the variant states about both."""

    round_id: str
    match_id: str
    round_no: int
    series: int | None = _SERIES
    variant: str
    circle_id: str | None
    outcome: str
    ended_at: datetime
    seat: int
    user_id: str | None
    is_dealer: bool
    won: bool
    net: int
    round_facts: dict[str, Any]
    seat_facts: dict[str, Any]


class FavouriteOut(ResponseBody):
    """The pattern (番) that a player won with most often."""

    pattern: str
    times: int


class BiggestOut(ResponseBody):
    """The round that brought a player the most points."""

    round_id: str
    net: int


class StatisticsOut(ResponseBody):
    """Sums over the rounds of one variant; void rounds count nowhere."""

    variant: str
    rounds: int
    wins: int
    win_rate: float
    dealer_rounds: int
    net: int
    favourite: FavouriteOut | None
    biggest: BiggestOut | None


class StatisticsListOut(ResponseBody):
    """One row per variant that was played."""

    items: list[StatisticsOut]


class PlayerOut(ResponseBody):
    """The public record of one player in one game. Without a ladder in that game the level is null."""

    user: str
    rounds: int
    win_rate: float = Field(description="Won rounds of all rounds, 0 to 1.")
    level: int | None
    level_name: str | None = Field(examples=["三万"])


class PlayersOut(ResponseBody):
    """One row for each player with a seat."""

    items: list[PlayerOut]


class MyRoundsOut(ResponseBody):
    """A page of rounds."""

    items: list[MyRoundOut]
    cursor: str | None = Field(description="The `cursor` of the next page; null at the end.")


class MatchesOut(ResponseBody):
    """A page of matches."""

    items: list[MatchLineOut]
    cursor: str | None


class DealingsOut(ResponseBody):
    """A page of seats in rounds."""

    items: list[DealingOut]
    cursor: str | None


class RecordOut(ResponseBody):
    """A record (牌谱): all that is needed to replay and to verify a round."""

    record: dict[str, Any]


class MatchFileOut(ResponseBody):
    """A match to take along: `mj replay` and `mj verify` read it. It names nobody."""

    format: int = Field(examples=[1])
    match: str = Field(description="A name for this match, not its id.", examples=["9f2c4e5a7b1d3f60"])
    variant: str
    records: list[dict[str, Any]] = Field(
        description="Of all rounds that have one, in order.", examples=[[{"format": 2}]]
    )


class ShareCodeOut(ResponseBody):
    """Anybody with the code may read the record."""

    code: str = Field(examples=["h4k9m2wpqx7c"])


class SharedRecordOut(ResponseBody):
    """The record behind a share code."""

    round: RoundDetailOut
    record: dict[str, Any]


class StandingOut(ResponseBody):
    """A place on a ladder. Equal points share a rank."""

    rank: int
    user_id: str
    name: str
    avatar: str
    points: int
    level: int
    level_name: str = Field(examples=["三万"])


class LadderOut(ResponseBody):
    """The best of a board. `season`: `total` or a calendar quarter of Asia/Shanghai, whose board ranks the gain."""

    variant: str
    season: str = Field(examples=["2026Q4"])
    items: list[StandingOut]


class MyStandingOut(ResponseBody):
    """My place, my neighbours, my level (which is always by the total). Null: nothing played for this board."""

    variant: str
    season: str
    level: int
    level_name: str
    points: int = Field(description="The running total.")
    me: StandingOut | None
    neighbours: list[StandingOut]
