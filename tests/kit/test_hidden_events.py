"""Hidden effects have a separate event: an event that is hidden from some viewers changes nothing that they see.

The recorder raises an error for hidden effects after the last event of a command. It cannot detect hidden effects that
the rules recorded before the wrong event. These tests find them in games of every title.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.game.games import start
from tests.game.records import finished_game
from tests.kit.adapters import EACH_TITLE
from tests.service.nations_title import NATIONS
from tests.service.tiny_title import DrawPearl

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import give
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.properties import check_own_event, hidden_events
from boardkeeper.testkit.setups import random_setup


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_no_hidden_event_changes_public_contents(adapter: Adapter) -> None:
    found = 0
    for seed in range(12):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        for hidden in hidden_events(eager_history(adapter, setup, Random(seed))):
            check_own_event(hidden)
            found += 1
    assert found, "some game has hidden events"


def test_an_event_with_hidden_and_public_effects_is_found() -> None:
    """One test title draws a hidden card and ends the turn in one event; another one uses two events."""
    game, events = start()
    events += give(game, 1, DrawPearl())
    mixed = [hidden for hidden in hidden_events(events) if hidden.public]
    assert [(hidden.event, hidden.viewer) for hidden in mixed] == [
        (f"tiny.PearlDrawn at {game.version}", viewer) for viewer in (0, 2)
    ]
    message = r"viewer seat\.2, .* zone hand\.1 \(seat\.1\)\. .*: marker turn \(public\)\. Put them into an event of"
    with pytest.raises(AssertionError, match=message):
        check_own_event(mixed[1])
    of_looks = list(hidden_events(finished_game(title=NATIONS, seats=4)))
    assert of_looks
    assert not any(hidden.public for hidden in of_looks)
