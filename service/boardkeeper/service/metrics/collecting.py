"""Collecting what a service has counted: on its event loop, where all of it belongs, for a thread that waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError

from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from boardkeeper.service.metrics.families import metric

MOST_SECONDS = 5.0
"""So long a scrape waits for a busy loop; then it tells of the delay alone."""

Collect = Callable[[], Iterable[Metric]]


class LoopCollector(Collector):
    """Asks the event loop for its metrics, and tells how long the loop took to listen."""

    def __init__(self, loop: asyncio.AbstractEventLoop, collect: Collect) -> None:
        self._loop = loop
        self._collect = collect

    def collect(self) -> Iterable[Metric]:
        """Metrics, for a thread that is not the loop's own. Of a loop that is closed there are none."""
        answer: Future[tuple[float, list[Metric]]] = Future()
        asked = time.perf_counter()

        def on_loop() -> None:
            delay = time.perf_counter() - asked
            try:
                answer.set_result((delay, list(self._collect())))
            except Exception as error:  # noqa: BLE001  # for whoever asked
                answer.set_exception(error)

        try:
            self._loop.call_soon_threadsafe(on_loop)
        except RuntimeError:
            return []
        try:
            delay, metrics = answer.result(MOST_SECONDS)
        except LateError:
            delay, metrics = time.perf_counter() - asked, []
        return [metric("loop_delay_seconds", delay), *metrics]
