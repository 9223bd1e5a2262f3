"""The figures of one node for Prometheus: read when they are asked for, never written on the way of play.

Counts are plain integers that the parts of the node keep anyway. A figure is of a whole node: never of a table, a
player or a tile.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from app.service.node import NodeCore
from app.service.ports import Sockets
from app.tables.clocks.timing import Timing

_NOW: Final = {
    "tables": "Tables that run here.",
    "playing": "Tables with a running round.",
    "frozen": "Tables that are stopped, until an operator releases them.",
    "quarantine": "Tables whose log cannot be read.",
    "connections": "Sockets at tables, spectators included.",
    "spectators": "Sockets of spectators.",
}
"""Figures of the registry as they are now, by name: what each says."""
_EVER: Final = {
    "created": "Tables created here.",
    "opened": "Tables taken over or opened again here.",
    "left": "Tables that ended, or went to another node.",
    "quarantined": "Tables put into quarantine.",
}
"""Figures of the registry that only grow."""


class NodeMetrics(Collector):
    """The metrics of a node. `answers` counts REST answers by status."""

    def __init__(self, core: NodeCore, sockets: Sockets, version: str, answers: Mapping[int, int]) -> None:
        self._core = core
        self._sockets = sockets
        self._version = version
        self._answers = answers
        self._started_s = time.time()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)  # CPU, memory, open descriptors and their limit

    def text(self) -> bytes:
        """All figures in Prometheus's text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """The figures at this moment."""
        yield from self._node()
        yield from self._tables()
        yield from self._stores()

    def describe(self) -> Iterable[Metric]:
        """Nothing: the registry need not collect in order to learn the names."""
        return ()

    def _node(self) -> Iterable[Metric]:
        info = GaugeMetricFamily(
            "mj_node_info", "This node, its version, and when it started.", labels=["node", "version"]
        )
        info.add_metric([self._core.facts().name, self._version], self._started_s)
        yield info
        yield _gauge("draining", "1 while the node takes no new tables.", self._core.registry.draining)
        yield _gauge("sockets", "Open sockets.", len(self._sockets))
        yield _histogram("gc_seconds", "Halts for the garbage collector.", self._core.collecting.pauses)
        yield _histogram("loop_lag_seconds", "Delays of the event loop, sampled once a second.", self._sockets.lags)
        refused = CounterMetricFamily("mj_socket_refusals", "Requests over sockets that were refused.", labels=["code"])
        for code, times in sorted(self._sockets.refusals.items()):
            refused.add_metric([code], times)
        yield refused
        answers = CounterMetricFamily("mj_rest_answers", "Answers to REST requests.", labels=["status"])
        for status, times in sorted(self._answers.items()):
            answers.add_metric([str(status)], times)
        yield answers

    def _tables(self) -> Iterable[Metric]:
        figures = self._core.registry.counters()
        for name, says in _NOW.items():
            yield _gauge(name, says, figures.get(name, 0))
        for name, says in _EVER.items():
            yield CounterMetricFamily(f"mj_tables_{name}", says, value=figures.get(name, 0))

    def _stores(self) -> Iterable[Metric]:
        live = self._core.live
        yield _gauge("store_away_seconds", "For how long the live store has not answered.", live.failing_s)
        yield _gauge(
            "store_problems", "Settings of the live store that weaken what is promised.", len(live.durability.problems)
        )
        yield _gauge("archive_behind", "1 while the archive takes nothing.", live.archiver.behind)
        yield _gauge("archive_waiting", "Tables with documents that wait for the archive.", live.archiver.waiting)
        yield CounterMetricFamily(
            "mj_rounds_written", "Rounds written to the archive.", value=live.archiver.rounds_written
        )
        yield CounterMetricFamily(
            "mj_documents_refused", "Documents that the archive refuses for good.", value=live.archiver.refused
        )
        yield _histogram(
            "store_write_seconds", "Time until the live store had answered a write of a table.", self._core.stalls.waits
        )


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(f"mj_{name}", says, value=value)


def _histogram(name: str, says: str, timing: Timing) -> Metric:
    return HistogramMetricFamily(f"mj_{name}", says, buckets=timing.cumulative(), sum_value=timing.sum_s)
