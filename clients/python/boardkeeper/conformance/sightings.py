"""What a service saw of a client: its calls, in the order in which they came."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from boardkeeper.conformance.scenarios import Harm


@dataclass
class Sighting:
    """One call. Times are seconds of a clock that only goes on; ``code`` is empty as long as it is under way."""

    rpc: str
    number: int
    metadata: dict[str, str]
    seconds: float | None
    """How long the client waits for all of the answer; ``None``: for ever."""
    began: float = field(default_factory=time.monotonic)
    ended: float = 0.0
    """From when on the client may know how it ended; 0 as long as it is under way."""
    code: str = ""
    request: Any = None
    """The message that was asked, as it came."""
    answer: Any = None
    """What was answered in the end, harmed or not; of a stream there is none."""
    harms: list[Harm] = field(default_factory=list)
    """What was done to it."""
    at: int = 0
    """The version of the game that was told as of now, where something was done that depends on it."""
    sent: list[int] = field(default_factory=list)
    """The versions of the events that were sent on a stream."""

    @property
    def name(self) -> str:
        """How a person calls it."""
        return f"{self.rpc} {self.number}"

    def end(self) -> None:
        """It ends, or has: called before the client is told, so that its waits are never measured too short."""
        self.ended = self.ended or time.monotonic()

    def is_harmed(self, *what: str) -> bool:
        """Whether one of these was done to it."""
        return any(each.what in what for each in self.harms)


@dataclass
class Ran:
    """How a client ended, and what it said; ``None`` as status: it was ended."""

    status: int | None
    out: str
    err: str = ""


@dataclass
class Seen:
    """Everything that was seen of one client."""

    calls: list[Sighting] = field(default_factory=list)
    tokens: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The tokens that the client was given, each with its game and seat."""
    games: dict[str, set[str]] = field(default_factory=dict)
    """The games that it has made, by the rpc that made them."""
    last: int = 0
    """The version at which its game ended; 0: it did not."""
    done: int = 0
    """How many submissions of it were carried out."""
    ran: Ran | None = None
    """How it ended; ``None``: that is nobody's business here."""

    def of(self, *rpcs: str) -> list[Sighting]:
        """The calls of these rpcs."""
        return [call for call in self.calls if call.rpc in rpcs]

    def harmed(self, *what: str) -> list[Sighting]:
        """The calls to which one of these was done."""
        return [call for call in self.calls if call.is_harmed(*what)]

    def after(self, call: Sighting, *rpcs: str) -> list[Sighting]:
        """What came after that call, of these rpcs or of all."""
        later = self.calls[next(at for at, it in enumerate(self.calls) if it is call) + 1 :]
        return [it for it in later if not rpcs or it.rpc in rpcs]


def id_of(request: Message) -> str:
    """The id that a client gave a request; empty: none."""
    return str(getattr(request, "command_id", "") or getattr(request, "request_id", ""))
