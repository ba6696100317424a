"""A client that applies the effects of its redacted events has the same table as the server shows it."""

from __future__ import annotations

from random import Random

import pytest
from tests.game.records import load_title
from tests.kit.adapters import EACH_GAME, adapters

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED
from boardkeeper.table.visibility import SPECTATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import give, undo
from boardkeeper.testkit.histories import histories, start_game
from boardkeeper.testkit.properties import check_client_tables
from boardkeeper.titlekit.title import Setup, Title

SEALED = [it for it in adapters() if "planning" in {option.id for option in it.title.meta.options}]


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_a_client_table_equals_the_redacted_table(adapter: Adapter, players: int) -> None:
    """In all kinds of games, with undos and forks. A client must reload the table only with sealed planning."""
    for events in histories(adapter, players).values():
        is_sealed = events[0].detail.setup.options.get("planning") == "sealed"  # type: ignore[attr-defined]
        reloads = check_client_tables(list(events))
        assert is_sealed or not reloads


@pytest.mark.parametrize("id", ["tiny", "nations"])
@pytest.mark.parametrize("seed", range(3))
def test_client_tables_are_correct_with_all_kinds_of_secrets(id: str, seed: int) -> None:
    title = load_title(id)
    setup = complete(title.meta, Setup("", title.meta.editions[0].players[1]))
    check_client_tables(random_game(title, setup, Random(seed)))


@pytest.mark.parametrize("adapter", SEALED, ids=lambda adapter: adapter.id)
def test_a_client_detects_that_its_table_is_incomplete(adapter: Adapter) -> None:
    """Effects do not contain plans behind screens. After reloading the table, the client is up to date."""
    setup = complete(adapter.title.meta, Setup("", 2, {"planning": "sealed"}))
    events = random_game(adapter.title, setup, Random(adapter.id), turns=150)
    revealed = [event for event in events if type(event.detail).__name__ == "PlansRevealed"]
    assert revealed
    reloads = check_client_tables(events)
    assert {event for _, event in reloads} <= {"PlansRevealed", "Undone"}, "docs/record.md, 2.3, names no others"
    assert {viewer for viewer, _ in reloads} == {SPECTATOR, 1, 2}
    for viewer in (SPECTATOR, 1, 2):
        assert reloads[viewer, "PlansRevealed"] == sum(event.seat != viewer for event in revealed)


def random_game(title: Title, setup: Setup, chance: Random, turns: int = 300) -> list[GameEvent]:
    """Return the events of a game with at most this number of random turns, and some undos."""
    game, events = start_game(title, setup)
    for turn in range(turns):
        if game.status == ENDED:
            break
        seat = chance.choice(game.table.deciding())
        events += give(game, seat, chance.choice(game.legal(seat)))
        if game.status != ENDED and chance.random() < 0.1 and isinstance(game.first_undo_version(seat), int):
            undo(game, events, seat, f"undo {turn}")
    return events
