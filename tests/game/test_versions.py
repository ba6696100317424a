"""Compact lists of versions."""

from __future__ import annotations

from boardkeeper.game.command_ids import SeenCommands
from boardkeeper.game.versions import Batches, new_versions, widened


def test_versions_need_two_bytes_if_they_fit() -> None:
    short = widened(new_versions(), 65_535)
    short.append(65_535)
    assert short.itemsize == 2
    long = widened(short, 65_536)
    long.append(65_536)
    assert (long.itemsize, list(long)) == (4, [65_535, 65_536])
    assert widened(long, 1) is long


def test_commands_of_a_very_long_game_are_found() -> None:
    seen = SeenCommands("key")
    for version in (65_534, 65_535, 65_536, 4_000_000_000):
        seen.add(f"at {version}", version)
    assert [seen.find(f"at {version}") for version in (65_535, 65_536, 4_000_000_000)] == [
        [65_535],
        [65_536],
        [4_000_000_000],
    ]
    assert seen.first_of(70_000) == 65_536


def test_batches_of_a_very_long_game_can_be_undone() -> None:
    batches = Batches()
    batches.add(65_530, 1)
    batches.add(65_535, 2)
    batches.extend(65_536)
    batches.add(65_537, 1)
    assert batches.since(65_535) == [(65_535, 65_537)]
    batches.remove_from(65_537)
    assert (batches.is_last(65_535), batches.last_of(1)) == (True, 65_530)
    assert batches.since(1) == [(65_530, 65_530), (65_535, 65_536)]
