"""Traces with OpenTelemetry: one span for each traced call.

OpenTelemetry's own instrumentation of gRPC is not used: it records the texts of errors, which can contain names of
people, and the addresses of clients, and in a measurement the server answered a quarter fewer calls with it.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

import structlog
from grpc import StatusCode
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
from opentelemetry.trace import Span, SpanKind, Status
from opentelemetry.trace import StatusCode as SpanStatus
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_PARENT = "traceparent"
_EXPORT_SECONDS = 5
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")
_SPAN_FIELDS = ("game", "fork", "seat", "after", "until", "commands")
"""The log fields of a call that its span contains too: only numbers and ids of games, no other text of clients."""
_GAME_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_FAULTS = frozenset(
    {
        StatusCode.UNKNOWN,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.UNIMPLEMENTED,
        StatusCode.INTERNAL,
        StatusCode.UNAVAILABLE,
        StatusCode.DATA_LOSS,
    }
)
"""Status codes that count as errors of the server in OpenTelemetry's conventions."""


def otlp_exporter(endpoint: str) -> SpanExporter:
    """Return an exporter to a collector. The variable ``OTEL_EXPORTER_OTLP_HEADERS`` can contain its keys."""
    host = urlsplit(endpoint).hostname or ""
    # A proxy cannot reach a collector on this machine. The exporter's annotation lacks options with numbers.
    options: Any = (("grpc.enable_http_proxy", 0),) if _LOOPBACK.fullmatch(host) else None
    return OTLPSpanExporter(endpoint=endpoint, timeout=_EXPORT_SECONDS, channel_options=options)


class Tracing:
    """Traces a share of all calls, until :meth:`close`. Spans are lost while the collector cannot be reached.

    A call continues the trace of its client. The id of the trace decides whether it is sampled, not the flag of the
    client, because a client could otherwise have all of its calls traced.
    """

    def __init__(self, exporter: SpanExporter, share: float, build: str) -> None:
        _forward_log()
        about = {"service.version": build.rpartition(" ")[2]}
        if not os.environ.get("OTEL_SERVICE_NAME"):
            about["service.name"] = "boardkeeper"
        self._provider = TracerProvider(
            sampler=TraceIdRatioBased(share), resource=Resource.create(about), shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("boardkeeper")
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, rpc: str, call_id: str, metadata: Iterable[tuple[str, str | bytes]]) -> Span:
        """Begin the span of a call of an RPC such as ``Games.GetGame``."""
        parent = next((str(value) for key, value in metadata if key == _PARENT), "")
        service, _, method = rpc.partition(".")
        return self._tracer.start_span(
            f"boardkeeper.v1.{service}/{method}",
            self._propagator.extract({_PARENT: parent}) if parent else None,
            SpanKind.SERVER,
            {
                "rpc.system": "grpc",
                "rpc.service": f"boardkeeper.v1.{service}",
                "rpc.method": method,
                "boardkeeper.call_id": call_id,
            },
        )

    def end(self, span: Span, code: StatusCode, reason: str, fields: Mapping[str, object]) -> None:
        """End the span of a call. ``reason`` is the reason of its error, ``fields`` are its log fields."""
        if span.is_recording():
            span.set_attribute("rpc.grpc.status_code", code.value[0])
            if reason:
                span.set_attribute("boardkeeper.reason", reason)
            for key in _SPAN_FIELDS:
                value = fields.get(key)
                if isinstance(value, int) or (isinstance(value, str) and _GAME_ID.fullmatch(value)):
                    span.set_attribute(f"boardkeeper.{key}", value)
            if code in _FAULTS:
                span.set_status(Status(SpanStatus.ERROR))
        span.end()

    def close(self) -> None:
        """Send the remaining spans; blocks for some seconds if the collector does not answer."""
        self._provider.shutdown()


class _LogForwarder(logging.Handler):
    """Writes OpenTelemetry's log to the server's log."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger("boardkeeper.tracing").warning("tracing", problem=record.getMessage())


def _forward_log() -> None:
    logger = logging.getLogger("opentelemetry")
    if not any(isinstance(handler, _LogForwarder) for handler in logger.handlers):
        logger.addHandler(_LogForwarder(logging.WARNING))
        logger.propagate = False
