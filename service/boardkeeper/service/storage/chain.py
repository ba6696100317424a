"""The hash chain over the stored events of a game, which detects changes made outside the server.

Each row has a link: SHA-256 over the previous link and the row's version, topic and state. The last link is the head of
the chain. It is stored in the lobby row in the same transaction, so that deleted rows at the end are detected. An
attacker with write access to the database can compute a new chain; only exported, signed records reveal that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

ChainedRow = tuple[Any, Any, Any, Any]
"""Version, topic, state and link of a stored event. In a damaged database they may have any type."""


class Damage(NamedTuple):
    """The first version of a game whose row cannot be trusted, and the problem."""

    version: int
    problem: str


def initial_link(key: str) -> bytes:
    """Return the link that the first row continues; ``key`` is the game's id as it is stored."""
    return sha256(key.encode()).digest()


def next_link(previous: bytes, version: int, topic: str, state: bytes) -> bytes:
    """Return the link of a row."""
    return sha256(b"%b%b%b" % (previous, f"{version}:{len(topic)}:{topic}:".encode(), state)).digest()


def compute_links(key: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, bytes]]:
    """Yield the version and the correct link of each row. Rows begin with version, topic, state, from version 1."""
    last = initial_link(key)
    for version, topic, state, *_ in rows:
        last = next_link(last, version, topic, state)
        yield version, last


def find_damage(key: str, rows: Sequence[ChainedRow], head: object, head_version: object) -> Damage | None:
    """Compare all rows of a game with the stored head of the chain and its version; return the first damage."""
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
    """Return the rows before the first one that does not continue the chain.

    ``previous`` is the link of version ``after``, which the first row must continue.
    """
    for expected, (version, topic, state, stored) in enumerate(rows, after + 1):
        well_formed = version == expected and isinstance(topic, str) and isinstance(state, bytes)
        if not well_formed or (previous := next_link(previous, version, topic, state)) != stored:
            return rows[: expected - after - 1]
    return rows
