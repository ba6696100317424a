"""The chain over a game's stored rows, which shows whether somebody changed them behind the service's back.

Each row carries a link: SHA-256 over the link before, the row's version, topic and state. The last link, the head, also
stands in the lobby's line of the game and is written in the same transaction, so that rows cut off at the end are
missed too. Whoever may write the file can make a new chain as well: against that, only what was signed and handed out
before helps. The chain finds what tools, hands and failing disks do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

ChainedRow = tuple[Any, Any, Any, Any]
"""Version, topic, state and link of one stored event; whoever changes a row may put anything there."""


class Damage(NamedTuple):
    """The first version of a game whose row cannot be trusted, and what is wrong there."""

    version: int
    problem: str


def initial_link(key: str) -> bytes:
    """What stands for the link before a game's first row; ``key`` is the game's id as it is stored."""
    return sha256(key.encode()).digest()


def next_link(previous: bytes, version: int, topic: str, state: bytes) -> bytes:
    """The link of a row."""
    return sha256(b"%b%b%b" % (previous, f"{version}:{len(topic)}:{topic}:".encode(), state)).digest()


def compute_links(key: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, bytes]]:
    """The versions and right links of rows that begin with version, topic and state, from a game's first one on."""
    last = initial_link(key)
    for version, topic, state, *_ in rows:
        last = next_link(last, version, topic, state)
        yield version, last


def find_damage(key: str, rows: Sequence[ChainedRow], head: object, head_version: object) -> Damage | None:
    """What is wrong with all rows of a game, given its head and the version that the head is said to have."""
    last = initial_link(key)
    extra = 0
    for expected, (version, topic, state, stored) in enumerate(rows, 1):
        if version != expected:
            return Damage(expected, "a row is missing")
        if not (isinstance(topic, str) and isinstance(state, bytes)):
            return Damage(version, "the row has another form")
        if (last := next_link(last, version, topic, state)) != stored:
            return Damage(version, "the row does not fit its link")
        if last == head:
            extra = version + 1
    if rows and last == head:
        return None
    if extra:
        return Damage(extra, "the row was added behind the head of the chain")
    if isinstance(head_version, int) and len(rows) < head_version:
        return Damage(len(rows) + 1, "a row is missing")
    return Damage(max(1, len(rows)), "the head of the chain is another one")


def undamaged_prefix(previous: bytes, after: int, rows: Sequence[ChainedRow]) -> Sequence[ChainedRow]:
    """Those of the rows behind a version, whose link is ``previous``, that come before anything that does not fit."""
    for expected, (version, topic, state, stored) in enumerate(rows, after + 1):
        well_formed = version == expected and isinstance(topic, str) and isinstance(state, bytes)
        if not well_formed or (previous := next_link(previous, version, topic, state)) != stored:
            return rows[: expected - after - 1]
    return rows
