"""Jumps in time give the table that folding everything gives, from whichever side they come."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.game.games import create, give, play_on, started
from tests.service.tiny_title import TINY
from tests.table.test_forking import played

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.timeline import Timeline
from boardkeeper.table import snapshots
from boardkeeper.table.forking import layout_of
from boardkeeper.table.title import Setup, Title
from boardkeeper.titles.registry import load_title

ORLEANS = load_title("orleans")
SECRET = bytes(range(32))


class Log:
    """Stored events, and how many of them were read."""

    def __init__(self, events: Sequence[GameEvent]) -> None:
        self.events = events
        self.read = 0

    def __call__(self, after: int, until: int) -> Sequence[GameEvent]:
        self.read += until - after
        return self.events[after:until]


def whole_game(title: Title, seed: int, setup: Setup) -> list[GameEvent]:
    """A random game of persons with its undos, to its end."""
    game, events = create(*["person"] * setup.players, setup=setup, title=title)
    joined = game.join(list(range(1, setup.players + 1)), b"", "", 1)
    game.commit(joined)
    return [*events, *joined, *play_on(game, Random(seed))]


def checked(title: Title, events: Sequence[GameEvent], jumps: Sequence[int], step: int) -> None:
    """Every jump gives what folding gives: table, boards and legal commands."""
    folded = {}
    for version in set(jumps):
        folded[version] = Game.load(title, SECRET, events[:version])
    timeline = Timeline(title, Log(events), step)
    for version in jumps:
        moment, expected = timeline.at(version), folded[version]
        assert moment.version == version
        assert moment.table.contents() == expected.table.contents(), version
        assert (moment.play is None) == (expected.play is None)
        for seat in range(expected.created.setup.players + 1):
            if moment.play is not None and expected.play is not None:
                assert moment.play.board(seat) == expected.play.board(seat)
            if seat:
                assert list(moment.legal(seat)) == list(expected.legal(seat))


@pytest.mark.parametrize("step", [1, 2, 5, 64])
@pytest.mark.parametrize("seed", range(3))
def test_every_version_of_a_small_game_in_any_order(seed: int, step: int) -> None:
    events = whole_game(TINY, seed, Setup("", 2 + seed))
    versions = list(range(1, len(events) + 1))
    checked(TINY, events, [*versions, *reversed(versions), *Random(seed).sample(versions, len(versions))], step)


@pytest.mark.parametrize("planning", ["open", "sealed"])
def test_versions_of_a_long_game_in_any_order(planning: str) -> None:
    events = whole_game(ORLEANS, 1, Setup("", 3, {"planning": planning}))
    random = Random(2)
    checked(ORLEANS, events, [len(events), *(random.randint(1, len(events)) for _ in range(60))], 64)


def test_a_jump_reads_few_events() -> None:
    events = whole_game(ORLEANS, 1, Setup("", 2))
    log = Log(events)
    timeline = Timeline(ORLEANS, log)
    timeline.at(len(events))
    for version in range(1, len(events) + 1):
        before = log.read
        timeline.at(version)
        assert log.read - before <= 32


def test_a_timeline_goes_on_with_its_game() -> None:
    game, events = started()
    timeline = Timeline(TINY, lambda after, until: events[after:until], 2)
    for turn in range(8):
        assert timeline.at(len(events)).table.contents() == game.table.contents()
        events += give(game, turn % 2 + 1, game.legal(turn % 2 + 1)[0])
    assert timeline.at(1).play is None


def test_events_that_are_missing_are_noticed() -> None:
    events = whole_game(TINY, 1, Setup("", 2))
    del events[6]
    with pytest.raises(ValueError, match="not all there"):
        Timeline(TINY, Log(events)).at(9)


def test_a_snapshot_brings_the_table_back() -> None:
    table = played()
    again = snapshots.restore(snapshots.take(table), layout_of(table))
    assert again.contents() == table.contents()
    assert again.number("round").value == 4
    with pytest.raises(ValueError, match="zip"):
        snapshots.restore(snapshots.take(table), TINY.layout(Setup("first", 2)))
