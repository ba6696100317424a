"""Observations of a client: its calls in the order of their arrival, and how it exited."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from boardkeeper.conformance.scenarios import Fault


@dataclass
class ObservedCall:
    """A call of a client. Times are seconds of the monotonic clock."""

    rpc: str
    number: int
    """The number of the call among those of the same rpc, from 1."""
    metadata: dict[str, str]
    timeout: float | None
    """The client's deadline in seconds; ``None`` for no deadline."""
    start: float = field(default_factory=time.monotonic)
    end: float = 0.0
    """The first time at which the client could receive the result; 0 while the call is running."""
    code: str = ""
    """The status; empty while the call is running."""
    request: Any = None
    response: Any = None
    """The final response, with its faults; ``None`` for streams."""
    faults: list[Fault] = field(default_factory=list)
    """The injected faults."""
    current_version: int = 0
    """The version of the game when a ``stale_read`` returned an older one; 0 if it did not."""
    sent: list[int] = field(default_factory=list)
    """The versions of the events that a stream sent."""

    @property
    def name(self) -> str:
        """The call for messages: ``WatchGame 2``."""
        return f"{self.rpc} {self.number}"

    def set_end(self) -> None:
        """Set the end, if it is not set. Call it before sending the result, so that no pause seems too short."""
        self.end = self.end or time.monotonic()

    def has_fault(self, *kinds: str) -> bool:
        """Return whether a fault of one of these kinds was injected."""
        return any(fault.kind in kinds for fault in self.faults)


@dataclass
class ClientExit:
    """The exit status and output of a client. The status is ``None`` if the client was killed."""

    status: int | None
    out: str
    err: str = ""


@dataclass
class Observations:
    """All observations of one client in one scenario."""

    calls: list[ObservedCall] = field(default_factory=list)
    tokens: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The seat tokens that the client received, each with its game and seat."""
    games: dict[str, set[str]] = field(default_factory=dict)
    """The games that the client created, by rpc."""
    final_version: int = 0
    """The version at which the game ended; 0 if it did not end."""
    submissions: int = 0
    """The number of submissions that were carried out."""
    exit: ClientExit | None = None
    """``None`` for a client that the kit did not start."""

    def of(self, *rpcs: str) -> list[ObservedCall]:
        """Return the calls of these rpcs."""
        return [call for call in self.calls if call.rpc in rpcs]

    def with_fault(self, *kinds: str) -> list[ObservedCall]:
        """Return the calls with an injected fault of one of these kinds."""
        return [call for call in self.calls if call.has_fault(*kinds)]

    def after(self, call: ObservedCall, *rpcs: str) -> list[ObservedCall]:
        """Return the calls after a call, of these rpcs or of all."""
        later = self.calls[next(index for index, it in enumerate(self.calls) if it is call) + 1 :]
        return [it for it in later if not rpcs or it.rpc in rpcs]

    def next(self, call: ObservedCall, *rpcs: str) -> ObservedCall | None:
        """Return the first call after a call, of these rpcs or by default of the same rpc."""
        return next(iter(self.after(call, *(rpcs or (call.rpc,)))), None)


def id_of(request: Message) -> str:
    """Return the id of a request or command; empty if it has none."""
    return str(getattr(request, "command_id", "") or getattr(request, "request_id", ""))
