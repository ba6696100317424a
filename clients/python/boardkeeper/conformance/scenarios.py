"""Scenarios as they are written down, and how they are read."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from boardkeeper.table.decoding import convert

FOLDER = Path(__file__).parent / "scenarios"

ALWAYS = ("tells_each_once", "goes_on")
"""What must be seen of a client in every scenario."""

What = Literal[
    # Of a call with one answer.
    "lose", "hold", "conflict", "lag", "strange_commands", "strange_values", "strange_fields",
    "ask_back", "take_back", "restart", "twice", "drop",
    # Of any call.
    "goodbye", "refuse",
    # Of a stream.
    "hang_up", "end", "double", "heartbeats", "hide", "strange_events", "strange_updates",
]  # fmt: skip


class Harm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is done to calls of one rpc.

    ``at`` are the calls that it is done to, counted from 1 for each rpc, and none means all; what is done to a
    submission that was carried out counts those. A stream is harmed ``after`` so many of its events; one that is to
    ``end`` with ``OK`` may have had none. ``seconds`` are those after which the service wants to be asked again
    (``refuse``, ``end``), for which it is away (``restart``), or how
    long an answer waits behind a ``goodbye``; ``code``, ``reason`` and ``text`` are those of a
    refusal.
    """

    call: str
    what: What
    at: tuple[int, ...] = ()
    after: int = 0
    seconds: float = 0.0
    code: str = "UNAVAILABLE"
    reason: str = ""
    text: str = ""

    def is_due(self, number: int) -> bool:
        """Whether it is done to that call."""
        return not self.at or number in self.at


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a client meets, and what must be seen of it.

    ``habit`` is what is tested in two or three words, ``story`` what happens, ``why`` where one meets that. ``must``
    are names of :mod:`.musts`. The game is ended for the client once so many ``commands`` of it were carried out;
    ``may_end``: it may also give up, if it says why and ends with a status that is not 0.
    """

    name: str = ""
    title: str
    habit: str
    story: str
    why: str
    must: tuple[str, ...]
    commands: int = 5
    may_end: bool = False
    harm: tuple[Harm, ...] = ()


@cache
def scenarios() -> dict[str, Scenario]:
    """All scenarios by name, in the order of their habits."""
    found = [
        msgspec.structs.replace(convert(tomllib.loads(path.read_text("utf-8")), Scenario), name=path.stem)
        for path in sorted(FOLDER.glob("*.toml"))
    ]
    return {it.name: it for it in sorted(found, key=lambda it: (_HABITS.index(it.habit), it.name))}


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
