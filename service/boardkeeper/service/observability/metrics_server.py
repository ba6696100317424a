"""The HTTP server for Prometheus, and the collector that reads the counters on the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, start_http_server
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from boardkeeper.service.errors import StartupError
from boardkeeper.service.observability.metric_families import metric

SCRAPE_SECONDS = 5.0
"""The time that a scrape waits for a busy event loop; after it, the scrape reports only the delay."""

Collect = Callable[[], Iterable[Metric]]


class LoopCollector(Collector):
    """Collects metrics on the event loop, and measures how long the loop takes to respond."""

    def __init__(self, loop: asyncio.AbstractEventLoop, collect: Collect) -> None:
        self._loop = loop
        self._collect = collect

    def collect(self) -> Iterable[Metric]:
        """Return the metrics to another thread; none if the loop is closed."""
        answer: Future[tuple[float, list[Metric]]] = Future()
        requested = time.perf_counter()

        def on_loop() -> None:
            delay = time.perf_counter() - requested
            try:
                answer.set_result((delay, list(self._collect())))
            except Exception as error:  # noqa: BLE001  # the answer reports it
                answer.set_exception(error)

        try:
            self._loop.call_soon_threadsafe(on_loop)
        except RuntimeError:
            return []
        try:
            delay, metrics = answer.result(SCRAPE_SECONDS)
        except LateError:
            delay, metrics = time.perf_counter() - requested, []
        return [metric("loop_delay_seconds", delay), *metrics]


class MetricsServer:
    """Answers scrapes at ``address``, in its own threads, until :meth:`close`.

    Each server has its own registry, because a process can run several servers.
    """

    def __init__(self, host: str, port: int) -> None:
        """Start to listen; port 0 selects a free port. Raises :class:`StartupError`."""
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        try:
            self._server, self._thread = start_http_server(port, host.strip("[]"), self._registry)
        except OSError as error:
            raise StartupError(f"cannot serve metrics on {host}:{port}: {error.strerror or error}") from error
        self.address = f"{host}:{self._server.server_port}"

    def register(self, collector: Collector) -> None:
        """Add a collector."""
        self._registry.register(collector)

    def close(self) -> None:
        """Stop listening; blocks for up to half a second."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
