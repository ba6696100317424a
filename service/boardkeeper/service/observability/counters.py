"""Counters and histograms, which the server updates itself and Prometheus' collector reads.

Prometheus' own counters would cost more than the rest of a short call.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import product

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds for durations: from a command in memory to a disk that hangs."""


class Histogram:
    """The distribution of values. ``counts`` has one number for each bound, and one for larger values.

    A value that equals a bound counts for this bound. One thread writes, all threads can read.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class RpcCounters:
    """Counters of one RPC: calls by status code, open calls, and durations.

    For an RPC that ``streams`` its answer, ``messages`` and ``bytes`` count what was sent.
    """

    __slots__ = ("bytes", "codes", "messages", "name", "open", "seconds", "streams")

    def __init__(self, name: str, *, streams: bool) -> None:
        self.name = name
        self.streams = streams
        self.open = 0
        self.codes: dict[str, int] = {}
        self.seconds = Histogram()
        self.messages = 0
        self.bytes = 0

    def end(self, code: str, seconds: float) -> None:
        """Count the end of a call."""
        self.open -= 1
        self.codes[code] = self.codes.get(code, 0) + 1
        self.seconds.observe(seconds)


class ConnectionCounters:
    """Counters of open connections, and of rejected ones by the limit that was reached."""

    __slots__ = ("open", "rejected")

    def __init__(self) -> None:
        self.open = 0
        self.rejected = {"service": 0, "address": 0}


WEB_PROTOCOLS = ("connect", "grpc-web")
WEB_CODECS = ("proto", "json")

_ALERTING = ("OVERLOADED", "TOO_SLOW", "UNEXPECTED")
"""Reasons that alerts use. They start at 0, so that an alert sees the first error as an increase."""


class CallCounters:
    """Counters of all calls: those of each RPC, and errors by reason.

    ``play`` are the durations of commands on ``Play`` streams, ``web`` counts connections, and ``web_calls`` the ended
    calls of Connect and gRPC-Web by protocol and codec.
    """

    def __init__(self) -> None:
        self.rpcs: list[RpcCounters] = []
        self.play = Histogram()
        self.web = ConnectionCounters()
        self.web_calls = dict.fromkeys(product(WEB_PROTOCOLS, WEB_CODECS), 0)
        self.errors: dict[str, int] = dict.fromkeys(_ALERTING, 0)

    def add_rpc(self, name: str, *, streams: bool) -> RpcCounters:
        """Add the counters of an RPC, and return them."""
        counters = RpcCounters(name, streams=streams)
        self.rpcs.append(counters)
        return counters

    @property
    def open(self) -> int:
        """The number of open calls, with streams."""
        return sum(rpc.open for rpc in self.rpcs)

    def count_error(self, reason: str) -> None:
        """Count an error of a call, or of a request within a stream."""
        self.errors[reason] = self.errors.get(reason, 0) + 1
