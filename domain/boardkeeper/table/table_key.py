"""64-bit hashes of tables for transposition tables, equal in all processes.

A key is the sum, modulo 2⁶⁴, of a fixed random number for each fact of a table: each component in a pile, the order of
each stack, the value of each marker, each visibility and each open decision. So an effect changes a key by adding and
subtracting a few numbers (Zobrist 1970). Draw counters are not part of it. Keys are no proof of equality: use
:meth:`boardkeeper.table.table.Table.digest` where a collision would do harm.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from boardkeeper.table.effects import Ask, Effect, Move, Reveal, Scalar, Set
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, PUBLIC, can_count, sees
from boardkeeper.table.zones import AnyMarker, Stack, Zone

MASK = (1 << 64) - 1

_CACHED = 1 << 16


@lru_cache(_CACHED)
def _weight(subject: str, fact: Scalar, kind: str = "") -> int:
    """Return the random number of a fact: a component in a zone, the value of a marker, and so on."""
    text = f"{subject}\0{kind}\0{type(fact).__name__}\0{fact}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


@lru_cache(_CACHED)
def _stack_weight(zone: str, order: tuple[str, ...]) -> int:
    text = "\0".join((zone, *order))
    return int.from_bytes(blake2b(text.encode(), digest_size=8, person=b"stack").digest(), "big")


class TableKey:
    """Computes the keys of one table."""

    __slots__ = ("_ids_of_stacks", "_stacks", "_table")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._stacks = [zone for zone in table.zones.entries if isinstance(zone, Stack)]
        self._ids_of_stacks = {stack.id for stack in self._stacks}

    def sum(self) -> int:
        """Return the part of the key that :meth:`change` keeps up to date: everything but the orders of stacks."""
        table = self._table
        total = 0
        for zone in table.zones.entries:
            if not isinstance(zone, Stack):
                for component, count in zone.items.items():
                    total += count * _weight(zone.id, component)
            total += _weight(zone.id, zone.visibility, "visibility")
        for marker in table.markers.entries:
            total += _weight(marker.id, marker.value) + _weight(marker.id, marker.visibility, "visibility")
        for seat, decision in enumerate(table.decisions):
            total += _weight(decision, seat, "decision")
        return total & MASK

    def change(self, effects: Iterable[Effect]) -> int:
        """Return the difference that effects make to :meth:`sum`."""
        stacks = self._ids_of_stacks
        total = 0
        for effect in effects:
            if isinstance(effect, Move):
                source, target = effect.source, effect.target
                if source not in stacks:
                    total -= effect.count * _weight(source, effect.component)
                if target not in stacks:
                    total += effect.count * _weight(target, effect.component)
            elif isinstance(effect, Set):
                total += _weight(effect.marker, effect.after) - _weight(effect.marker, effect.before)
            elif isinstance(effect, Ask):
                seat = effect.seat
                total += _weight(effect.after, seat, "decision") - _weight(effect.before, seat, "decision")
            elif isinstance(effect, Reveal):
                subject = effect.subject
                total += _weight(subject, effect.after, "visibility") - _weight(subject, effect.before, "visibility")
        return total

    def whole(self, sum: int) -> int:
        """Return the key of the whole table; ``sum`` is the current :meth:`sum`."""
        for stack in self._stacks:
            sum += _stack_weight(stack.id, tuple(stack.order))
        return sum & MASK

    def visible(self, sum: int, viewer: int) -> int:
        """Return the key of what a viewer sees; ``sum`` is the current :meth:`sum`.

        Tables that look equal to the viewer have equal keys.
        """
        key = self.whole(sum)
        if viewer == OPERATOR:
            return key
        table = self._table
        for zone in table.zones.entries:
            if zone.visibility != PUBLIC and not sees(table, zone, viewer):
                key -= self._contents(zone)
                if can_count(table, zone, viewer):
                    key += _weight(zone.id, zone.total(), "count")
        for marker in table.markers.entries:
            if marker.visibility != PUBLIC and not sees(table, marker, viewer):
                key -= self._value(marker)
        return (key + _weight("viewer", viewer, "viewer")) & MASK

    @staticmethod
    def _contents(zone: Zone) -> int:
        if isinstance(zone, Stack):
            return _stack_weight(zone.id, tuple(zone.order))
        return sum(count * _weight(zone.id, component) for component, count in zone.items.items())

    @staticmethod
    def _value(marker: AnyMarker) -> int:
        return _weight(marker.id, marker.value)
