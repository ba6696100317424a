"""A timeline gives the same table at any version as applying all events, in any order of jumps."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.game.games import create, start
from tests.service.tiny_title import TINY
from tests.table.test_forking import create_played_table

from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.timeline import Snapshot, TableReplay, Timeline
from boardkeeper.table import snapshots
from boardkeeper.table.forking import layout_of
from boardkeeper.testkit.games import finish_game, give
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import load_title

ORLEANS = load_title("orleans")
SECRET = bytes(range(32))


class Log:
    """Stored events, with the number of events that were read."""

    def __init__(self, events: Sequence[GameEvent]) -> None:
        self.events = events
        self.read = 0

    def __call__(self, after: int, until: int) -> Sequence[GameEvent]:
        self.read += until - after
        return self.events[after:until]


def whole_game(title: Title, seed: int, setup: Setup) -> list[GameEvent]:
    """Return the events of a random finished game of persons."""
    game, events = create(*["person"] * setup.players, setup=setup, title=title)
    joined = game.join(list(range(1, setup.players + 1)), b"", "", 1)
    game.commit(joined)
    return [*events, *joined, *finish_game(game, Random(seed))]


def take_snapshots(events: Sequence[GameEvent], every: int) -> list[Snapshot]:
    """Return snapshots of every ``every``-th version and of the last one."""
    assert isinstance(events[0].detail, GameCreated)
    replay = TableReplay(events[0].detail.layout)
    snapshots = []
    for event in events:
        replay.apply(event)
        if replay.version % every == 0 or replay.version == len(events):
            snapshots.append(replay.snapshot())
    return snapshots


def check_jumps(
    title: Title, events: Sequence[GameEvent], jumps: Sequence[int], step: int, stored: Sequence[Snapshot] = ()
) -> None:
    """Check table, boards and legal commands at each jump against a loaded game."""
    loaded = {version: Game.load(title, SECRET, events[:version]) for version in set(jumps)}
    timeline = Timeline(title, Log(events), step, lambda _: stored)
    for version in jumps:
        moment, expected = timeline.at(version), loaded[version]
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
def test_jumps_to_every_version_of_a_small_game_in_any_order(seed: int, step: int) -> None:
    events = whole_game(TINY, seed, Setup("", 2 + seed))
    versions = list(range(1, len(events) + 1))
    check_jumps(TINY, events, [*versions, *reversed(versions), *Random(seed).sample(versions, len(versions))], step)


@pytest.mark.parametrize("planning", ["open", "sealed"])
def test_jumps_to_versions_of_a_long_game_in_any_order(planning: str) -> None:
    events = whole_game(ORLEANS, 1, Setup("", 3, {"planning": planning}))
    random = Random(2)
    check_jumps(ORLEANS, events, [len(events), *(random.randint(1, len(events)) for _ in range(60))], 64)


@pytest.mark.parametrize("every", [1, 3, 7, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_jumps_from_stored_snapshots_forwards_and_backwards(seed: int, every: int) -> None:
    events = whole_game(TINY, seed, Setup("", 2 + seed))
    stored = take_snapshots(events, every)
    versions = list(range(1, len(events) + 1))
    for jumps in (versions, versions[::-1], Random(seed).sample(versions, len(versions))):
        check_jumps(TINY, events, jumps, 64, stored)
    for version in versions:  # each as the first jump
        check_jumps(TINY, events, [version], 4, stored)


def test_jumps_from_stored_snapshots_of_a_long_game_in_any_order() -> None:
    events = whole_game(ORLEANS, 3, Setup("", 4))
    stored = take_snapshots(events, 128)
    random = Random(4)
    check_jumps(ORLEANS, events, [random.randint(1, len(events)) for _ in range(60)], 64, stored)


@pytest.mark.parametrize("seed", range(3))
def test_every_snapshot_can_be_replayed_to_both_ends(seed: int) -> None:
    events = whole_game(TINY, seed, Setup("", 2 + seed))
    assert isinstance(events[0].detail, GameCreated)
    layout = events[0].detail.layout
    stored = take_snapshots(events, 1)
    for snapshot in stored:
        forth, back = TableReplay(layout, snapshot), TableReplay(layout, snapshot)
        for event in events[snapshot.version :]:
            forth.apply(event)
            assert forth.table.contents() == TableReplay(layout, stored[forth.version - 1]).table.contents()
            assert forth.status == stored[forth.version - 1].status
        for event in reversed(events[1 : snapshot.version]):
            back.revert(event)
            assert back.table.contents() == TableReplay(layout, stored[back.version - 1]).table.contents()
            assert back.status == stored[back.version - 1].status


def test_the_first_jump_starts_at_the_nearest_stored_snapshot() -> None:
    events = whole_game(ORLEANS, 1, Setup("", 2))
    stored = take_snapshots(events, 256)
    for version in (250, 260, 384, len(events) - 5, len(events)):
        log = Log(events)
        Timeline(ORLEANS, log, stored=lambda _: stored).at(version)
        assert log.read <= 1 + 128  # 1 for the first event, which contains the layout


def test_snapshots_and_events_after_the_newest_version_are_not_read() -> None:
    events = whole_game(TINY, 1, Setup("", 2))
    stored = take_snapshots(events, 8)
    trusted = events[:14]
    expected = Game.load(TINY, SECRET, trusted)
    moment = Timeline(TINY, Log(trusted), stored=lambda _: stored).at(14, newest=14)  # snapshot 16 is the nearest one
    assert moment.table.contents() == expected.table.contents()
    with pytest.raises(ValueError, match="missing"):
        Timeline(TINY, Log(trusted), stored=lambda _: stored).at(14)


def test_a_jump_reads_few_events() -> None:
    events = whole_game(ORLEANS, 1, Setup("", 2))
    log = Log(events)
    timeline = Timeline(ORLEANS, log)
    timeline.at(len(events))
    for version in range(1, len(events) + 1):
        before = log.read
        timeline.at(version)
        assert log.read - before <= 32


def test_a_timeline_finds_new_events() -> None:
    game, events = start()
    timeline = Timeline(TINY, lambda after, until: events[after:until], 2)
    for turn in range(8):
        assert timeline.at(len(events)).table.contents() == game.table.contents()
        events += give(game, turn % 2 + 1, game.legal(turn % 2 + 1)[0])
    assert timeline.at(1).play is None


def test_missing_events_are_an_error() -> None:
    events = whole_game(TINY, 1, Setup("", 2))
    del events[6]
    with pytest.raises(ValueError, match="missing"):
        Timeline(TINY, Log(events)).at(9)


def test_a_snapshot_restores_the_table() -> None:
    table = create_played_table()
    layout, other = layout_of(table), TINY.layout(Setup("first", 2))
    data = snapshots.encode_snapshot(table)
    restored = snapshots.decode_snapshot(data, layout)
    assert restored.contents() == table.contents()
    assert restored.number("round").value == 4
    assert snapshots.is_snapshot_of(data, layout)
    assert not snapshots.is_snapshot_of(data, other)
    assert not snapshots.is_snapshot_of(data[:-1], layout)
    with pytest.raises(ValueError, match="zip"):
        snapshots.decode_snapshot(data, other)
