"""What is hidden has an event of its own: it never takes an event from others that tells them something as well.

The recorder refuses hidden effects behind the last event of a command. Those before an event belong to it, and no
recorder can tell whether the event is theirs or they were forgotten there; so games of every title are looked at.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.game.games import started
from tests.game.records import finished
from tests.kit.adapters import adapters
from tests.service.nations_title import NATIONS
from tests.service.tiny_title import DrawPearl

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import give
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.properties import check_own_event, hidden_events
from boardkeeper.testkit.setups import random_setup

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


@pytest.mark.parametrize("adapter", TITLES)
def test_no_event_is_kept_from_somebody_that_changes_what_everybody_sees(adapter: Adapter) -> None:
    found = 0
    for seed in range(12):
        setup = random_setup(adapter.title, seed, adapter.players[seed % len(adapter.players)])
        for hidden in hidden_events(eager_history(adapter, setup, Random(seed))):
            check_own_event(hidden)
            found += 1
    assert found, "something is hidden in some game"


def test_an_event_that_mixes_both_is_found() -> None:
    """One of the tests' own titles draws a card in secret and ends its turn in one event, another does it in two."""
    game, events = started()
    events += give(game, 1, DrawPearl())
    mixed = [hidden for hidden in hidden_events(events) if hidden.public]
    assert [(hidden.event, hidden.viewer) for hidden in mixed] == [
        (f"tiny.PearlDrawn at {game.version}", viewer) for viewer in (0, 2)
    ]
    says = r"viewer seat\.2, .* zone hand\.1 \(seat\.1\)\. .*: marker turn \(public\)\. Put them into an event of"
    with pytest.raises(AssertionError, match=says):
        check_own_event(mixed[1])
    of_looks = list(hidden_events(finished(title=NATIONS, seats=4)))
    assert of_looks
    assert not any(hidden.public for hidden in of_looks)
