"""Two languages: every Chinese text of the client has its English; a game brings that of its own names."""

import re
from pathlib import Path

import pytest

from app.tables.settings import SETTINGS_OPTIONS
from app.variants import VARIANTS
from app.web.pages import STATIC

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_KEY = re.compile(r'(?:"([^"]+)"|([\w\u4e00-\u9fff]+)): "')
_NOT_SAID = {
    "一二三四五六七八九", "東南西北", "筒", "饼", "冲", "混", "神", "鸡", "金", "喜", "赖", "中",
    "简体中文", "繁體中文",
}  # fmt: skip
"""Signs and parts of names that `tiles.js` says by itself in both languages; what a language calls itself."""


def _english() -> set[str]:
    found: set[str] = set()
    for path in (STATIC / "lang").glob("*.js"):
        found |= _keys(path.read_text())
    return found


def _keys(text: str) -> set[str]:
    return {quoted or bare for quoted, bare in _KEY.findall(text)}


def _own_english(path: Path) -> set[str]:
    """A game's own English: its `EN`."""
    _, _, english = path.read_text().partition("export const EN = {")
    return _keys(english)


def test_every_text_of_the_client_has_its_english() -> None:
    english = _english().union(*(variant.meta.names_en for variant in VARIANTS.values()))
    missing = {}
    for path in STATIC.rglob("*.js"):
        if path.parent.name == "lang" or path.name == "tiles.js":
            continue
        said = {text for text in _TEXT.findall(_COMMENT.sub("", path.read_text())) if _CHINESE.search(text)}
        known = english | _NOT_SAID | _own_english(path)
        if left := {text for text in said if text not in known and not text.startswith(", ")}:
            missing[path.name] = left
    assert missing == {}


def test_every_choice_of_the_table_settings_has_its_english() -> None:
    labels = {label for option in SETTINGS_OPTIONS for label in option.choice_labels}
    assert {label for label in labels if _CHINESE.search(label)} - _english() == set()


@pytest.mark.parametrize("slug", list(VARIANTS))
def test_a_game_that_gives_english_names_gives_all_of_them(slug: str) -> None:
    """A game without any is shown with its Chinese names; nothing in `lang/` has to be touched for it."""
    meta = VARIANTS[slug].meta
    names = {*meta.pattern_names.values(), *meta.reason_names.values(), *(row.name for row in meta.ladder)}
    names |= {label for option in meta.options for label in option.choice_labels}
    chinese = {name for name in names if _CHINESE.search(name)}
    assert not meta.names_en or chinese == meta.names_en.keys()
    assert not any(_CHINESE.search(english) for english in meta.names_en.values())


def test_every_option_is_labelled_and_explained_in_both_languages() -> None:
    options = [o for variant in VARIANTS.values() for o in variant.meta.options]
    for option in (*options, *SETTINGS_OPTIONS):
        assert _CHINESE.search(option.label_zh), option.name
        assert option.label_en, option.name
        assert bool(option.help_en) == bool(option.help_zh), option.name
        assert not _CHINESE.search(option.label_en + option.help_en), option.name
    assert all(option.help_zh for option in options)
