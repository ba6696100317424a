"""The log: one line a request and a few about the service itself, never a token or a secret."""

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
"""The id of the call that is being handled: lines of the log that are written meanwhile tell it."""

_FLUSH_SECONDS = 0.05
_MOST_WAITING = 100_000
_LONGEST_VALUE = 500
_LONGEST_TRACE = 20_000
_BARE = re.compile(r"[^\s\"'=\\]+")

_Line = MutableMapping[str, Any]


def configure_logging(form: Literal["console", "json", "off"]) -> None:
    """Write the log to standard error, as JSON lines or readably; ``off`` keeps errors only, as JSON."""
    level = logging.ERROR if form == "off" else logging.INFO
    render = _readable if form == "console" else _json
    _lines.render_call = render if level == logging.INFO else None
    structlog.configure(
        processors=[
            _with_call_id,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _lines,
        cache_logger_on_first_use=False,
    )


class _Lines:
    """Collects lines and writes them together a moment later, from a thread of its own.

    A write for each request would let go of the interpreter each time, which costs more than the request's log line.
    Errors are written at once, and what is left when the process ends. A log that cannot be written (a full disk, a
    closed pipe) loses lines and stops nothing else.
    """

    render_call: Callable[[object, str, _Line], str] | None = None
    """What makes the line of a call; nothing if calls are not logged."""

    def __init__(self) -> None:
        self._waiting: deque[str] = deque(maxlen=_MOST_WAITING)
        self._some = threading.Event()
        self._writing = threading.RLock()
        self._thread: threading.Thread | None = None
        atexit.register(self.flush)

    def info(self, line: str) -> None:
        self._waiting.append(line)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="boardkeeper-log", daemon=True)
            self._thread.start()
        if not self._some.is_set():
            self._some.set()

    warning = info

    def error(self, line: str) -> None:
        self._waiting.append(line)
        self.flush()

    def flush(self) -> None:
        """Write what waits; what another thread has taken out by then is written, too, when this returns."""
        with self._writing:
            lines: list[str] = []
            with suppress(IndexError):
                while True:
                    lines.append(self._waiting.popleft())
            if lines:
                with suppress(OSError, ValueError):
                    sys.stderr.write("\n".join(lines) + "\n")
                    sys.stderr.flush()

    def _run(self) -> None:
        while True:
            self._some.wait()
            time.sleep(_FLUSH_SECONDS)
            self._some.clear()
            self.flush()


_lines = _Lines()
_encoder = msgspec.json.Encoder(enc_hook=repr)


def _with_call_id(logger: object, method: str, line: _Line) -> _Line:
    handled = call_id.get("")
    if handled:
        line.setdefault("call_id", handled)
    return line


def log_call(rpc: str, code: str, seconds: float, id: str, notes: Mapping[str, object]) -> None:
    """Write the line of one call as structlog would, but several times as fast: most lines are of calls."""
    if _lines.render_call is None:
        return
    second, rest = divmod(time.time_ns(), 1_000_000_000)
    line = {
        "rpc": rpc,
        "code": code,
        "ms": round(seconds * 1e3, 2),
        "call_id": id,
        **notes,
        "event": "call",
        "level": "info",
        "timestamp": f"{_second(second)}.{rest // 1_000:06}Z",
    }
    _lines.info(_lines.render_call(None, "info", line))


@lru_cache(maxsize=4)
def _second(seconds: int) -> str:
    """Return a time as in lines of the log, without its fraction."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")


def _shorten(line: _Line) -> None:
    """Cut values that are too long, in place: clients choose some of them."""
    for key, value in line.items():
        if isinstance(value, str):
            text = value
        elif value is None or isinstance(value, (int, float)):
            continue
        else:
            text = repr(value)
        most = _LONGEST_TRACE if key == "exception" else _LONGEST_VALUE
        if len(text) > most:
            line[key] = f"{text[:most]}… ({len(text)} characters)"


def _json(logger: object, method: str, line: _Line) -> str:
    data = _encoder.encode(line)
    if len(data) > _LONGEST_VALUE:  # otherwise no value is too long
        _shorten(line)
        data = _encoder.encode(line)
    text = data.decode()
    # What ends a line in ASCII is escaped already. Unicode has more that does to some readers, and worse.
    return text if text.isascii() else _escaped(text)


def _readable(logger: object, method: str, line: _Line) -> str:
    """``time level event key=value …``, then a trace if there is one; structlog's own form is ten times slower.

    Values are quoted where they could be taken for something else: some of them come from clients.
    """
    _shorten(line)
    when, level, event = line.pop("timestamp"), line.pop("level"), line.pop("event")
    trace = line.pop("exception", "")
    values = " ".join(f"{key}={_quoted(str(value))}" for key, value in line.items())
    # The trace is set in, so that no line of what an error says is taken for one of the log.
    trace = "".join(f"\n  {_escaped(part)}" for part in trace.split("\n")) if trace else ""
    return f"{when} {level:<7} {event:<10} {values}{trace}"


def _escaped(text: str) -> str:
    """A text with its unprintable characters as JSON and Python escape them."""
    return "".join(it if it.isprintable() else json.dumps(it)[1:-1] for it in text)


def _quoted(text: str) -> str:
    return text if text.isprintable() and _BARE.fullmatch(text) else repr(text)
