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
from boardkeeper.testkit.histories import played
from boardkeeper.testkit.properties import kept
from boardkeeper.testkit.setups import varied

TITLES = [pytest.param(it, id=it.id) for it in adapters()]


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
