"""Events of a round: past-tense facts, frozen, so complete that neither `evolve` nor a client has to judge.

The vocabulary is closed and shared by all games; a fact of one game only is a `Marked`.
Secret fields are optional and come after the public ones; `views.faces` is the only code that hides them.
`source_seat` is the seat a tile came from. `left` is the number of tiles that can still be drawn.
"""

from __future__ import annotations

from typing import Literal

from app.kernel.actions import Action
from app.kernel.immutable import immutable
from app.kernel.ledger import Detail, Line
from app.kernel.melds import Meld, MeldKind
from app.kernel.tiles import Tile

Tiles = tuple[Tile, ...]
Value = bool | int | str | None | tuple["Value", ...]
Source = Literal["own", "row", "laid"]
Origin = Literal["draw", "discard", "rob_kong", "rob_xi", "kong_draw"]
Outcome = Literal["won", "exhausted", "void"]
Phase = Literal["deal", "answers", "opening", "turn", "over"]


@immutable
class RoundStarted:
    """First event of every round. Secret until the end: wall, dice, seed. `rules` are the options as pairs."""

    variant: str
    rules: tuple[tuple[str, Value], ...]
    rules_version: int
    players: int
    dealer: int
    dealt_at_ms: int
    commitment: str
    contributions: tuple[str, ...]
    wall: Tiles | None = None
    dice: tuple[int, ...] | None = None
    seed: str | None = None


@immutable
class PhaseBegan:
    """The round enters a phase; `seat` is to move in it (None: all at once)."""

    phase: Phase
    seat: int | None
    left: int


@immutable
class DiceRolled:
    """A seat rolled dice in the open."""

    seat: int
    faces: tuple[int, ...]
    purpose: Literal["break", "indicator"]


@immutable
class HandDealt:
    """One seat's dealt tiles, `drawn` (dealer only) included. Others see the count."""

    seat: int
    count: int
    tiles: Tiles = ()
    drawn: Tile | None = None


@immutable
class TileFlipped:
    """A wall tile is turned for all to see and belongs to nobody."""

    role: Literal["indicator", "flip"]
    tile: Tile
    left: int


@immutable
class TileDrawn:
    """A seat took a tile and is to move. Others see that it did."""

    seat: int
    end: Literal["head", "tail"]
    replacement: bool
    left: int
    tile: Tile | None = None


@immutable
class TileDiscarded:
    """A tile goes to the seat's row. Never says whether it was the drawn one. Ends its log entry."""

    seat: int
    tile: Tile


@immutable
class TileLaid:
    """A tile is put down to extend meld number `meld` to `kind` and may now be robbed. Ends its log entry."""

    seat: int
    meld: int
    tile: Tile
    kind: MeldKind


@immutable
class TileRobbed:
    """The laid tile was taken by `takers`; the meld stays as it was. Won: it stays laid. Ponged: MeldMade follows."""

    seat: int
    tile: Tile
    takers: tuple[int, ...]
    use: Literal["win", "pong"]


@immutable
class MeldMade:
    """A new meld number `meld` of the seat. `source` says where `taken` lay (own: nothing taken).

    Others see a face-down one as backs.
    """

    seat: int
    meld: int
    kind: MeldKind
    count: int
    source: Source
    source_seat: int | None = None
    taken: Tile | None = None
    face_down: bool = False
    tiles: Tiles = ()


@immutable
class MeldExtended:
    """Meld number `meld` became `kind` by one more tile and is open from now on (a cover is revealed).

    `source` says where the tile lay: the owner's hand, another's row, or laid by the owner and not robbed.
    """

    seat: int
    meld: int
    kind: MeldKind
    count: int
    tile: Tile
    source: Source
    tiles: Tiles
    source_seat: int | None = None


@immutable
class Answered:
    """A seat's final answer in a window, seen by this seat alone. `declined_win`: a win was offered and not taken."""

    seat: int
    action: Action
    declined_win: bool = False


@immutable
class HoldEnded:
    """The window's minimum length is over. Seen by nobody."""


@immutable
class AnswersRevealed:
    """Answers given in secret are shown together, by seat."""

    what: Literal["sit_pull"]
    values: tuple[bool | int, ...]


@immutable
class SeatPassed:
    """The seat is done with the opening; chosen or automatic, nobody can tell."""

    seat: int


@immutable
class Marked:
    """A fact only one game knows, as a whole new value (None clears). `private`: for its seat alone."""

    seat: int | None
    mark: str
    value: Value
    private: bool = False


@immutable
class PointsMoved:
    """Ledger lines booked now."""

    lines: tuple[Line, ...]


@immutable
class Reading:
    """The scored reading of a winning hand. `patterns` with amounts; `value`: fan, or one payer's points, before base.

    `groups` are texts such as `4m W(5m) *6m`: W(x) a wild playing x, * the winning tile; laid melds are left out.
    """

    patterns: Detail
    value: int
    groups: tuple[str, ...] = ()


@immutable
class Won:
    """One winner (in turn order). The tile stays where it lies. `points`: what one payer owes by the hand."""

    seat: int
    tile: Tile | None
    origin: Origin
    source_seat: int | None
    points: int
    reading: Reading


@immutable
class HandsRevealed:
    """All concealed tiles, all melds and waits (None: not ready or not asked) by seat; only when the round is over."""

    hands: tuple[Tiles, ...]
    melds: tuple[tuple[Meld, ...], ...]
    waits: tuple[Tiles | None, ...]


@immutable
class RoundEnded:
    """Last event of every round. `next_dealer` is the whole succession; seed and wall open the commitment."""

    outcome: Outcome
    winners: tuple[int, ...]
    next_dealer: int
    seed: str
    wall: Tiles


Event = (
    RoundStarted
    | PhaseBegan
    | DiceRolled
    | HandDealt
    | TileFlipped
    | TileDrawn
    | TileDiscarded
    | TileLaid
    | TileRobbed
    | MeldMade
    | MeldExtended
    | Answered
    | HoldEnded
    | AnswersRevealed
    | SeatPassed
    | Marked
    | PointsMoved
    | Won
    | HandsRevealed
    | RoundEnded
)
