"""One span for each call that is traced.

The instrumentation that OpenTelemetry has for gRPC is not used. It keeps what refusals say to people, which has their
names in it, and the addresses of clients; and with it a service was measured to answer a quarter fewer calls.
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
_KEPT = ("game", "fork", "seat", "after", "until", "commands")
"""What of the notes for the log goes into a span: numbers and ids of games, and no other text of clients."""
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
"""Codes that are the service's fault, by OpenTelemetry's conventions."""


def otlp_exporter(endpoint: str) -> SpanExporter:
    """Sends spans to a collector; its keys may be in OpenTelemetry's variable ``OTEL_EXPORTER_OTLP_HEADERS``."""
    host = urlsplit(endpoint).hostname or ""
    # A proxy cannot reach a collector on this machine. The exporter's annotation names options with texts only.
    options: Any = (("grpc.enable_http_proxy", 0),) if _LOOPBACK.fullmatch(host) else None
    return OTLPSpanExporter(endpoint=endpoint, timeout=_EXPORT_SECONDS, channel_options=options)


class Tracing:
    """Traces a share of all calls until :meth:`close`; a collector that is away loses some.

    A call goes on with the trace of its client. Whether that is kept follows from its id, not from what the client
    says: else a stranger could have all of his traced.
    """

    def __init__(self, exporter: SpanExporter, share: float, build: str) -> None:
        _log_with_ours()
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
        """The span of a call of an rpc ("Games.GetGame")."""
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

    def end(self, span: Span, code: StatusCode, reason: str, notes: Mapping[str, object]) -> None:
        """The call is over; ``reason`` is why it was refused, if it was."""
        if span.is_recording():
            span.set_attribute("rpc.grpc.status_code", code.value[0])
            if reason:
                span.set_attribute("boardkeeper.reason", reason)
            for key in _KEPT:
                value = notes.get(key)
                if isinstance(value, int) or (isinstance(value, str) and _GAME_ID.fullmatch(value)):
                    span.set_attribute(f"boardkeeper.{key}", value)
            if code in _FAULTS:
                span.set_status(Status(SpanStatus.ERROR))
        span.end()

    def close(self) -> None:
        """Send what is left; blocks for some seconds if the collector does not answer."""
        self._provider.shutdown()


class _OurLog(logging.Handler):
    """What OpenTelemetry has to say, in the service's log."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger("boardkeeper.tracing").warning("tracing", problem=record.getMessage())


def _log_with_ours() -> None:
    logger = logging.getLogger("opentelemetry")
    if not any(isinstance(handler, _OurLog) for handler in logger.handlers):
        logger.addHandler(_OurLog(logging.WARNING))
        logger.propagate = False
