"""The folds that strangers wrote from the page's table give the server's views, for every event that a game has."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.protocol.stranger.fold import Plain, fold
from tests.tools import node

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))
WRITTEN = Path(__file__).parent / "stranger"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_fold_in_python_gives_every_golden_view(path: Path) -> None:
    compared = 0
    for played in json.loads(path.read_text("utf-8"))["rounds"]:
        for stream in played["streams"].values():
            view: Plain | None = None
            done = 0
            for kept in stream["views"]:
                for event in [event for batch in stream["batches"][done : kept["after"]] for event in batch]:
                    view = fold(view, event)
                done = kept["after"]
                assert view == kept["view"]
                compared += 1
    assert compared > 5


@pytest.mark.javascript
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_fold_in_node_gives_every_golden_view(path: Path) -> None:
    told = subprocess.run([str(node()), WRITTEN / "folded.mjs", path], capture_output=True, text=True, timeout=60)
    assert told.stderr == ""
    assert int(told.stdout) > 5
