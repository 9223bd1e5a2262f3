"""Texts of 天津麻将 for people who learn it, in two languages. Sentences only; the rules are in `RULES.md`."""

from __future__ import annotations

from typing import Final

from app.kernel.play.decisions import Clock
from app.kernel.words import Explained, Silence, Text, Words

_REASONS: Final = {
    "dead_hand": Text(
        "打出过混儿，成了小相公：这盘不能胡。", "You discarded a wild: a dead hand cannot win this round."
    ),
    "after_pong": Text("碰之后只能打牌，不判胡，也不能杠。", "After a pong you only discard: no win and no kong."),
    "no_pairs_hand": Text(
        "没有七对这种牌型，要四副一将。", "Seven pairs is no hand here: it takes four sets and a pair."
    ),
    "too_small": Text(
        "只有提溜，1 番，不够 2 番：还要捉5、龙、素或混吊。",
        "A plain hand is 1 fan and 2 are needed: Catch 5, a dragon straight, no wild, or a wild wait.",
    ),
    "plain_bloom": Text("这一桌杠开提溜不能胡。", "At this table a plain hand after a kong does not win."),
    "no_discard_win": Text("没有点炮胡：只能自摸或杠开。", "No win on a discard: only by your own draw."),
    "wild_pong": Text(
        "混儿不能碰；手里有三张一样的可以杠。", "A wild cannot be ponged; with three alike in hand it can be a kong."
    ),
    "no_replacement": Text("没有活牌可补，不能杠。", "No live tile is left to replace a kong."),
    "last_tile": Text("最后一张活牌，只能胡或过。", "On the last live tile you may only win or pass."),
}

_OFFERS: Final = {
    "sit": Explained(
        Text("坐庄：你和每个闲家之间的分翻一番。", "Sit: everything between you and each other player doubles."),
        Text(
            "输赢都翻，杠分和铲也算；答了不能改。", "Losses double too, kong points and Follow included; it is final."
        ),
        "TJ-3.6",
    ),
    "pull": Explained(
        Text(
            "拉庄：你和庄家之间的分每拉一次翻一番。",
            "Pull: everything between you and the dealer doubles, once or twice.",
        ),
        Text(
            "输给庄家也翻；和别的闲家之间不变，答了不能改。",
            "Losses to the dealer double too; the others are as before.",
        ),
        "TJ-3.6",
    ),
    "win": Explained(
        Text("胡：这盘结束，三家都付你。", "Win: the round ends and all three pay you."),
        Text("过了还可以再摸更大的，没有过水的限制。", "You may pass and try for more; passing has no penalty."),
        "TJ-9.1",
    ),
    "pong": Explained(
        Text("碰：用手里两张收下这张，亮成一副。", "Pong: two of yours and this tile become an open set."),
        Text("接着只能打牌；碰的一副不算龙和捉5。", "Then you only discard; it is no part of a straight or Catch 5."),
        "TJ-5.5",
    ),
    "kong.kong_exposed": Explained(
        Text(
            "明杠：三家各付 1 分，从尾部补一张，补到就胡是杠开。",
            "Open kong: 1 from each; draw a replacement, a win on it doubles.",
        ),
        Text("这四张定成一副，不能再拆。", "The four tiles are fixed as one set."),
        "TJ-6.1",
    ),
    "extend.kong_added": Explained(
        Text(
            "补杠：第四张加到碰上，三家各付 1 分，再补一张。",
            "Added kong: the fourth tile joins your pong, 1 from each, and a replacement.",
        ),
        Text("没有抢杠，不会被人胡走。", "Nobody can rob it."),
        "TJ-6.1",
    ),
    "kong.kong_concealed": Explained(
        Text("暗杠：三家各付 2 分，再补一张。", "Closed kong: 2 from each, and a replacement."),
        Text("牌要亮出来，四张定成一副。", "It is shown, and the four tiles are fixed as one set."),
        "TJ-6.1",
    ),
    "kong.kong_gold": Explained(
        Text(
            "金杠：四张一样的混儿，三家各付 4 分，再补一张。",
            "Gold kong: four wilds alike, 4 from each, and a replacement.",
        ),
        Text(
            "这四张不能再当别的牌，有金杠就不算素。",
            "They play nothing else any more, and the hand is no longer without wilds.",
        ),
        "TJ-6.3",
    ),
    "discard": Explained(
        Text("打牌：打出手里一张，轮到下家。", "Discard one tile of your hand; the next player goes on."),
        Text("打出混儿就成小相公，这盘不能胡。", "Discarding a wild makes a dead hand: no win this round."),
        "TJ-5.2",
    ),
    "pass": Explained(
        Text("过：什么也不做。", "Pass: do nothing."),
        Text("没有任何后果。", "It has no consequence."),
        "TJ-5.11",
    ),
}

_SILENCE: Final[dict[Clock, Silence]] = {
    "answer": Silence(Text("不答算不坐、不拉。", "No answer counts as no."), "TJ-3.4"),
    "claim": Silence(Text("不答算过。", "No answer passes."), "TJ-17.1"),
    "turn": Silence(
        Text(
            "不出就打刚摸的那张，不会打混儿，也不会替你胡。",
            "The drawn tile is discarded, never a wild; no win is declared.",
        ),
        "TJ-17.3",
    ),
}

_DIGEST: Final = """
- Four players, 136 tiles, no flowers. Four sets and a pair win, by your own draw only, never on a discard (TJ-5.9).
- Two kinds are wild: the tile flipped after the deal and the next one on its ring, seven tiles in all (TJ-4.6).
- Discard a wild and your hand is dead: no win this round (TJ-7.1). A wild never helps a pong or kong (TJ-6.2).
- A hand needs 2 fan. A plain hand is 1 and does not win (TJ-9.6). Catch 5 (5 wan drawn into 4-5-6) is 3 (TJ-10.7).
- A dragon straight, 123 456 789 of one suit, is 4 (TJ-10.8). These two add up; everything else doubles (TJ-11.1).
- Doubled by: no wild in the hand (TJ-10.4), a wild wait (TJ-10.5, TJ-10.6), a straight in the suit of the wilds
  (TJ-10.9), a win on the replacement after a kong (TJ-10.10). A hand won as dealt counts four times (TJ-12.2).
- All three others pay the fan (TJ-13.1). Kongs are paid apart: open or added 1, closed 2, gold 4, by each (TJ-6.1).
- Before the deal the dealer may sit, and each other player may pull once or twice: each doubles all points between the
  two of them, won or lost (TJ-3.6).
- If the first four discards are of one kind, the dealer pays each other player 1 (TJ-8.1).
- No chow (TJ-5.4). After a pong you only discard (TJ-5.3). The last live tile ends the round (TJ-4.11).
- The dealer stays while they win or nobody does; else the next player deals (TJ-2.4).
"""

WORDS: Final = Words(_REASONS, _OFFERS, _SILENCE, _DIGEST.strip())
