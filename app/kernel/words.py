"""A game's texts for people who learn it: why something is not offered, what each offer does, a digest of the rules.

Values only. Each text is in Chinese and English; 繁體 is made from the Chinese.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from app.kernel.actions import Action
from app.kernel.immutable import immutable
from app.kernel.play.decisions import Clock


@immutable
class Text:
    """One sentence or a few, in Chinese and English."""

    zh: str
    en: str


@immutable
class Explained:
    """An offer explained: what it `does`, what it `costs` or gives up, and the clause that allows it."""

    does: Text
    costs: Text
    clause: str


@immutable
class Silence:
    """The consequence of no answer in time, and its clause."""

    text: Text
    clause: str


@immutable
class Words:
    """The texts of one game. `reasons`: code of a `Reason` → sentence. `offers`: `offer_key` → explanation.

    `silence`: clock of a decision → its consequence. `digest_en`: the rules in one screen of English, as Markdown
    lists with clause ids.
    """

    reasons: Mapping[str, Text] = field(default_factory=dict[str, Text])
    offers: Mapping[str, Explained] = field(default_factory=dict[str, Explained])
    silence: Mapping[Clock, Silence] = field(default_factory=dict[Clock, Silence])
    digest_en: str = ""


NO_WORDS: Final = Words()


def offer_key(action: Action) -> str:
    """The key of an offer in `Words.offers`: its verb, and its choice where that is a word: `kong.kong_exposed`."""
    return f"{action.verb}.{action.choice}" if isinstance(action.choice, str) else action.verb
