"""Check the features of a title in random games."""

from __future__ import annotations

from array import array

from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import playout
from boardkeeper.titlekit.feature_writer import ANY, FeatureWriter, Plan
from boardkeeper.titlekit.features import Features
from boardkeeper.titlekit.redaction import redact_table
from boardkeeper.titlekit.title import Setup


def check_features(adapter: Adapter, seed: int, setup: Setup, *, every: int = 25) -> int:
    """Play a random game, and check the features of one seat after every so many commands.

    They must be up to date, in their range, depend only on what the seat sees, and have a place for everything that the
    zones, words and decisions contain. Return the number of checks in which something was hidden from the seat.
    """
    features = Features(adapter.title, setup)
    viewer = features.viewers[seed % len(features.viewers)]
    plan = features.plans[viewer]
    vector, expected = (array("f", bytes(4 * features.size)) for _ in range(2))
    hidden = 0
    with playout(adapter, seed, setup) as game:
        writer = FeatureWriter(plan, game.table, viewer, memoryview(vector))
        writer.write()
        while not game.play.is_over():
            for event in game.step():
                writer.update(event.effects)
            if len(game.commands) % every:
                continue
            FeatureWriter(plan, redact_table(game.table, viewer), viewer, memoryview(expected)).write()
            different = [it for it, new, old in zip(features.names, vector, expected, strict=True) if new != old]
            assert not different, f"features that are not what seat {viewer} sees: {different}"
            too_far = [
                it
                for it, low, value, high in zip(features.names, features.low, vector, features.high, strict=True)
                if not low <= value <= high
            ]
            assert not too_far, f"features out of their range: {too_far}"
            missing = _without_place(plan, game.table, viewer)
            assert not missing, f"no features for {missing}: see Limits in boardkeeper.titlekit.soundness"
            hidden += any(not sees(game.table, zone, viewer) for zone in game.table.zones.values())
    return hidden


def _without_place(plan: Plan, table: Table, viewer: int) -> list[str]:
    """Return the components, words and decisions on the table that the viewer sees and that have no feature."""
    found = [
        f"{component} in {id}"
        for id, zone in plan.zones.items()
        if sees(table, table.zones[id], viewer)
        for component in table.zones[id].counts()
        if component not in zone.counts
    ]
    for id, words in plan.words.items():
        value = table.markers[id].value
        if words and value and sees(table, table.markers[id], viewer) and value not in words:
            found.append(f"{value!r} in {id}")
    for decision, known in zip(table.decisions, plan.decisions, strict=True):
        if decision and decision not in known and ANY not in known:
            found.append(f"the decision {decision}")
    return found
