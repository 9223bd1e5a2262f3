"""The client's fold, replay and shuffle check, run in the browser on the golden streams of the kernel."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import People

pytestmark = pytest.mark.browser

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))

_SORTED = "const sorted = (x) => Array.isArray(x) ? x.map(sorted) : x && typeof x === 'object' ? Object.fromEntries(Object.keys(x).sort().map((k) => [k, sorted(x[k])])) : x;"  # noqa: E501
_FOLD = f"""
async (rounds) => {{
  const {{ fold }} = await import("/static/view.js");
  {_SORTED}
  const wrong = [];
  let compared = 0;
  for (const round of rounds) for (const [viewer, stream] of Object.entries(round.streams)) {{
    let view = null, done = 0;
    for (const kept of stream.views) {{
      while (done < kept.after) for (const event of stream.batches[done++]) view = fold(view, event);
      compared++;
      const [mine, theirs] = [JSON.stringify(sorted(view)), JSON.stringify(sorted(kept.view))];
      if (mine !== theirs) wrong.push([round.name, viewer, kept.after, mine, theirs]);
    }}
  }}
  return {{ wrong, compared }};
}}
"""
_REPLAY = f"""
async (rounds) => {{
  const {{ steps, tableAt }} = await import("/static/pages/replay.js");
  const {{ verified }} = await import("/static/verify.js");
  {_SORTED}
  const wrong = [];
  for (const {{ name, record, streams }} of rounds) {{
    const list = steps(record);
    for (const viewer of [0, 1]) {{
      const mine = JSON.stringify(sorted(tableAt(list, list.length, viewer)));
      if (mine !== JSON.stringify(sorted(streams[viewer].views.at(-1).view))) wrong.push([name, viewer]);
    }}
    const open = tableAt(list, list.length, -2);
    if (verified(open) !== true) wrong.push([name, "not verified"]);
    const swapped = open.ended.wall.slice(-2) + open.ended.wall.slice(2, -2) + open.ended.wall.slice(0, 2);
    if (swapped !== open.ended.wall && verified({{ ...open, ended: {{ ...open.ended, wall: swapped }} }})) wrong.push([name, "a swapped wall passes"]);
  }}
  return wrong;
}}
"""


def _rounds(path: Path) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = json.loads(path.read_text())["rounds"]
    return rounds


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_client_folds_to_the_same_views_as_the_server(people: People, path: Path) -> None:
    result = people().page.evaluate(_FOLD, _rounds(path))
    assert result["compared"] > 5
    assert result["wrong"] == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_record_replays_to_what_each_seat_saw_and_its_shuffle_is_checked(people: People, path: Path) -> None:
    assert people().page.evaluate(_REPLAY, _rounds(path)) == []
