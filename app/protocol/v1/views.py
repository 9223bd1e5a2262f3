"""Views of room, match and table: the parts of `sync`, `events` and `lobby`, typed to the last field.

Types for readers, schema and tests; a table makes plain dicts (`tables/match/view.py`, `kernel/text/notation.py`);
tests hold real frames against these.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct


def _kernel(name: str) -> Meta:
    """A value of the kernel: its schema is the part of that name."""
    return Meta(extra_json_schema={"$ref": f"#/$defs/{name}"})


Event = Annotated[dict[str, Any], _kernel("Event")]
Action = Annotated[dict[str, Any], _kernel("Action")]
Line = Annotated[dict[str, Any], _kernel("Line")]
Meld = Annotated[dict[str, Any], _kernel("Meld")]
Hint = Annotated[dict[str, Any], _kernel("Hint")]
Tile = Annotated[str, _kernel("Tile")]
Tiles = Annotated[str, _kernel("Tiles")]
DiceRolled = Annotated[dict[str, Any], _kernel("DiceRolled")]
TileFlipped = Annotated[dict[str, Any], _kernel("TileFlipped")]
AnswersRevealed = Annotated[dict[str, Any], _kernel("AnswersRevealed")]
TileLaid = Annotated[dict[str, Any], _kernel("TileLaid")]
Won = Annotated[dict[str, Any], _kernel("Won")]
RoundEnded = Annotated[dict[str, Any], _kernel("RoundEnded")]
MarkValue = Annotated[Any, _kernel("Value")]
Seat = Annotated[int, Meta(ge=0, le=3)]
Ms = Annotated[int, Meta(ge=0, description="a duration in milliseconds")]
OptionValue = bool | int | str


class SeatView(Struct):
    """The holder of a seat. `online`: a socket of this person is connected; true for bots."""

    user: str
    name: str
    avatar: str
    bot: bool
    ready: bool
    autoplay: bool
    left: bool
    online: bool
    reserved_ms: Annotated[
        int | None, Meta(description="How long the seat still waits for its person to connect; null: connected once.")
    ] = None
    bot_account: Annotated[bool, Meta(description="A program plays this account, by its owner's word.")] = False


class VoteView(Struct):
    """An open vote (申请解散). `answers` by seat; null: not answered yet."""

    kind: Literal["dissolve"]
    by: Seat
    answers: list[bool | None]
    left_ms: Ms | None


class PauseView(Struct):
    """A pause: `on` once every person asked for it; `asked` by seat."""

    on: bool
    asked: list[bool]
    left_ms: Ms | None


class Ranked(Struct):
    """One line of the final ranking. Equal totals share a rank."""

    seat: Seat
    user: str
    name: str
    total: int
    rank: int


class RoundNets(Struct):
    """Points of one finished round, by seat."""

    round_no: int
    nets: list[int]


class RoundSoFar(Struct):
    """A finished round of the match: how it ended, and its points by seat."""

    round_no: int
    outcome: Literal["won", "exhausted", "void"]
    nets: list[int]


class VoteRefused(Struct):
    """The last vote to dissolve that did not pass: its number, who asked, who said no (empty: the time ran out)."""

    number: int
    by: Seat
    no: list[Seat]


class MatchEnded(Struct):
    """The end of the match. `note`: the message of the operator or circle manager who closed the room."""

    reason: str
    ranking: list[Ranked]
    rounds: list[RoundNets]
    note: str | None = None


class SettingsView(Struct):
    """The table's settings; seconds where the name ends in `_s`, milliseconds where it ends in `_ms`."""

    think_s: int
    claim_s: int
    claim_hold_ms: Ms
    autoplay_after: int
    fill_with_bots: bool
    spectators: Literal["off", "members", "all"]


class KickedView(Struct):
    """A person whom the host sent away."""

    user: str
    name: str


class MatchView(Struct):
    """The match around the round; sent whole whenever an entry changed it. Lists by seat have one place a seat.

    `frozen_note`: what the operator says who stopped the table.
    """

    phase: Literal["waiting", "playing", "between", "ended"]
    round_no: int
    played: int
    rounds: int
    variant: str
    rules: dict[str, OptionValue]
    settings: SettingsView
    host: Seat | None
    seats: list[SeatView | None]
    totals: list[int]
    series: int
    commitment: str | None
    vote: VoteView | None
    pause: PauseView | None
    ended: MatchEnded | None
    match_no: int
    dealer: Seat | None
    rounds_so_far: list[RoundSoFar]
    last_lines: list[Line]
    frozen: bool
    refused: VoteRefused | None = None
    kicked: list[KickedView] = []
    """The people whom the host sent away, and may let in again."""
    unranked: bool = False
    """The room is a ranked one, but its rounds do not count: two people here share a network, device or circle."""
    frozen_note: str | None = None


class RoomView(Struct):
    """The room as its people see it."""

    id: str
    code: str
    variant: str
    circle: str | None
    host_name: str
    spectators: Literal["off", "members", "all"]
    ranked: bool


class Me(Struct):
    """The receiver: their seat, or null for a spectator."""

    seat: Seat | None
    user: str | None = None
    auto_win: bool = False


class SeatTilesView(Struct):
    """A seat's tiles. `hand` null: hidden, `count` tiles; `drawn`: the tile drawn last, while it is in the hand."""

    hand: Tiles | None
    count: int
    drawn: Tile | None
    melds: list[Meld]
    row: Tiles


class MarkView(Struct):
    """A fact of one game; `seat` null concerns all. Private ones are sent to their seat only."""

    seat: Seat | None
    mark: str
    value: MarkValue
    private: bool


class TableView(Struct):
    """The round's table as this viewer sees it; events fold onto it (see README.md, "Fold")."""

    variant: str
    rules: dict[str, OptionValue]
    rules_version: int
    players: Annotated[int, Meta(ge=2, le=4)]
    dealer: Seat
    dealt_at_ms: int
    commitment: str
    contributions: list[str]
    seats: list[SeatTilesView]
    phase: Literal["deal", "answers", "opening", "turn", "over"]
    turn: Seat | None
    left: int
    tick: int
    last: tuple[int, Tile] | None
    laid: TileLaid | None
    lines: list[Line]
    points: list[int]
    dice: list[DiceRolled]
    flips: list[TileFlipped]
    answers: list[AnswersRevealed]
    passed: list[Seat]
    marks: list[MarkView]
    wins: list[Won]
    revealed: bool
    waits: list[Tiles | None]
    ended: RoundEnded | None


class Person(Struct):
    """A player in a list of rooms. `bot_account`: a program plays this account."""

    user: str
    name: str
    avatar: str
    bot_account: bool = False


class LobbyRoom(Struct):
    """A room in a list of rooms. Lists by seat have one place a seat."""

    id: str
    code: str
    variant: str
    phase: Literal["waiting", "playing", "between", "ended", "closed"]
    round_no: int
    played: int
    rounds: int
    host: str | None
    seats: list[Person | None]
    bots: list[bool]
    online: list[bool]
    spectators: int
    circle: str | None
    reserved: Annotated[
        list[int | None], Meta(description="Since when (ms since 1970) a seat waits for its person to connect.")
    ]
    watched_by: Annotated[
        Literal["off", "members", "all"], Meta(description="Who may watch: the room's setting `spectators`.")
    ] = "off"


class MeChange(Struct):
    """A change for the receiver alone."""

    auto_win: bool
