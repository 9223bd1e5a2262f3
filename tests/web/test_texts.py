"""Two languages: every Chinese text of the client and every name in the variants' META has its English."""

import re

from app.tables.settings import SETTINGS_OPTIONS
from app.variants import VARIANTS
from app.web.pages import STATIC

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_KEY = re.compile(r'(?:"([^"]+)"|([\w\u4e00-\u9fff]+)): "')
_NOT_SAID = {"一二三四五六七八九", "筒", "饼", "冲", "混", "神", "鸡", "金", "喜"}
"""Signs on tiles and parts of tiles' names, which `tiles.js` says in both languages by itself."""


def _english() -> set[str]:
    found: set[str] = set()
    for path in (STATIC / "lang").glob("*.js"):
        found |= {quoted or bare for quoted, bare in _KEY.findall(path.read_text())}
    return found


def test_every_text_of_the_client_has_its_english() -> None:
    english = _english()
    missing = {}
    for path in STATIC.rglob("*.js"):
        if path.parent.name == "lang" or path.name == "tiles.js":
            continue
        said = {text for text in _TEXT.findall(_COMMENT.sub("", path.read_text())) if _CHINESE.search(text)}
        if left := {text for text in said if text not in english | _NOT_SAID and not text.startswith(", ")}:
            missing[path.name] = left
    assert missing == {}


def test_every_name_that_variants_give_has_its_english() -> None:
    english = _english()
    names = {label for option in SETTINGS_OPTIONS for label in option.choice_labels}
    for variant in VARIANTS.values():
        meta = variant.meta
        names |= {meta.name_zh, *meta.pattern_names.values(), *meta.reason_names.values()}
        names |= {row.name for row in meta.ladder} | {label for o in meta.options for label in o.choice_labels}
    assert {name for name in names if _CHINESE.search(name)} - english == set()


def test_every_option_is_labelled_and_explained_in_both_languages() -> None:
    options = [o for variant in VARIANTS.values() for o in variant.meta.options]
    for option in (*options, *SETTINGS_OPTIONS):
        assert _CHINESE.search(option.label_zh), option.name
        assert option.label_en, option.name
        assert bool(option.help_en) == bool(option.help_zh), option.name
        assert not _CHINESE.search(option.label_en + option.help_en), option.name
    assert all(option.help_zh for option in options)
