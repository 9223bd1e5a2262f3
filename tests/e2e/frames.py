"""How smoothly the table moves on a phone-class processor: `python -m tests.e2e.frames`, or `mj shots frames`.

Chromium is slowed down (4 by default) and one person plays with bots, with motion. Printed for each game: frames a
second while tiles move, the share of frames over 33 ms, and the longest task. On a busy machine the numbers are worse
than they are: compare two runs on the same machine, not a run with a limit.
"""

from __future__ import annotations

import argparse
import json
import statistics
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from app.lab.chaos.running import own_server
from app.variants import VARIANTS
from tests.e2e.conftest import FLAGS
from tests.e2e.person import Person
from tests.tools import chromium

_LATE_MS = 33.4
_WATCH = """() => {
  window.frames_ = []; window.tasks_ = [];
  new PerformanceObserver((list) => window.tasks_.push(...list.getEntries().map((e) => e.duration)))
    .observe({ type: "longtask" });
  let before = 0;
  const step = (now) => {
    const moves = document.getAnimations().some((a) => a.playState === "running" && a.effect.target?.closest?.(".app"));
    if (before && moves) window.frames_.push(now - before);
    before = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}"""


def measured(browser: Browser, url: str, slug: str, slower: float, discards: int) -> dict[str, Any]:
    """One game: frames while something moves (ms each), and tasks over 50 ms."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, service_workers="block")
    person = Person(context, url, "zh")
    person.go("#/")
    person.open_room(slug, claim_hold_ms=300)
    session = context.new_cdp_session(person.page)
    person.start()
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    person.page.evaluate(_WATCH)
    person.play_until(discards, in_all=True)
    frames, tasks = person.page.evaluate("() => [window.frames_, window.tasks_]")
    context.close()
    return {
        "game": slug, "slower": slower, "frames": len(frames),
        "frames_a_second": round(1000 / statistics.median(frames), 1) if frames else None,
        "late_share": round(sum(f > _LATE_MS for f in frames) / max(1, len(frames)), 3),
        "tasks_over_50_ms": len(tasks), "longest_task_ms": round(max(tasks, default=0)),
    }  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Measure and print one line of JSON a game. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    parser.add_argument("--slower", type=float, default=4)
    parser.add_argument("--discards", type=int, default=20)
    wanted = parser.parse_args(argv)
    with own_server(options={"address_factor": "100"}) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for slug in wanted.games:
            print(json.dumps(measured(browser, server.url, slug, wanted.slower, wanted.discards)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
