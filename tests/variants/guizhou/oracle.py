"""A second, slow evaluator of 贵州捉鸡, written from the rules text by other means, to disagree with the fast one.

Tiles are text in lists, hands are taken apart by brute force, settlement walks the formulas of RULES.md pair by pair on
the plain entries of a case file. It shares nothing with `app.variants.guizhou`.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

Entry = dict[str, Any]

KINDS = [f"{rank}{suit}" for suit in "ps" for rank in range(1, 10)]
VALUES = {
    "ping_hu": 1, "da_dui_zi": 5, "qi_dui": 10, "long_qi_dui": 20, "qing_yi_se": 10, "qing_da_dui": 15,
    "qing_qi_dui": 20, "qing_long_bei": 30, "dan_diao": 10, "qing_dan_diao": 20,
}  # fmt: skip
DEFAULTS: Entry = {
    "zimo_double": True, "up_down_chicken": False, "wugu": False, "weekday_chicken": False, "self_chicken": False,
    "full_chicken": False, "bao_chicken": False, "base": 1, "rounds": 8, "tian_ting_bonus": 10, "sha_ting_bonus": 10,
    "tian_hu_bonus": 10, "di_hu_bonus": 10, "hot_factor": 2,
}  # fmt: skip


def spell(text: str) -> list[str]:
    """mpsz text into single tiles."""
    tiles: list[str] = []
    ranks = ""
    for sign in text:
        if sign in "ps":
            tiles += [rank + sign for rank in ranks]
            ranks = ""
        else:
            ranks += sign
    return tiles


def divisions(tiles: list[str]) -> Iterator[list[list[str]]]:
    """Every way to divide sorted tiles into sets of three: triplets and runs."""
    if not tiles:
        yield []
        return
    first = tiles[0]
    rank, suit = int(first[0]), first[1]
    for group in ([first] * 3, [first, f"{rank + 1}{suit}", f"{rank + 2}{suit}"]):
        rest = list(tiles)
        try:
            for tile in group:
                rest.remove(tile)
        except ValueError:
            continue
        for division in divisions(rest):
            yield [group, *division]


def readings(tiles: list[str], tile: str | None, melds: list[list[str]]) -> Iterator[str]:
    """Names of all patterns that the 14 tiles can be read as; `tiles` concealed, the winning one included."""
    if len(tiles) + 3 * len(melds) != 14:
        return
    tiles = sorted(tiles, key=KINDS.index)
    pure = len({t[1] for t in tiles} | {t[1] for meld in melds for t in meld}) == 1
    counts = Counter(tiles)
    if not melds and all(copies in (2, 4) for copies in counts.values()):
        dragon = tile is not None and counts[tile] == 4
        yield {(0, 0): "qi_dui", (1, 0): "long_qi_dui", (0, 1): "qing_qi_dui", (1, 1): "qing_long_bei"}[dragon, pure]
    for pair in [kind for kind in counts if counts[kind] >= 2]:
        rest = list(tiles)
        rest.remove(pair)
        rest.remove(pair)
        if len(melds) == 4:
            yield "qing_dan_diao" if pure else "dan_diao"
            continue
        for division in divisions(rest):
            if all(len(set(group)) == 1 for group in division):
                yield "qing_da_dui" if pure else "da_dui_zi"
            yield "qing_yi_se" if pure else "ping_hu"


def pattern(tiles: list[str], tile: str | None, melds: list[list[str]]) -> str | None:
    """The reading of highest value."""
    return max(readings(tiles, tile, melds), key=VALUES.__getitem__, default=None)


def waits(hand: list[str], melds: list[list[str]]) -> list[str]:
    """Kinds that complete the hand, of which the player does not own all four."""
    owned = Counter(hand + [tile for meld in melds for tile in meld])
    return [kind for kind in KINDS if owned[kind] < 4 and pattern([*hand, kind], kind, melds)]


def best(hand: list[str], melds: list[list[str]]) -> int:
    """The highest value over the waits, 0 when not ready."""
    found = [pattern([*hand, kind], kind, melds) for kind in waits(hand, melds)]
    return max([VALUES[name] for name in found if name], default=0)


def settle(entry: Entry) -> Entry:
    """The whole settlement of a plain case, as a table of payments by reason."""
    table = Settlement(entry)
    table.book()
    return table.result()


class Settlement:
    """One case on its way to an answer."""

    def __init__(self, entry: Entry) -> None:
        self.n = entry["players"]
        self.rules = {**DEFAULTS, **entry["rules"]}
        self.dealer, self.weekday, self.flip = entry["dealer"], entry["setup"]["weekday"], entry["flip"]
        self.end = entry["end"]
        self.hands = [spell(seat["hand"]) for seat in entry["seats"]]
        self.melds = [seat["melds"] for seat in entry["seats"]]
        self.meld_tiles = [[spell(meld["tiles"]) for meld in melds] for melds in self.melds]
        self.rows = [spell(seat["river"]) for seat in entry["seats"]]
        self.declared = [seat["declared_ready"] for seat in entry["seats"]]
        self.firsts = entry["events"]["first_discards"]
        self.winners = {w["seat"]: w for w in self.end.get("winners", [])}
        self.ready = [
            seat in self.winners or bool(waits(self.hands[seat], self.meld_tiles[seat])) for seat in range(self.n)
        ]
        reasons = ("hand", "bean", "chicken", "bao", "duty", "check")
        self.paid = {reason: [[0] * self.n for _ in range(self.n)] for reason in reasons}

    def book(self) -> None:
        """All payments, for each ordered pair of players."""
        for a, b in permutations(range(self.n), 2):
            if self.end["kind"] == "exhausted":
                if self.ready[b] and not self.ready[a]:
                    self.paid["check"][a][b] = (
                        best(self.hands[b], self.meld_tiles[b]) + self.rules["tian_ting_bonus"] * self.declared[b]
                    )
                continue
            self.paid["hand"][a][b] = self.hand_points(a, b)
            self.paid["bean"][a][b] = self.bean_points(a, b)
            self.paid["chicken"][a][b] = self.chicken_points(b) if self.ready[b] else 0
            self.paid["bao"][a][b] = self.bao_points(a) if self.ready[b] and not self.ready[a] else 0
            self.paid["duty"][a][b] = self.duty_points(a, b)

    def hand_points(self, a: int, b: int) -> int:
        """The payment of a to winner b for b's hand."""
        win = self.winners.get(b)
        if win is None or (self.end["from"] is not None and a != self.end["from"]):
            return 0
        heaven = self.end["heaven"]
        tiles = [*self.hands[b], *spell(win["tile"])]
        name = pattern(tiles, None if heaven else win["tile"], self.meld_tiles[b])
        assert name
        points = VALUES[name] + self.rules["tian_ting_bonus"] * self.declared[b]
        points += self.rules["tian_hu_bonus"] * heaven + self.rules["di_hu_bonus"] * win.get("earth", self.end["earth"])
        points += self.rules["sha_ting_bonus"] * self.declared[a]
        if self.end["by"] in ("draw", "kong_draw") and self.rules["zimo_double"]:
            points *= 2
        return points * self.rules["hot_factor"] if self.end["hot"] else points

    def bean_points(self, a: int, b: int) -> int:
        """The payment of a to b for b's kongs."""
        points = 0
        for meld in self.melds[b] if self.ready[b] else []:
            if meld["kind"] in ("kong_concealed", "kong_added") or (
                meld["kind"] == "kong_exposed" and meld["from"] == a
            ):
                points += 3
        return points

    def flips(self) -> set[str]:
        """翻鸡 kinds."""
        if self.flip is None:
            return set()
        rank, suit = int(self.flip[0]), self.flip[1]
        up = {9: 1}.get(rank, rank + 1)
        down = {1: 9}.get(rank, rank - 1)
        return {f"{up}{suit}", f"{down}{suit}"} if self.rules["up_down_chicken"] else {f"{up}{suit}"}

    def defaults(self) -> dict[str, int]:
        """Default kinds and the unit of each."""
        units = {"1s": 1, "8p": 2} if self.rules["wugu"] else {"1s": 1}
        return {kind: unit * 2 if kind in self.flips() else unit for kind, unit in units.items()}

    def others(self) -> set[str]:
        """All other chicken kinds."""
        kinds = set(self.flips())
        if self.rules["self_chicken"] and self.flip:
            kinds.add(self.flip)
        if self.rules["weekday_chicken"]:
            kinds |= {f"{self.weekday}s", f"{self.weekday}p"}
        return kinds - set(self.defaults())

    def charged(self, seat: int) -> list[str]:
        """Kinds of which the seat threw the 冲锋鸡."""
        return [
            first["tile"]
            for first in self.firsts
            if first["seat"] == seat and not first["claimed_by"] and first["tile"] in self.defaults()
        ]

    def chicken_points(self, seat: int) -> int:
        """A ready seat's income from each other: tile by tile."""
        own = self.hands[seat] + [tile for meld in self.meld_tiles[seat] for tile in meld]
        if seat in self.winners:
            own = [*own, self.winners[seat]["tile"]]
        charged, points = self.charged(seat), 0
        for place, tile in enumerate([*own, *self.rows[seat]]):
            in_row = place >= len(own)
            if tile in self.defaults():
                unit = self.defaults()[tile]
                if in_row and tile in charged:
                    charged.remove(tile)
                    unit *= 2
                points += unit
            elif tile in self.others() and (not in_row or self.rules["full_chicken"]):
                points += 1
        return points

    def bao_points(self, seat: int) -> int:
        """The payment of a seat that is not ready to each ready one: 冲锋 always, other exposed ones with 包鸡."""
        charged = self.charged(seat)
        points = sum(2 * self.defaults()[tile] for tile in charged)
        if self.rules["bao_chicken"]:
            exposed = list(self.rows[seat])
            for tile in charged:
                exposed.remove(tile)
            for meld, tiles in zip(self.melds[seat], self.meld_tiles[seat], strict=True):
                if meld["kind"] != "kong_concealed" and meld.get("late_kind") != "concealed":
                    exposed += tiles
            points += sum(self.defaults().get(tile, 0) for tile in exposed)
        return points

    def duty_points(self, a: int, b: int) -> int:
        """责任鸡 from discarder a to claimant b."""
        return sum(
            {"1s": 1, "8p": 2}[first["tile"]]
            for first in self.firsts
            if first["tile"] in self.defaults() and first["seat"] == a and b in first["claimed_by"] and self.ready[b]
        )

    def next_dealer(self) -> int:
        """GZ-2.3, GZ-2.4, GZ-2.5."""
        if not self.winners:
            return int(self.dealer)
        return next(iter(self.winners)) if len(self.winners) == 1 else int(self.end["from"])

    def result(self) -> Entry:
        """The keys of `expect`, and readiness."""
        components = {
            reason: [sum(paid[other][seat] for other in range(self.n)) - sum(paid[seat]) for seat in range(self.n)]
            for reason, paid in self.paid.items()
        }
        net = [self.rules["base"] * sum(part[seat] for part in components.values()) for seat in range(self.n)]
        return {"components": components, "net": net, "next_dealer": self.next_dealer(), "ready": self.ready}
