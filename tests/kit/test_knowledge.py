"""Whoever has nothing but the effects that he is told knows all that he sees of a table, in games of every title."""

from __future__ import annotations

from random import Random

import pytest
from tests.kit.adapters import Adapter, adapters
from tests.kit.histories import played
from tests.kit.knowledge import told
from tests.kit.setups import standard

from boardkeeper.table.visibility import OPERATOR, SPECTATOR

GAMES = [pytest.param(it, it.players[at], id=f"{it.id}-{it.players[at]}") for it in adapters() for at in (0, -1)]
OFTEN = 20
"""Every so many events what is known is compared with the table, and at the end."""


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_what_is_folded_from_what_a_viewer_is_told_is_what_he_sees(adapter: Adapter, players: int) -> None:
    """As the title is by default: with undos, which show nothing again that had been hidden."""
    events = played(adapter, standard(adapter.title, players), Random(players), undos=3)
    compared = 0
    for version, (table, known) in enumerate(told(events, (SPECTATOR, 1, OPERATOR)), 1):
        if version % OFTEN and version < len(events):
            continue
        for viewer, knowledge in known.items():
            assert not list(knowledge.differences(table)), (version, viewer)
            compared += 1
    assert compared > 30
