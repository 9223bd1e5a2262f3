"""Texts for people who learn a game: every reason and offer has its sentence in both languages, and a clause."""

import random
import re
from functools import cache

import pytest

from app.kernel.text.rules_page import CLAUSE_ID
from app.kernel.variant import Variant
from app.kernel.words import Text, offer_key
from app.lab.laws.learning import why_law
from app.lab.laws.players import chooser
from app.lab.laws.rounds import Entry, play, random_setup
from app.variants import VARIANTS
from tests.variants.test_clauses import PAGES

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
SAMPLE = 5


@cache
def rounds(slug: str) -> list[tuple[list[Entry], int]]:
    game = VARIANTS[slug]
    traces = []
    for number in range(SAMPLE):
        rng, players = random.Random(f"words/{slug}/{number}"), game.meta.players[-1 - number % len(game.meta.players)]
        traces.append((play(game, random_setup(game, players, rng), rng, chooser(game, players, rng)), players))
    return traces


def _texts(game: Variant[object]) -> list[Text]:
    words = game.words
    offers = [text for offer in words.offers.values() for text in (offer.does, offer.costs)]
    return [*words.reasons.values(), *offers, *[silence.text for silence in words.silence.values()]]


@pytest.mark.parametrize("slug", VARIANTS)
def test_reasons_and_offers_agree_at_every_position(slug: str) -> None:
    """M2: offered, no reason; suggested and not offered, a reason that the seat could have found by itself."""
    for trace, players in rounds(slug):
        assert why_law(VARIANTS[slug], trace, players) is None


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_reason_has_a_sentence_and_a_clause(slug: str) -> None:
    game = VARIANTS[slug]
    given = {
        reason
        for trace, players in rounds(slug)
        for entry in trace
        for seat in range(players)
        for reason in game.why_not(entry.step.state, seat)
    }
    assert len({reason.code for reason in given}) > 1, "hardly anything was explained"
    assert {reason.code for reason in given} <= game.words.reasons.keys()
    assert {reason.clause for reason in given} <= PAGES[slug].keys()


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_prompt_is_explained(slug: str) -> None:
    """Each offer says what it does and what it costs, each clock what silence does."""
    words = VARIANTS[slug].words
    asked = [decision for trace, _ in rounds(slug) for entry in trace for decision in entry.after if decision.options]
    assert {offer_key(option) for decision in asked for option in decision.options} <= words.offers.keys()
    assert {decision.clock for decision in asked} <= words.silence.keys()
    cited = {offer.clause for offer in words.offers.values()} | {said.clause for said in words.silence.values()}
    assert cited <= PAGES[slug].keys()


@pytest.mark.parametrize("slug", VARIANTS)
def test_every_text_is_in_both_languages(slug: str) -> None:
    game = VARIANTS[slug]
    for text in _texts(game):
        assert _CHINESE.search(text.zh) and text.en and not _CHINESE.search(text.en), text
    digest = game.words.digest_en
    assert digest and not _CHINESE.search(digest) and len(digest.splitlines()) <= 24, "one screen"
    assert set(re.findall(CLAUSE_ID, digest)) <= PAGES[slug].keys()
