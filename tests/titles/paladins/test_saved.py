"""A game that is stored during an action, rewards or an inquisition and loaded again continues alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tests.titles.paladins.adapter import ADAPTER

from boardkeeper.game.choices import complete
from boardkeeper.table.table import Table
from boardkeeper.testkit.playouts import Playout, check_same_events, store_and_load, with_reproduction
from boardkeeper.testkit.setups import default_setup, random_setup
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins.play import PaladinsPlay

IN_BETWEEN = (
    "workers",
    "develop",
    "recruit",
    "commission",
    "garrison",
    "absolve",
    "attack",
    "convert",
    "reward",
    "keep",
)
"""Decisions in the middle of a turn."""


def load(game: Playout[PaladinsPlay]) -> PaladinsPlay:
    """Return the rules on a new table with all stored events of a game applied."""
    table = Table(game.layout)
    for event in game.events:
        table.apply_all(store_and_load(ADAPTER, event).effects)
    return game.bind(table)


def find_interruptions(game: Playout[PaladinsPlay]) -> Iterator[str]:
    """Yield the places if the game is in the middle of a turn: a decision, and what waits for it."""
    for seat in game.table.deciding():
        decision = game.table.decisions[seat]
        t = game.play.t
        if decision == "inquisition" and t.due:
            yield "an inquisition in the middle of rewards"
        elif decision in IN_BETWEEN:
            yield decision
        if decision == "reward" and sum(t.due[kind] for kind in t.due) > 1:
            yield "several rewards"


def play_with_loaded_copy(seed: int, setup: Setup) -> Counter[str]:
    """Play a game beside a copy that is loaded in the middle of turns, and return the places of loading."""
    found: Counter[str] = Counter()
    with with_reproduction(Playout[PaladinsPlay](ADAPTER, seed, setup)) as game:
        loaded = None
        while not game.play.is_over():
            places = [*find_interruptions(game)]
            if loaded is None and any(found[place] < 2 for place in places):
                found.update(places)
                loaded = load(game)
            if loaded is None or not places:
                loaded = None
                game.step()
                continue
            for seat in game.table.deciding():
                assert list(loaded.legal(seat)) == list(game.play.legal(seat))
            events = game.step()
            seat, command = game.commands[-1]
            assert loaded.decide(seat, command) is None
            check_same_events(events, loaded.recorder.take())
            assert loaded.table.digest() == game.table.digest()
    return found


def test_a_game_loaded_in_the_middle_of_a_turn_continues_alike() -> None:
    wanted = {*IN_BETWEEN, "several rewards", "an inquisition in the middle of rewards"}
    found: Counter[str] = Counter()
    for seed in range(400):  # the seeds are fixed, so the number of games depends only on the rules
        if wanted <= found.keys() and seed >= 24:
            return
        players = 2 + seed % 3
        setup = random_setup(ADAPTER.title, seed, players) if seed % 2 else default_setup(ADAPTER.title, players)
        found += play_with_loaded_copy(seed // 2, setup)
    assert wanted <= found.keys()


@pytest.mark.parametrize("opponent", ["easy", "standard", "hard"])
def test_a_loaded_game_against_the_opponent_continues_alike(opponent: str) -> None:
    setup = complete(ADAPTER.title.meta, Setup("", 2, {"opponent": opponent}))
    assert play_with_loaded_copy(1, setup)["reward"]
