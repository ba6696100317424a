"""The kinds of items in the event feed."""

from __future__ import annotations

from collections.abc import Collection

from boardkeeper.v1 import feed_pb2

KINDS = {
    name.removeprefix("FEED_ITEM_KIND_").lower(): number
    for name, number in feed_pb2.FeedItemKind.items()
    if number != feed_pb2.FEED_ITEM_KIND_UNSPECIFIED
}
"""The numbers of all kinds by name: created, joined, turn, ended, result, removed, handed_over, taken_back etc."""

_NAMES: dict[int, str] = {number: name for name, number in KINDS.items()}


def name_of(kind: int) -> str:
    """Return the name of a kind, or its number if only newer servers know the kind."""
    return _NAMES.get(kind, str(kind))


def numbers_of(kinds: Collection[str]) -> list[feed_pb2.FeedItemKind.ValueType]:
    """Return the numbers of kinds. Raises ``ValueError`` for an unknown name."""
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown:
        raise ValueError(f"unknown kind of item {unknown[0]!r}: the kinds are {', '.join(KINDS)}")
    return [number for name, number in KINDS.items() if name in kinds]
