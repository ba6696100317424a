"""Plain numbers that are counted where things happen, and read when somebody asks for the metrics.

Counting costs next to nothing and knows no format: what is made of it is a matter of the metrics.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import product

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds for what takes a moment; ours is the range from a command in memory to a disk that hangs."""


class Histogram:
    """How values spread over ranges: ``counts`` has one more than there are ``bounds``, for what lies beyond.

    A value that equals a bound lies below it. One thread notes, any may read.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def note(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class RpcCounters:
    """What is counted of one rpc: its calls by code, those that are open, and how long they took.

    Of an rpc that answers with a stream, ``seconds`` is nothing to go by: ``messages`` and ``bytes`` sent are counted
    instead.
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

    def ended(self, code: str, seconds: float) -> None:
        """A call is over."""
        self.open -= 1
        self.codes[code] = self.codes.get(code, 0) + 1
        self.seconds.note(seconds)


class ConnectionCounters:
    """What is counted of connections: those that are open, and by whose measure others were too many."""

    __slots__ = ("open", "refused")

    def __init__(self) -> None:
        self.open = 0
        self.refused = {"service": 0, "address": 0}


WEB_PROTOCOLS = ("connect", "grpc-web")
WEB_CODECS = ("proto", "json")

_ALERTING = ("OVERLOADED", "TOO_SLOW", "UNEXPECTED")
"""Reasons that alerts look for: told from the start, or the first of them would not be seen as one more."""


class CallCounters:
    """What is counted of all calls: each rpc's own, and what was refused for which reason.

    ``play`` are the seconds of commands on ``Play`` streams, ``web`` counts connections, and ``web_calls`` the
    finished calls of Connect and gRPC-Web by protocol and codec.
    """

    def __init__(self) -> None:
        self.rpcs: list[RpcCounters] = []
        self.play = Histogram()
        self.web = ConnectionCounters()
        self.web_calls = dict.fromkeys(product(WEB_PROTOCOLS, WEB_CODECS), 0)
        self.refusals: dict[str, int] = dict.fromkeys(_ALERTING, 0)

    def rpc(self, name: str, *, streams: bool) -> RpcCounters:
        """The tally of one more rpc."""
        tally = RpcCounters(name, streams=streams)
        self.rpcs.append(tally)
        return tally

    @property
    def open(self) -> int:
        """How many calls are open, of streams too."""
        return sum(rpc.open for rpc in self.rpcs)

    def refused(self, reason: str) -> None:
        """Something was refused: a call, or a request within a stream."""
        self.refusals[reason] = self.refusals.get(reason, 0) + 1
