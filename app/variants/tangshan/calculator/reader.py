"""Fields that several lists share: the table size, the options, a category of xi."""

from __future__ import annotations

from typing import Final, cast

from app.kernel.text.fields import CaseReader
from app.variants.tangshan.rules import FOUR, Rules, parse_rules
from app.variants.tangshan.xi import XI, Xi

TABLE_SIZES: Final = (2, 3, 4)
MELD_FIELDS: Final = ("do", "tile", "tiles", "xi")


class TangshanCase(CaseReader):
    """An object of a case file of 大唐撸麻雀儿."""

    def players(self, default: int | None = None) -> int:
        """The table size, two to four."""
        if default is not None and "players" not in self.raw:
            return default
        return self.number("players", min(TABLE_SIZES), max(TABLE_SIZES))

    def rules(self, players: int) -> Rules:
        """The room options, defaults filled in."""
        return self.options(parse_rules, players, default={})

    def xi(self) -> Xi:
        """The category that the field `xi` names (TS-7.1)."""
        return cast(Xi, self.word("xi", XI))

    def four_players_only(self, players: int) -> None:
        """Refuse chow and pair claim at smaller tables (TS-1.4)."""
        if players != FOUR:
            raise self.wrong("do", "chow and pair claim exist at four-player tables only (TS-1.4)")
