"""No knowledge of a single game outside its face: table, lobby and pages would serve a game never heard of."""

import re
from pathlib import Path
from typing import get_args

import pytest

from app.kernel.actions import Verb
from app.kernel.events import Origin
from app.kernel.melds import MeldKind
from app.variants import VARIANTS
from app.web.pages import STATIC

_SHARED = [
    path for path in sorted(STATIC.rglob("*.js"))
    if path.parent.name not in ("variants", "lang") and path.name != "tiles.js"
]  # fmt: skip
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_WORDS = ("混", "拉庄", "拉一", "坐庄：", "相公", "铲", "鸡", "豆", "喜", "扣", "订将", "亮喜", "报听", "番", "盘")
"""Words of one game. 坐庄 by itself is any game's word for dealing, 听 for waiting."""
_TOKENS = (
    "sit_pull", "xi_add", "declare_ready", "dead_hand", "ones", "nines", "dragons", "winds", "wugu",
    "rob_xi", "pair_claim", "kong_gold", "kong_late",
)  # fmt: skip
"""Fields that only some games send: only a face reads them."""
_CLAUSE = re.compile(r"\b[A-Z]{2}-\d")


def _code(path: Path) -> str:
    return _COMMENT.sub("", path.read_text())


@pytest.mark.parametrize("path", _SHARED, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_what_all_games_share_names_none_of_them(path: Path) -> None:
    code = _code(path)
    named = [word for word in (*VARIANTS, *_WORDS) if word in code]
    named += [token for token in _TOKENS if re.search(rf"\b{token}\b", code)]
    assert named == []
    assert _CLAUSE.findall(path.read_text()) == []


def test_the_generic_face_has_a_word_for_all_that_the_kernel_can_say() -> None:
    generic = (STATIC / "variants" / "generic.js").read_text()
    tables = {name: _table(generic, name) for name in ("words", "keys", "kinds", "origins")}
    assert set(get_args(Verb)) - {"discard", "sit", "pull"} <= tables["words"]
    assert tables["words"] == tables["keys"]
    assert set(get_args(MeldKind)) - {"face_down"} <= tables["kinds"]
    assert set(get_args(Origin)) == tables["origins"]


def _table(text: str, name: str) -> set[str]:
    found = re.search(rf"\n  {name}: {{(.*?)}}", text, re.DOTALL)
    assert found is not None
    return set(re.findall(r"(\w+):", found[1]))
