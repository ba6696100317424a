"""A game that is saved in the middle of an action, of rewards or of an inquisition, and read back, goes on alike."""

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


def read_back(game: Playout[PaladinsPlay]) -> PaladinsPlay:
    """The rules on a fresh table, onto which everything was folded that has been stored of a game."""
    table = Table(game.layout)
    for event in game.events:
        table.apply_all(store_and_load(ADAPTER, event).effects)
    return game.bind(table)


def interrupted(game: Playout[PaladinsPlay]) -> Iterator[str]:
    """Where a game stands, if that is in the middle of something: a decision, and what waits behind it."""
    for seat in game.table.deciding():
        decision = game.table.decisions[seat]
        t = game.play.t
        if decision == "inquisition" and t.due:
            yield "an inquisition in the middle of rewards"
        elif decision in IN_BETWEEN:
            yield decision
        if decision == "reward" and sum(t.due[kind] for kind in t.due) > 1:
            yield "several rewards"


def goes_on_alike(seed: int, setup: Setup) -> Counter[str]:
    """Play a game, and go on with a copy that was read back in the middle of turns; where that was."""
    met: Counter[str] = Counter()
    with with_reproduction(Playout[PaladinsPlay](ADAPTER, seed, setup)) as game:
        again = None
        while not game.play.is_over():
            places = [*interrupted(game)]
            if again is None and any(met[place] < 2 for place in places):
                met.update(places)
                again = read_back(game)
            if again is None or not places:
                again = None
                game.step()
                continue
            for seat in game.table.deciding():
                assert list(again.legal(seat)) == list(game.play.legal(seat))
            events = game.step()
            seat, command = game.commands[-1]
            assert again.decide(seat, command) is None
            check_same_events(events, again.recorder.take())
            assert again.table.digest() == game.table.digest()
    return met


def test_what_was_saved_in_the_middle_goes_on_alike() -> None:
    wanted = {*IN_BETWEEN, "several rewards", "an inquisition in the middle of rewards"}
    met: Counter[str] = Counter()
    for seed in range(400):  # from fixed seeds: how many it takes changes with the rules only
        if wanted <= met.keys() and seed >= 24:
            return
        players = 2 + seed % 3
        setup = random_setup(ADAPTER.title, seed, players) if seed % 2 else default_setup(ADAPTER.title, players)
        met += goes_on_alike(seed // 2, setup)
    assert wanted <= met.keys()


@pytest.mark.parametrize("opponent", ["easy", "standard", "hard"])
def test_what_was_saved_against_the_opponent_goes_on_alike(opponent: str) -> None:
    setup = complete(ADAPTER.title.meta, Setup("", 2, {"opponent": opponent}))
    assert goes_on_alike(1, setup)["reward"]
