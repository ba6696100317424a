"""Forks: a table as a layout to begin from, exactly or with what a viewer cannot know dealt anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.table.zones import Stack


def layout_of(table: Table) -> TableLayout:
    """The layout of a table that is exactly as this one: contents, counters, markers, decisions, and who sees what."""
    return TableLayout(
        seats=len(table.decisions) - 1,
        zones=tuple(
            ZoneSpec(
                zone.id,
                zone.visibility,
                {} if isinstance(zone, Stack) else dict(sorted(zone.items.items())),
                isinstance(zone, Stack),
                zone.counter,
                tuple(zone.order) if isinstance(zone, Stack) else (),
            )
            for zone in table.zones.values()
        ),
        markers=tuple(MarkerSpec(marker.id, marker.value, marker.visibility) for marker in table.markers.values()),
        decisions=tuple(table.decisions[1:]),
    )


class HiddenMarkersError(ValueError):
    """A table cannot be dealt anew for somebody who does not see these ``markers``."""

    def __init__(self, markers: Sequence[str]) -> None:
        super().__init__(f"hidden markers cannot be dealt again: {', '.join(markers)}")
        self.markers = tuple(markers)


def hidden_markers(table: Table, viewer: int) -> list[str]:
    """The markers that a viewer does not see: of a table that has any there is no fork for him.

    Components are dealt anew because others of the same number could lie there as well. Which values a marker could
    have nobody can tell but the rules, so its true one would stand in the fork, where whoever forks has every seat's
    token; and beside zones that were dealt anew it would not even be true. No zone makes up for that: what is hidden
    is to lie in zones.
    """
    return [marker.id for marker in table.markers.values() if not sees(table, marker, viewer)]


def deal_anew(table: Table, viewer: int, groups: Iterable[Sequence[str]], dice: Dice) -> None:
    """Deal the components of the hidden zones of each group among them anew, at random.

    Zones that the viewer sees keep what they have; the others keep how many they have, so whatever the viewer knows
    stays true. ``dice`` must have a key of its own; its streams are named by the first zone of a group. Raises
    :class:`HiddenMarkersError`, with nothing dealt, if there are :func:`hidden_markers`.
    """
    hidden_from_him = hidden_markers(table, viewer)
    if hidden_from_him:
        raise HiddenMarkersError(hidden_from_him)
    deal(table, viewer, groups, dice)


def deal(table: Table, viewer: int, groups: Iterable[Sequence[str]], dice: Dice) -> None:
    """The same, whatever hidden markers say: for who sees to it that they are true of what is dealt."""
    for group in groups:
        hidden = [zone for zone in map(table.zones.__getitem__, group) if not sees(table, zone, viewer)]
        pool = sorted(component for zone in hidden for component in Counter(zone.counts()).elements())
        dealt = iter(dice.shuffled(f"fork:{group[0]}", 0, pool))
        for zone in hidden:
            contents = [next(dealt) for _ in range(zone.total())]
            if isinstance(zone, Stack):
                zone.order = contents
            else:
                zone.hold(Counter(contents))
