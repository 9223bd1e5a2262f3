"""Texts of 大唐撸麻雀儿 for people who learn it, in two languages. Sentences only; the rules are in `RULES.md`."""

from __future__ import annotations

from typing import Final

from app.kernel.play.decisions import Clock
from app.kernel.words import Explained, Silence, Text, Words

_REASONS: Final = {
    "opening": Text(
        "开牌时只能亮喜和扣：不能胡、杠、补喜。", "The opening is for lighting and covering: no win, kong or addition."
    ),
    "after_claim": Text("吃、碰、订将之后只能打牌。", "After a chow, pong or pair claim you only discard."),
    "no_replacement": Text("牌墙摸空，没有牌可补。", "The wall is empty: nothing is left to replace it."),
    "no_discard_left": Text("再成一副就没有牌可打了。", "One more set would leave nothing to discard."),
    "lit_once": Text("这一类喜已经亮过，只能一张张补。", "This xi is lit already: its tiles can only be added."),
    "cover_first": Text(
        "杠要先扣：扣下三张，再用第四张杠。", "A kong needs a cover: cover three, then kong with the fourth."
    ),
    "uncovered": Text(
        "手里三张没有扣，别人打出第四张不能杠。", "Three in hand without a cover give no kong on a discard."
    ),
    "no_added_kong": Text("碰过的牌不能加成杠。", "A pong never becomes a kong."),
    "no_robbed_kong": Text("抢喜只能胡或碰。", "An addition can only be won on or ponged."),
    "pair_once": Text("一局只能订一次将。", "A pair can be claimed once in a round."),
    "settled_pair": Text("订过将，只能用那两张作将。", "The claimed pair is the pair: the rest must all be sets."),
    "false_xi": Text(
        "这几张不成喜：要同是幺、同是九，或中发白；东南西北不亮不算一副。",
        "These make no xi: all ones, all nines, or the three dragons; unlit winds are no set.",
    ),
    "xi_self_draw": Text("没亮的喜只能自摸胡。", "A hand with an unlit xi set wins by your own draw only."),
    "locked": Text(
        "过水：这条线放过没胡，要等自己再摸牌。", "You passed a win on this line: wait for your own next draw."
    ),
}

_LIGHT_COSTS: Final = Text(
    "亮出的牌定成一副，不能再拆；以后摸到同类可以补喜。",
    "The tiles are fixed as a set; more of the kind can be added later.",
)

_OFFERS: Final = {
    "light.ones": Explained(
        Text("亮喜：亮出 1万1筒1条，各家付分。", "Light the three ones: everybody pays."), _LIGHT_COSTS, "TS-7.2"
    ),
    "light.nines": Explained(
        Text("亮喜：亮出 9万9筒9条，各家付分。", "Light the three nines: everybody pays."), _LIGHT_COSTS, "TS-7.2"
    ),
    "light.dragons": Explained(
        Text("亮喜：亮出中发白，各家付分。", "Light the three dragons: everybody pays."), _LIGHT_COSTS, "TS-7.2"
    ),
    "light.winds": Explained(
        Text(
            "亮喜：亮出东南西北，各家付分，再补一张。",
            "Light the four winds: everybody pays, and you draw a replacement.",
        ),
        _LIGHT_COSTS,
        "TS-7.4",
    ),
    "cover": Explained(
        Text(
            "扣：三张一样的背面朝上放下，局终各家付分，还能等第四张杠。",
            "Cover three alike, face down: paid at the end, and open to a kong.",
        ),
        Text("放下就不能拆、不能打，只能等着杠。", "It cannot be undone or discarded; it serves for a kong only."),
        "TS-6.1",
    ),
    "kong.kong_exposed": Explained(
        Text(
            "明杠：用扣的三张杠这张，打出的人付双份，其他人也付，再补一张。",
            "Open kong on your cover: the discarder pays double, the others too; and a replacement.",
        ),
        Text("代替扣的分；门清就没有了。", "It replaces the cover's pay, and the hand is no longer closed."),
        "TS-6.4",
    ),
    "kong.kong_concealed": Explained(
        Text(
            "暗杠：扣的三张加手里第四张，各家付扣的四倍，再补一张。",
            "Closed kong on your cover: each pays four times the cover; and a replacement.",
        ),
        Text(
            "代替扣的分；不破门清，也不能被抢。",
            "It replaces the cover's pay; the hand stays closed and nobody can rob it.",
        ),
        "TS-6.5",
    ),
    "extend.xi_add": Explained(
        Text(
            "补喜：这张加到亮着的喜上，各家付分，再补一张。",
            "Add this tile to your lit xi: everybody pays, and you draw a replacement.",
        ),
        Text("这一桌开了抢喜的话，别人可以碰或胡它。", "With robbing on, others may pong it or win on it."),
        "TS-7.6",
    ),
    "win": Explained(
        Text(
            "胡：20 分，门清 40；点炮的人付，自摸各家付。",
            "Win: 20, closed 40; the discarder pays, or everybody on a draw.",
        ),
        Text(
            "别人的牌放过不胡，这条线要等自己再摸牌才能胡。",
            "Pass a win on another's tile and its line is locked until your own next draw.",
        ),
        "TS-9.1",
    ),
    "pong": Explained(
        Text("碰：用手里两张收下这张，打出的人付分。", "Pong: two of yours and this tile; its discarder pays."),
        Text(
            "接着只能打牌；门清没有了，碰过的不能加杠。",
            "Then you only discard; the hand is open, and a pong never becomes a kong.",
        ),
        "TS-5.3",
    ),
    "chow": Explained(
        Text("吃：上家这张和手里两张成一顺，不付分。", "Chow: a run with the previous player's tile; nobody pays."),
        Text("接着只能打牌；门清没有了。", "Then you only discard; the hand is open."),
        "TS-5.5",
    ),
    "pair_claim": Explained(
        Text(
            "订将：上家这张和手里一张作将，不付分。",
            "Pair claim: this tile and one of yours become the pair; nobody pays.",
        ),
        Text(
            "一局一次；胡牌必须用这两张作将，门清没有了。",
            "Once a round; these two must be the pair, and the hand is open.",
        ),
        "TS-8.1",
    ),
    "discard": Explained(
        Text("打牌：打出手里一张，轮到下家。", "Discard one tile of your hand; the next player goes on."),
        Text("别人可以吃、碰、杠、订将或胡这张。", "Others may chow, pong, kong, pair or win on it."),
        "TS-4.6",
    ),
    "pass": Explained(
        Text("过：什么也不做。", "Pass: do nothing."),
        Text(
            "能胡却过，这条线要等自己再摸牌才能胡；开牌时过了，轮到自己还可以亮。",
            "Passing a win locks its line until your own draw; after the opening you may still light in your turns.",
        ),
        "TS-10.2",
    ),
}

_SILENCE: Final[dict[Clock, Silence]] = {
    "opening": Silence(
        Text("不答算过，以后轮到自己还可以亮。", "No answer passes; you may still light in your turns."), "TS-15.1"
    ),
    "claim": Silence(
        Text("不答算过；能胡而不答，也算过水。", "No answer passes; a win not answered locks its line too."), "TS-15.1"
    ),
    "turn": Silence(
        Text(
            "不出就打刚摸的那张，不会替你胡、亮、扣、杠。",
            "The drawn tile is discarded; nothing is won, lit, covered or made a kong.",
        ),
        "TS-15.2",
    ),
}

_DIGEST: Final = """
- Two to four players, 136 tiles, sixteen in the hand. Five sets and a pair win, no minimum (TS-9.1, TS-9.2).
- A win is 20, or 40 when you took no tile from others; the discarder alone pays, or everybody on a self-draw (TS-11.6).
- Xi sets: three ones, three nines, three dragons, or the four winds. Light one in the opening or in a turn of your own
  and everybody pays (TS-7.1, TS-7.2). Later tiles of the kind can be added, for pay and a replacement (TS-7.6).
- An unlit set of ones, nines or dragons counts as a set too, but then only your own draw wins (TS-9.3). Completing ones
  or dragons by the draw pays 32 or 52 (TS-11.6).
- Cover three alike, face down: paid at the end (TS-6.1, TS-6.3). Only a cover becomes a kong (TS-6.4, TS-6.5, TS-6.7).
- At four players: chow from the previous player, and the pair claim, one tile and theirs as your pair, once a round
  (TS-5.5, TS-8.1, TS-8.2). After any claim you only discard (TS-4.2).
- Pass a win on another's tile and you cannot win on that line (1-4-7, 2-5-8, 3-6-9) until your own next draw (TS-10.1,
  TS-10.2, TS-10.4).
- One winner: the nearest after the discarder (TS-5.2). Tiles are worth 1, nines 2, 1s and dragons 4, winds 8 (TS-1.5).
- Points booked in the round stand, whoever wins (TS-11.11). The winner deals next (TS-13.1).
"""

WORDS: Final = Words(_REASONS, _OFFERS, _SILENCE, _DIGEST.strip())
