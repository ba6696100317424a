"""What is hidden has an event of its own: it never takes an event from others that tells them something as well.

The recorder refuses hidden effects behind the last event of a command. Those before an event belong to it, and no
recorder can tell whether the event is theirs or they were forgotten there; so games of every title are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from tests.game.games import give, started
from tests.game.records import finished
from tests.kit.adapters import Adapter, adapters
from tests.kit.histories import played
from tests.kit.setups import varied
from tests.service.nations_title import NATIONS
from tests.service.tiny_title import DrawPearl

from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEvent
from boardkeeper.table.effects import Move, Set
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import SPECTATOR, hides_detail, visible_effect

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


def kept(events: Sequence[GameEvent]) -> Iterator[tuple[str, bool]]:
    """The events of a title that are kept from somebody, and whether they change something that everybody sees."""
    created = events[0].detail
    assert isinstance(created, GameCreated)
    table = Table(created.layout)
    for event in events[1:]:
        table.apply_all(event.effects)
        if isinstance(event.detail, GAME_EVENTS):  # these are told to all, whatever they change
            continue
        for viewer in range(len(table.decisions)):
            if any(hides_detail(table, effect, viewer) for effect in event.effects):
                changes = (it for it in event.effects if isinstance(it, Move | Set))
                is_mixed = any(visible_effect(table, it, SPECTATOR) is it for it in changes)
                yield f"{event.topic} at {event.originator_version} for {viewer}", is_mixed


@pytest.mark.parametrize("adapter", TITLES)
def test_no_event_is_kept_from_somebody_that_changes_what_everybody_sees(adapter: Adapter) -> None:
    found = 0
    for seed in range(12):
        setup = varied(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        for event, is_mixed in kept(played(adapter, setup, Random(seed))):
            assert not is_mixed, (seed, event)
            found += 1
    assert found, "something is hidden in some game"


def test_an_event_that_mixes_both_is_found() -> None:
    """One of the tests' own titles draws a card in secret and ends its turn in one event, another does it in two."""
    game, events = started()
    events += give(game, 1, DrawPearl())
    assert [event for event, is_mixed in kept(events) if is_mixed] == [
        f"tiny.PearlDrawn at {game.version} for {viewer}" for viewer in (0, 2)
    ]
    of_looks = list(kept(finished(title=NATIONS, seats=4)))
    assert of_looks
    assert not any(is_mixed for _, is_mixed in of_looks)
