"""Settings of a connection that the blocking and the asyncio client share: retries, headers and monitoring."""

from __future__ import annotations

import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from boardkeeper.client.errors import BoardkeeperError, Overloaded, Unavailable

FIRST_DELAY = 0.05
MAX_DELAY = 2.0
LONG_CALL_FACTOR = 6
"""The deadline of calls that transfer a whole game, as a multiple of ``RetryPolicy.timeout``."""

CHANNEL_OPTIONS = [
    # A stream may be silent for long. Keepalive pings detect a peer that disappeared.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]

KEY_VARIABLE = "BOARDKEEPER_KEY"
"""The environment variable with the API key of clients that were created without a key."""

GAME_HEADER = "x-game-id"
"""The header with the game of a call, by which a proxy can route all calls of a game to the same process."""

_RANDOM = random.Random()  # a private RNG: the module-level one belongs to the host program
_KEY = re.compile(r"[!-~]{0,256}")
_GAME_ID = re.compile(r"[0-9A-Za-z-]{1,64}")


def server_wait(request: Message | None) -> float:
    """Return the number of seconds for which a request lets the server wait before it responds."""
    wait: Duration | None = getattr(request, "wait", None)
    return 0.0 if wait is None else wait.seconds + wait.nanos / 1e9


@dataclass(frozen=True)
class RetryPolicy:
    """Deadlines and retries of calls.

    ``timeout`` is the deadline of one attempt and ``retry_timeout`` limits all retries of a call, both in seconds.
    Every call can be retried safely: reads change nothing, and the server recognises repeated commands, new games
    and joins by their ids.
    """

    timeout: float = 10.0
    retry_timeout: float = 30.0

    @property
    def long_timeout(self) -> float:
        """The deadline in seconds of an attempt that transfers a whole game."""
        return LONG_CALL_FACTOR * self.timeout

    def deadline(self, request: Message) -> float:
        """Return the deadline of one attempt in seconds, which includes the time that the server may wait."""
        return self.timeout + server_wait(request)

    def delays(self, request: Message | None = None) -> Iterator[float]:
        """Yield the delays before retries in seconds, with exponential back-off, for at most ``retry_timeout``."""
        end = time.monotonic() + self.retry_timeout + server_wait(request)
        delay = FIRST_DELAY
        while time.monotonic() + delay < end:
            yield delay * _RANDOM.uniform(0.5, 1.0)  # jitter, so that many clients do not retry at the same time
            delay = min(delay * 2, MAX_DELAY)

    def next_delay(self, delays: Iterator[float], error: BaseException) -> float | None:
        """Return the delay before the next attempt in seconds, or ``None`` if the call must not be retried.

        The delay is at least the time that the server asked to wait.
        """
        if not isinstance(error, Unavailable | Overloaded):
            return None
        delay = next(delays, None)
        return None if delay is None or error.retry_after > self.retry_timeout else max(delay, error.retry_after)


@dataclass(frozen=True)
class CallHeaders:
    """The metadata of calls: the language of sentences, and the API key of a platform (empty: none)."""

    language: str = "en"
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for an invalid key, without quoting the key as gRPC's own error would."""
        if not _KEY.fullmatch(self.key):
            raise ValueError("the API key contains characters that are not allowed in a key")

    @classmethod
    def create(cls, language: str, key: str | None) -> CallHeaders:
        """Create headers with an API key. If ``key`` is ``None``, use the key in the variable ``BOARDKEEPER_KEY``."""
        return cls(language, os.environ.get(KEY_VARIABLE, "").strip() if key is None else key)

    def metadata(self, token: str = "", request: Message | None = None) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a call with a seat token or operator token (empty: none)."""
        metadata: tuple[tuple[str, str], ...] = (("accept-language", self.language),)
        game = getattr(request, "game_id", "")
        if _GAME_ID.fullmatch(game):
            metadata += ((GAME_HEADER, game),)
        if token or self.key:
            metadata += (("authorization", f"Bearer {token or self.key}"),)
        return (*metadata, ("x-boardkeeper-key", self.key)) if token and self.key else metadata


class ConnectionMonitor:
    """Reports through a callback when the server stops responding, and when it responds again.

    The callback is called with the error, or with ``None`` when the server responds again. Threads may share a monitor.
    """

    def __init__(self, on_change: Callable[[BoardkeeperError | None], None] | None) -> None:
        self._on_change = on_change
        self._lock = threading.Lock()
        self._is_lost = False

    @property
    def is_lost(self) -> bool:
        """Return whether the last call of the callback reported a lost connection."""
        return self._is_lost

    def report_loss(self, error: BoardkeeperError) -> None:
        """Report that the server did not respond to an attempt that will be retried."""
        self._change(is_lost=True, error=error)

    def report_response(self) -> None:
        """Report that the server responded."""
        self._change(is_lost=False, error=None)

    def _change(self, *, is_lost: bool, error: BoardkeeperError | None) -> None:
        if self._on_change is None:
            return
        with self._lock:
            has_changed, self._is_lost = self._is_lost is not is_lost, is_lost
        if has_changed:
            self._on_change(error)
