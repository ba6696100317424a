"""Who has a table as he may see it, and the effects that he is told, knows all that he sees, in every title."""

from __future__ import annotations

from random import Random

import pytest
from tests.game.records import load_title
from tests.kit.adapters import adapters

from boardkeeper.game.choices import complete
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED
from boardkeeper.table.visibility import SPECTATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import give, undo
from boardkeeper.testkit.histories import histories, start_game
from boardkeeper.testkit.properties import check_client_tables
from boardkeeper.titlekit.title import Setup, Title

GAMES = [pytest.param(it, players, id=f"{it.id}-{players}") for it in adapters() for players in it.players]
SEALED = [it for it in adapters() if "planning" in {option.id for option in it.title.meta.options}]
OF_TESTS = ("tiny", "nations")


@pytest.mark.parametrize(("adapter", "players"), GAMES)
def test_what_is_folded_from_what_a_viewer_is_told_is_what_he_sees(adapter: Adapter, players: int) -> None:
    """Of games that went any way, with undos and forks; what the title is by default shows nothing legacy_choice."""
    for events in histories(adapter, players).values():
        is_sealed = events[0].detail.setup.options.get("planning") == "sealed"  # type: ignore[attr-defined]
        asked = check_client_tables(list(events))
        assert is_sealed or not asked


@pytest.mark.parametrize("id", OF_TESTS)
@pytest.mark.parametrize("seed", range(3))
def test_the_same_with_secrets_of_all_kinds(id: str, seed: int) -> None:
    """Also of a title that shows what nobody is told of."""
    title = load_title(id)
    check_client_tables(
        random_game(title, complete(title.meta, Setup("", title.meta.editions[0].players[1])), Random(seed))
    )


@pytest.mark.parametrize("adapter", SEALED, ids=lambda adapter: adapter.id)
def test_who_lacks_something_knows_that_he_does(adapter: Adapter) -> None:
    """What was planned behind a screen no effects say; whoever asks then, and goes on from there, is right again."""
    setup = complete(adapter.title.meta, Setup("", 2, {"planning": "sealed"}))
    events = random_game(adapter.title, setup, Random(adapter.id), turns=150)
    revealed = [event for event in events if type(event.detail).__name__ == "PlansRevealed"]
    assert revealed
    asked = check_client_tables(events)
    assert {event for _, event in asked} <= {"PlansRevealed", "Undone"}, "docs/record.md, 2.3, names no others"
    assert {viewer for viewer, _ in asked} == {SPECTATOR, 1, 2}
    for viewer in (SPECTATOR, 1, 2):
        assert asked[viewer, "PlansRevealed"] == sum(event.seat != viewer for event in revealed)


def random_game(title: Title, setup: Setup, chance: Random, turns: int = 300) -> list[GameEvent]:
    """The events of a game of so many turns at random, with an undo now and then."""
    game, events = start_game(title, setup)
    for turn in range(turns):
        if game.status == ENDED:
            break
        seat = chance.choice(game.table.deciding())
        events += give(game, seat, chance.choice(game.legal(seat)))
        if game.status != ENDED and chance.random() < 0.1 and isinstance(game.first_undo_version(seat), int):
            undo(game, events, seat, f"undo {turn}")
    return events
