"""Each test run checks the published perft counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.kit.adapters import adapter_of
from tests.perft.counting import files, title_of
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import TINY

from boardkeeper.game.choices import complete
from boardkeeper.table.forking import layout_of
from boardkeeper.testkit import packed_files
from boardkeeper.testkit.packed_files import name_of
from boardkeeper.testkit.perft import PerftFile, Walk, bind_position, encode, leaves, read, split
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES

BY_NAME = {f"{path.parent.parent.name}/{path.parent.name}/{name_of(path)}": path for path in files()}


@pytest.mark.parametrize("name", BY_NAME)
def test_counts_are_as_published(name: str) -> None:
    file = read(BY_NAME[name])
    play = bind_position(title_of(BY_NAME[name]), file)
    found = split(play, len(file.counts))
    differing = {
        command: (file.split.get(command, 0), found.get(command, 0))
        for command in sorted(set(found) | set(file.split))
        if found.get(command, 0) != file.split.get(command, 0)
    }
    assert not differing, f"{name}: depth {len(file.counts)}, first command: (published, found)"
    assert sum(found.values()) == file.counts[-1]
    for depth, expected in enumerate(file.counts[:-1], 1):
        assert leaves(play, depth) == expected, f"{name}: depth {depth}, found {split(play, depth)}"


@pytest.mark.parametrize("name", BY_NAME)
def test_each_file_has_its_canonical_form(name: str) -> None:
    assert encode(read(BY_NAME[name])) == packed_files.read(BY_NAME[name])


@pytest.mark.parametrize("id", TITLES)
def test_each_decision_of_a_title_has_a_perft_position(id: str) -> None:
    """``tests/kit`` checks the number of positions for each edition."""
    adapter = adapter_of(id)
    of_title = [path for path in files() if path.parent.parent.name == id]
    counted = {decision for path in of_title for decision in bind_position(adapter.title, read(path)).table.decisions}
    assert counted >= set(adapter.decisions)


def test_a_position_can_be_a_layout_or_a_walk() -> None:
    """The counts are the same from a walk and from the layout that it leads to: the dice continue alike."""
    for title, setup in ((TINY, Setup("", 3)), (RIVAL_TITLE, Setup("", 1))):
        file = PerftFile(complete(title.meta, setup), [], {}, walk=Walk(7, 2))
        play = bind_position(title, file)
        from_layout = replace(file, walk=None, layout=layout_of(play.table))
        expected = [leaves(play, depth) for depth in (1, 2, 3)]
        assert expected[0] > 1, title
        assert expected[1] < expected[2]
        assert [leaves(bind_position(title, from_layout), depth) for depth in (1, 2, 3)] == expected
        assert split(bind_position(title, from_layout), 3) == split(play, 3)
        other = bind_position(title, replace(file, walk=Walk(8, 3)))
        assert layout_of(other.table) != layout_of(play.table)


def test_a_walk_ends_at_the_published_position() -> None:
    # The counting method is published, so it must not change.
    play = bind_position(TINY, PerftFile(complete(TINY.meta, Setup("", 2)), [], {}, walk=Walk(1, 3)))
    assert play.table.decisions[1:] == ["", "turn"]
    hands = {"hand.1": {"white": 1}, "hand.2": {"black": 1}}
    coins = {"purse.1": {"coin": 1}, "purse.2": {"coin": 3}}
    contents = {id: zone.counts() for id, zone in play.table.zones.items()}
    assert contents == {"pile": {"black": 2, "white": 2}, **coins, **hands}
