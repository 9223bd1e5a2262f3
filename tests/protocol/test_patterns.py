"""R10: every pattern that something from outside must match is anchored at both ends, a newline at the end included.

Python's `$` also matches before a newline at the end, and JSON Schema has no `\\Z`: patterns that Python reads say
`$(?!\\n)`, which both understand. Patterns of REST are read by pydantic's own engine, whose `$` is the end.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from app.api.circles.bodies import JoinCode
from app.api.people.bodies import AvatarSeed, DeviceToken, Secret
from app.protocol.v1.client import LOBBY_KINDS, ROOM_KINDS, BadFrame, read_data, read_message
from app.rest.bodies import Id, Slug
from tests.architecture.tree import ROOT

_WRITTEN = re.compile(r"pattern=(r?)\"((?:[^\"\\]|\\.)*)\"")
_SCHEMA = (ROOT / "app/protocol/v1/schema.json").read_text()


def _patterns() -> list[tuple[str, str]]:
    return [
        (path.relative_to(ROOT).as_posix(), found[2])
        for path in sorted((ROOT / "app").rglob("*.py")) if "lab" not in path.parts
        for found in _WRITTEN.finditer(path.read_text())
    ]  # fmt: skip


@pytest.mark.parametrize(("path", "pattern"), _patterns())
def test_a_pattern_is_anchored_at_both_ends(path: str, pattern: str) -> None:
    """R10."""
    assert pattern.startswith("^"), path
    assert pattern.endswith("$(?!\\n)" if path.startswith("app/protocol") else "$"), path


def _published(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["pattern"]] if isinstance(node.get("pattern"), str) else []
        return own + [found for value in node.values() for found in _published(value)]
    return [found for value in node for found in _published(value)] if isinstance(node, list) else []


@pytest.mark.parametrize("pattern", sorted(set(_published(json.loads(_SCHEMA)))))
def test_no_published_pattern_takes_a_newline_at_the_end(pattern: str) -> None:
    """R10."""
    assert pattern.startswith("^")
    for text in ("", "a", "abc-1", "1m", "1m2p7z"):
        assert re.search(pattern, text + "\n") is None, text


@pytest.mark.parametrize(("kind", "kinds", "data"), [
    ("phrase", ROOM_KINDS, {"code": "abc"}), ("watch", LOBBY_KINDS, {"circle": "abc"}),
])  # fmt: skip
def test_a_frame_with_a_newline_at_the_end_of_a_text_is_malformed(kind: str, kinds: Any, data: dict[str, str]) -> None:
    """R10: phrase `"abc\\n"` was accepted."""
    read_data(read_message(json.dumps({"id": "x", "kind": kind, "data": data})), kinds)
    worse = {name: f"{text}\n" for name, text in data.items()}
    with pytest.raises(BadFrame, match="regex"):
        read_data(read_message(json.dumps({"id": "x", "kind": kind, "data": worse})), kinds)


@pytest.mark.parametrize(("kind", "text"), [
    (Id, "abc"), (Slug, "tianjin"), (JoinCode, "40571836"),
    (DeviceToken, "a" * 32), (Secret, "abc"), (AvatarSeed, "abc"),
])  # fmt: skip
def test_rest_takes_no_newline_at_the_end_either(kind: Any, text: str) -> None:
    """R10."""
    adapter = TypeAdapter(kind)
    assert adapter.validate_python(text) == text
    with pytest.raises(ValidationError):
        adapter.validate_python(text + "\n")
