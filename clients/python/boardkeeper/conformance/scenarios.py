"""Scenarios: faults to inject, and what is expected of the client."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from boardkeeper.table.decoding import convert

FOLDER = Path(__file__).parent / "scenarios"

ALWAYS = ("prints_each_event_once", "finishes_the_game")
"""The expectations of every scenario."""

FaultKind = Literal[
    # Of unary calls.
    "lose_response", "delay_response", "conflict", "stale_read", "unknown_commands", "unknown_values", "unknown_fields",
    "request_undo", "undo", "restart", "process_twice", "lose_command",
    # Of all calls.
    "announce_shutdown", "fail",
    # Of streams.
    "disconnect", "end", "repeat_events", "heartbeats", "redact", "unknown_events", "unknown_updates",
]  # fmt: skip


class Fault(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault to inject into calls of one rpc.

    Args:
        call: the name of the rpc.
        kind: the kind of the fault.
        at: the numbers of the calls, counted from 1 for each rpc; empty for all calls. Faults after a submission count
            only submissions that were carried out.
        after: the number of events that a stream sends before the fault.
        seconds: the ``RetryInfo`` (``fail``, ``end``), the downtime (``restart``), or the delay of the response
            (``announce_shutdown``).
        code: the gRPC code of the error; ``end`` may end a stream with ``OK``.
        reason: the reason of the error.
        text: the sentence of the error.
    """

    call: str
    kind: FaultKind
    at: tuple[int, ...] = ()
    after: int = 0
    seconds: float = 0.0
    code: str = "UNAVAILABLE"
    reason: str = ""
    text: str = ""

    def is_due(self, number: int) -> bool:
        """Return whether the fault affects the call with that number."""
        return not self.at or number in self.at


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The faults that a client meets in one game, and what is expected of it.

    Args:
        name: the name of the file.
        title: the scenario in one line.
        habit: the topic, in two or three words.
        story: what happens.
        why: why it matters.
        must: names of :mod:`.expectations`.
        commands: the number of carried out commands after which the game is ended.
        may_end: whether the client may give up, if it prints why and exits with another status than 0.
        faults: the faults to inject.
    """

    name: str = ""
    title: str
    habit: str
    story: str
    why: str
    must: tuple[str, ...]
    commands: int = 5
    may_end: bool = False
    faults: tuple[Fault, ...] = ()


@cache
def scenarios() -> dict[str, Scenario]:
    """Return all scenarios by name, ordered by topic."""
    loaded = [
        msgspec.structs.replace(convert(tomllib.loads(path.read_text("utf-8")), Scenario), name=path.stem)
        for path in sorted(FOLDER.glob("*.toml"))
    ]
    return {it.name: it for it in sorted(loaded, key=lambda it: (_HABITS.index(it.habit), it.name))}


_HABITS = (
    "ids",
    "retries",
    "fresh reads",
    "errors",
    "reconnecting",
    "deadlines, language and token",
    "undo",
    "hidden information",
    "newer servers",
)
