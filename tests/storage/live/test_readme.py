"""The page that explains the live store names every key, every script and every setting that is looked at."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from app.storage.live.nodes import nodes
from app.storage.live.wire import durability, keys, scripts

_HERE = Path(keys.__file__).parents[1]
_PAGE = (_HERE / "README.md").read_text()
_NAMES = {
    "table": "{id}", "page_no": "N", "name": "NAME", "incarnation": "INCARNATION", "owner": "NODE.INCARNATION",
    "errand": "ID", "user": "{user}", "who": "WHO", "budget": "BUDGET", "scope": "SCOPE",
    "digits": "NNNNNN", "secret": "TEXT", "room": "{room}", "address": "ADDRESS", "key": "KEY",
}  # fmt: skip


def _spelled() -> dict[str, str]:
    """Every key as the page writes it, by the name of what makes it."""
    found = {name: value for name, value in vars(keys).items() if name.isupper() and isinstance(value, str)}
    for name, make in inspect.getmembers(keys, inspect.isfunction):
        words = [_NAMES[parameter].strip("{}") for parameter in inspect.signature(make).parameters]
        found[name] = make(*words)
    return found


@pytest.mark.parametrize("name", _spelled())
def test_every_key_is_explained(name: str) -> None:
    key = _spelled()[name]
    ways = [f"`{key}", f"`{key.replace('{user}', '{USER}')}", f"`{re.sub('id$', 'TABLE', key)}"]
    of_several = f"`:{key.split(':')[-1]}`"  # in one row of the table: the first of them is spelled out
    assert any(way in _PAGE for way in (*ways, of_several)), key


def test_every_script_is_explained_and_none_that_is_not_there() -> None:
    there = {path.stem for path in (_HERE / "wire" / "scripts").glob("*.lua")}
    assert len(there) > 10 and [name for name in sorted(there) if f"`{name}`" not in _PAGE] == []
    assert inspect.getsource(scripts).count(".lua") >= 1


def test_every_setting_that_a_node_looks_at_is_named_with_the_value_it_needs() -> None:
    for name, good in zip(durability._ASKED, durability._GOOD, strict=True):
        assert f"`{name} {good}`" in _PAGE, name


def test_the_times_it_tells_are_those_of_the_code() -> None:
    assert f"{nodes.TTL_S:g} s to live, renewed each {nodes.BEAT_S:g} s" in _PAGE
    assert f"missing at two looks {nodes.LOOK_S:g} s apart" in _PAGE
    assert f"False from {nodes.MISSED_S:g} s after the last beat" in _PAGE
