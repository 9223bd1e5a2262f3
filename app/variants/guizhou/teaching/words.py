"""Texts of 贵州捉鸡 for people who learn it, in two languages. Sentences only; the rules are in `RULES.md`."""

from __future__ import annotations

from typing import Final

from app.kernel.play.decisions import Clock
from app.kernel.words import Explained, Silence, Text, Words

_REASONS: Final = {
    "no_pass": Text(
        "平胡接炮要通行证：先有闷豆、爬坡豆或憨包豆；自摸不用。",
        "A plain hand wins on a discard only with a pass: a closed, added or late bean. A self-draw needs none.",
    ),
    "exposed_no_pass": Text(
        "点豆不算通行证；平胡接炮要闷豆、爬坡豆或憨包豆。",
        "A bean from a discard is no pass; a plain hand needs a closed, added or late one.",
    ),
    "declared_no_pass": Text(
        "报听也不能免通行证：平胡只能自摸，或胡热炮、抢杠、报听者的炮。",
        "Declaring frees nobody from the pass: a plain hand wins by draw, or on a hot, robbed or declarer's tile.",
    ),
    "after_pong": Text("碰之后没有摸牌，不能胡。", "After a pong there is no draw, so no win."),
    "declared": Text("报听之后不能碰，也不能杠。", "After declaring there is no pong and no kong."),
    "no_replacement": Text("牌墙摸空，只能胡或打牌。", "The wall is empty: only a win or a discard is left."),
}

_OFFERS: Final = {
    "win": Explained(
        Text(
            "胡：接炮由点炮的人付，自摸各家都付；再翻鸡算分。",
            "Win: the discarder pays, or everybody on a self-draw; then the flip.",
        ),
        Text("过了没有过水的限制，以后还可以胡。", "You may pass; it bars nothing later."),
        "GZ-12.2",
    ),
    "pong": Explained(
        Text("碰：用手里两张收下这张，亮成一副。", "Pong: two of yours and this tile become an open set."),
        Text(
            "有亮牌就没有七对和报听；手里还有第四张的，以后只算憨包豆。",
            "No pairs hand and no declaring any more; a fourth already held is only a late bean.",
        ),
        "GZ-5.1",
    ),
    "kong.kong_exposed": Explained(
        Text("点豆：打出的人付你 3 分，补一张。", "Bean: the discarder pays 3, and you draw a replacement."),
        Text("听牌才算分；点豆不是通行证。", "It scores only if you end ready; it is no pass."),
        "GZ-7.1",
    ),
    "kong.kong_concealed": Explained(
        Text("闷豆：各家付 3 分，补一张，有了通行证。", "Closed bean: 3 from each, a replacement, and a pass."),
        Text(
            "听牌才算分；打过一张牌再杠就成憨包豆。",
            "It scores only if you end ready; after a discard it would be late.",
        ),
        "GZ-7.1",
    ),
    "kong.kong_late": Explained(
        Text("憨包豆：不算分，但补一张，也算通行证。", "Late bean: worth nothing, but a replacement and a pass."),
        Text("四张定成一副；牌背朝上，别人不知道是什么。", "The four are fixed; they lie face down."),
        "GZ-7.4",
    ),
    "extend.kong_added": Explained(
        Text(
            "爬坡豆：第四张加到碰上，各家付 3 分，补一张，有了通行证。",
            "Added bean: 3 from each, a replacement, and a pass.",
        ),
        Text(
            "别人可以抢杠胡这张；之后打的第一张是热炮，放炮翻倍。",
            "Others may win on this tile; your next discard is hot and costs more.",
        ),
        "GZ-7.1",
    ),
    "extend.kong_late": Explained(
        Text(
            "憨包豆：第四张加到碰上，不算分，但补一张，也算通行证。",
            "Late bean: no points, but a replacement and a pass.",
        ),
        Text("别人可以抢杠胡这张；之后打的第一张也是热炮。", "Others may win on this tile; your next discard is hot."),
        "GZ-7.8",
    ),
    "discard": Explained(
        Text("打牌：打出手里一张，轮到下家。", "Discard one tile of your hand; the next player goes on."),
        Text(
            "第一张幺鸡打出去没人要是冲锋鸡，有人要是责任鸡。",
            "The first 1 bamboo is a charging chicken if unclaimed, a duty chicken if claimed.",
        ),
        "GZ-4.1",
    ),
    "discard.declare_ready": Explained(
        Text("报听：和第一张牌一起，胡了加分。", "Declare ready with your first discard: a win brings a bonus."),
        Text(
            "以后摸什么打什么，不能碰杠；放炮或被自摸要多付。",
            "From then on you discard what you draw; losing costs the bonus too.",
        ),
        "GZ-10.1",
    ),
    "pass": Explained(
        Text("过：什么也不做。", "Pass: do nothing."),
        Text("没有任何后果。", "It has no consequence."),
        "GZ-5.5",
    ),
}

_SILENCE: Final[dict[Clock, Silence]] = {
    "claim": Silence(Text("不答算过。", "No answer passes."), "GZ-20.1"),
    "turn": Silence(
        Text(
            "不出就打刚摸的那张，不会替你胡、杠、报听。",
            "The drawn tile is discarded; no win, kong or declaration is made.",
        ),
        "GZ-20.2",
    ),
    "forced": Silence(
        Text(
            "报听之后一秒自动打出摸到的牌；要胡就在这之前按。",
            "After one second the drawn tile is discarded; press to win before that.",
        ),
        "GZ-10.3",
    ),
}

_DIGEST: Final = """
- Two to four players, 72 tiles: dots and bamboos only. Four sets and a pair, or seven pairs, win (GZ-11.1).
- Pong and kong from anybody, no chow (GZ-1.4). Several players may win on one tile (GZ-6.1).
- A plain hand (1 point) wins on another's tile only with a pass: a closed, added or late kong of your own (GZ-8.1,
  GZ-8.2). A self-draw, and every larger pattern, needs none.
- The pass is not needed on a hot discard, a robbed kong, or a discard of a player who declared ready (GZ-8.3).
- Patterns: all triplets 5, pairs 10, flush 10, last tile 10, and more for flushes of these (GZ-11.1).
- Kongs are beans: 3 points from the discarder or from each; a kong made too late is worth nothing (GZ-7.1, GZ-7.2).
- After a win the next tile is flipped: the kind above it is a chicken (GZ-13.2). The 1 of bamboo always is (GZ-13.1).
- Chickens in your hand and sets pay you from each other player, if you end ready (GZ-13.9).
- The first 1 of bamboo discarded counts double if nobody claims it, and costs its discarder if somebody does
  (GZ-14.3, GZ-14.4).
- Readiness decides who collects, never who pays: without a ready hand you only pay (GZ-9.4).
- With your first discard you may declare ready for a bonus; then you discard what you draw (GZ-10.1, GZ-10.3).
- A wall without a winner: players who are not ready pay the others their best hand (GZ-16.3).
"""

WORDS: Final = Words(_REASONS, _OFFERS, _SILENCE, _DIGEST.strip())
