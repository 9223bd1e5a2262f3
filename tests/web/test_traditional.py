"""The third language: every text has its 繁體, by the reviewed terms, and a new text cannot be forgotten."""

import json
import re

from app.variants import VARIANTS
from app.web.traditional import RULES, TABLE, rules_texts, table, terms, texts

HANT = json.loads(TABLE.read_text())
_DO = "pip install --group words; python -m app.web.traditional"
_HOLES = re.compile(r"\{\d\}")


def _turned() -> set[str]:
    """Signs that are written otherwise in 繁體 wherever they stand alone, as the table itself shows."""
    pairs = [
        pair for text, new in HANT.items() if len(text) == len(new) for pair in zip(text, new, strict=True)
    ]  # fmt: skip
    kept = {old for old, new in pairs if old == new}
    return {old for old, new in pairs if old != new} - kept


def test_the_table_knows_every_text() -> None:
    known = texts()
    assert len(HANT) > 400
    turned = _turned()
    left = {text for text in known - HANT.keys() if set(text) & turned} - {"繁體中文"}
    assert left == set(), _DO


def test_the_rules_of_every_game_have_their_traditional_text() -> None:
    turned = _turned()
    for slug in VARIANTS:
        known = json.loads((RULES / f"{slug}.json").read_text())
        left = {text for text in rules_texts(slug) - known.keys() if set(text) & turned}
        assert left == set() and len(known) > 100, f"{slug}: {_DO}"


def test_reviewed_terms_stand_wherever_they_occur() -> None:
    reviewed = terms()
    assert table(HANT, reviewed, lambda text: text).keys() <= HANT.keys()
    longest = sorted(reviewed, key=len, reverse=True)
    for text, new in HANT.items():
        at = text
        for term in longest:
            if term in at:
                assert reviewed[term] in new, (term, text, new)
                at = at.replace(term, "·")


def test_what_is_filled_in_stays() -> None:
    for text, new in HANT.items():
        assert _HOLES.findall(text) == _HOLES.findall(new), text
