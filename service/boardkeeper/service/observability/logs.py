"""The log: one line for each call and a few about the server, without tokens and secrets."""

from __future__ import annotations

import atexit
import json
import logging
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

import msgspec
import structlog

call_id: ContextVar[str] = ContextVar("call_id")
"""The id of the current call, which all its lines of the log contain."""

_FLUSH_SECONDS = 0.05
_MAX_LINES = 100_000
_MAX_VALUE = 500
_MAX_TRACE = 20_000
_BARE = re.compile(r"[^\s\"'=\\]+")

_Event = MutableMapping[str, Any]


def configure_logging(format: Literal["console", "json", "off"]) -> None:
    """Write the log to standard error, as JSON lines or for people; ``off`` logs only errors, as JSON."""
    level = logging.ERROR if format == "off" else logging.INFO
    render = _render_console if format == "console" else _render_json
    _writer.render_call = render if level == logging.INFO else None
    structlog.configure(
        processors=[
            _with_call_id,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _writer,
        cache_logger_on_first_use=False,
    )


class _LineWriter:
    """Collects lines, and writes several at once in a thread.

    A write for each call would release the interpreter lock each time, which costs more than the line itself. Errors
    are written at once, and all lines when the process ends. If the log cannot be written (a full disk, a closed pipe),
    lines are lost and the server continues.
    """

    render_call: Callable[[object, str, _Event], str] | None = None
    """Renders the line of a call; ``None`` if calls are not logged."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_MAX_LINES)
        self._has_lines = threading.Event()
        self._writing = threading.RLock()
        self._thread: threading.Thread | None = None
        atexit.register(self.flush)

    def info(self, line: str) -> None:
        self._lines.append(line)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="boardkeeper-log", daemon=True)
            self._thread.start()
        if not self._has_lines.is_set():
            self._has_lines.set()

    warning = info

    def error(self, line: str) -> None:
        self._lines.append(line)
        self.flush()

    def flush(self) -> None:
        """Write all collected lines, including those that another thread is writing now."""
        with self._writing:
            lines: list[str] = []
            with suppress(IndexError):
                while True:
                    lines.append(self._lines.popleft())
            if lines:
                with suppress(OSError, ValueError):
                    sys.stderr.write("\n".join(lines) + "\n")
                    sys.stderr.flush()

    def _run(self) -> None:
        while True:
            self._has_lines.wait()
            time.sleep(_FLUSH_SECONDS)
            self._has_lines.clear()
            self.flush()


_writer = _LineWriter()
_encoder = msgspec.json.Encoder(enc_hook=repr)


def _with_call_id(logger: object, method: str, line: _Event) -> _Event:
    id = call_id.get("")
    if id:
        line.setdefault("call_id", id)
    return line


def log_call(rpc: str, code: str, seconds: float, id: str, fields: Mapping[str, object]) -> None:
    """Write the line of a call; several times as fast as structlog, because most lines are of calls."""
    if _writer.render_call is None:
        return
    second, rest = divmod(time.time_ns(), 1_000_000_000)
    line = {
        "rpc": rpc,
        "code": code,
        "ms": round(seconds * 1e3, 2),
        "call_id": id,
        **fields,
        "event": "call",
        "level": "info",
        "timestamp": f"{_iso_second(second)}.{rest // 1_000:06}Z",
    }
    _writer.info(_writer.render_call(None, "info", line))


@lru_cache(maxsize=4)
def _iso_second(seconds: int) -> str:
    """Return the timestamp of a second since 1970 in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")


def _shorten(line: _Event) -> None:
    """Shorten long values in place: clients choose some of them."""
    for key, value in line.items():
        if isinstance(value, str):
            text = value
        elif value is None or isinstance(value, (int, float)):
            continue
        else:
            text = repr(value)
        limit = _MAX_TRACE if key == "exception" else _MAX_VALUE
        if len(text) > limit:
            line[key] = f"{text[:limit]}… ({len(text)} characters)"


def _render_json(logger: object, method: str, line: _Event) -> str:
    data = _encoder.encode(line)
    if len(data) > _MAX_VALUE:  # otherwise no value can be too long
        _shorten(line)
        data = _encoder.encode(line)
    text = data.decode()
    # JSON escapes the line breaks of ASCII. Some programs treat other characters of Unicode as line breaks.
    return text if text.isascii() else _escape(text)


def _render_console(logger: object, method: str, line: _Event) -> str:
    """Return ``time level event key=value …`` and a trace, if any; ten times as fast as structlog's renderer.

    Values with spaces, quotes or unprintable characters are quoted, because clients choose some of them.
    """
    _shorten(line)
    when, level, event = line.pop("timestamp"), line.pop("level"), line.pop("event")
    trace = line.pop("exception", "")
    values = " ".join(f"{key}={_quote(str(value))}" for key, value in line.items())
    # Indent the trace, so that a line of an error message cannot look like a line of the log.
    trace = "".join(f"\n  {_escape(part)}" for part in trace.split("\n")) if trace else ""
    return f"{when} {level:<7} {event:<10} {values}{trace}"


def _escape(text: str) -> str:
    """Escape unprintable characters as JSON does."""
    return "".join(it if it.isprintable() else json.dumps(it)[1:-1] for it in text)


def _quote(text: str) -> str:
    return text if text.isprintable() and _BARE.fullmatch(text) else repr(text)
