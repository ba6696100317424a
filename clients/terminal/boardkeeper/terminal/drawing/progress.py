"""The positions of seats on tracks, the uses of places, and their current and next effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardkeeper.terminal.drawing.board import Board, PlacedMarker
from boardkeeper.v1 import catalog_pb2

LIMIT = "limit"
"""The key of a place's values for the maximum number of uses by a seat."""
MAX_SPACES = 100
"""The maximum number of spaces of a track."""


def describe_position(board: Board, it: PlacedMarker, *, ahead: bool = False) -> str:
    """Return the value of a seat's marker with its effect: ``16 (×4)``; with ``ahead`` also the next effect.

    If cards of the seat add to the value, the text is a sum: ``5+1``.
    """
    text = board.viewpoint.value(it.entry, it.value) + "".join(f"+{by}" for by in _added(board, it))
    gives = [*_now(board, it), *(_next(board, it) if ahead else ())]
    return f"{text} ({', '.join(gives)})" if gives else text


def next_space(board: Board, it: PlacedMarker) -> tuple[str, str]:
    """Return the number of the next space of a track with an effect, and the component of this space.

    On a track without a list of effects, return the current space. Both are empty if the title names no spaces.
    """
    if _template(board, it.entry) is None or not it.value.isdecimal():
        return "", ""
    lists = (value for key, value in _values(board, it).items() if key in board.viewpoint.phrases.next)
    ahead = [space for value in lists for space in spaces_in(value) if space > int(it.value)]
    space = str(min(ahead, default=it.value))
    return space, space_at(board, it.entry, space) or it.entry.component


def space_at(board: Board, entry: catalog_pb2.MarkerEntry, space: str) -> str:
    """Return the component of a space of a track; empty if it has none."""
    found = (_template(board, entry) or "").format(space)
    return found if found in board.viewpoint.names else ""


def spaces_of(board: Board, entry: catalog_pb2.MarkerEntry) -> dict[int, str]:
    """Return all spaces of a track that are components."""
    found = {space: space_at(board, entry, str(space)) for space in range(MAX_SPACES + 1)}
    return {space: component for space, component in found.items() if component}


def count_uses(board: Board, seat: int, place: str) -> int | None:
    """Return the number of times that a seat has used a place; ``None`` if the table does not show it."""
    rule = board.viewpoint.phrases.times.get(place, "")
    zone = board.by_id.get(f"seat.{seat}.{rule.removeprefix('-')}")
    if not rule or zone is None or not zone.count.isdecimal():
        return None
    used = int(zone.count)
    return int(board.viewpoint.values[place][LIMIT]) - used if rule.startswith("-") else used


def name_with_uses(board: Board, seat: int, place: str) -> str:
    """Return the name of a place with the number of uses by a seat and their limit: ``Fortify 2/7``."""
    used = count_uses(board, seat, place)
    return board.viewpoint.name(place) + (f" {used}/{board.viewpoint.values[place][LIMIT]}" if used is not None else "")


def compare_uses(board: Board, kind: str, component: str) -> str:
    """Return the uses by each seat of the place that a component in this kind of zone refers to."""
    place = board.viewpoint.values.get(component, {}).get(board.viewpoint.phrases.compared.get(kind, ""), "")
    used = ((seat, count_uses(board, seat, place)) for seat in sorted(board.seats))
    return ", ".join(f"{board.viewpoint.seat(seat)} {count}" for seat, count in used if count is not None)


def _template(board: Board, entry: catalog_pb2.MarkerEntry) -> str | None:
    return board.viewpoint.phrases.spaces.get(entry.component or entry.kind)


def _added(board: Board, it: PlacedMarker) -> Iterator[int]:
    kinds = [kind for kind, of in board.viewpoint.phrases.adds.items() if of == it.entry.kind]
    for zone in board.zones(it.entry.seat) if kinds else ():
        if zone.entry.kind in kinds:
            yield from filter(None, (board.viewpoint.values[id].get(it.entry.component, 0) for id in zone.counts))


def _now(board: Board, it: PlacedMarker) -> Iterator[str]:
    for key, phrase in board.viewpoint.phrases.now.items():
        value = _values(board, it).get(key)
        at = int(it.value) if it.value.isdecimal() else 0
        if isinstance(value, dict):
            here = [space for space in spaces_in(value) if space <= at]
            yield from (phrase.format(value[str(space)]) for space in here[-1:])
        elif isinstance(value, list) and 0 < at <= len(value):
            yield phrase.format(value[at - 1])


def _next(board: Board, it: PlacedMarker) -> Iterator[str]:
    for key, phrase in board.viewpoint.phrases.next.items():
        value = _values(board, it).get(key)
        if value and it.value.isdecimal():
            ahead = [space for space in spaces_in(value) if space > int(it.value)]
            for space in ahead[:1]:
                yield phrase.format(space, *([value[str(space)]] if isinstance(value, dict) else []))


def _values(board: Board, it: PlacedMarker) -> dict[str, Any]:
    return dict(board.viewpoint.values.get(it.entry.component, {}))


def spaces_in(value: Any) -> list[int]:
    """Return the sorted spaces in a list, or in the keys of an object."""
    return sorted(int(space) for space in value if str(space).isdecimal())
