"""The port on which Prometheus finds the metrics: HTTP, with nothing else behind it."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, start_http_server
from prometheus_client.registry import Collector

from boardkeeper.service.errors import StartupError


class Exposition:
    """Answers scrapes at ``address``, in threads of its own, from the start until :meth:`close`.

    Each has its own registry, so that several services in one process stay apart.
    """

    def __init__(self, host: str, port: int) -> None:
        """Listen, port 0 being any free one. Raises :class:`StartupError`."""
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
        """Tell this too from now on."""
        self._registry.register(collector)

    def close(self) -> None:
        """Stop listening; blocks for up to half a second."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
