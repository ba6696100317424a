"""The published perft counts hold, each time the tests run."""

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
def test_counts(name: str) -> None:
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
def test_a_file_says_what_it_says_in_one_form(name: str) -> None:
    assert encode(read(BY_NAME[name])) == packed_files.read(BY_NAME[name])


@pytest.mark.parametrize("id", TITLES)
def test_each_decision_of_a_title_is_counted_somewhere(id: str) -> None:
    """How many positions of each edition there have to be is said in ``tests/kit``."""
    adapter = adapter_of(id)
    of_title = [path for path in files() if path.parent.parent.name == id]
    counted = {decision for path in of_title for decision in bind_position(adapter.title, read(path)).table.decisions}
    assert counted >= set(adapter.decisions)


def test_a_position_can_be_a_layout_or_a_walk() -> None:
    """The counts are the same however one has come there: from a layout everything goes on alike, chance too."""
    for title, setup in ((TINY, Setup("", 3)), (RIVAL_TITLE, Setup("", 1))):
        file = PerftFile(complete(title.meta, setup), [], {}, walk=Walk(7, 2))
        play = bind_position(title, file)
        laid = replace(file, walk=None, layout=layout_of(play.table))
        expected = [leaves(play, depth) for depth in (1, 2, 3)]
        assert expected[0] > 1, title
        assert expected[1] < expected[2]
        assert [leaves(bind_position(title, laid), depth) for depth in (1, 2, 3)] == expected
        assert split(bind_position(title, laid), 3) == split(play, 3)
        other = bind_position(title, replace(file, walk=Walk(8, 3)))
        assert layout_of(other.table) != layout_of(play.table)


def test_a_walk_ends_where_it_did() -> None:
    """The way of counting is published, so it may not change."""
    play = bind_position(TINY, PerftFile(complete(TINY.meta, Setup("", 2)), [], {}, walk=Walk(1, 3)))
    assert play.table.decisions[1:] == ["", "turn"]
    hands = {"hand.1": {"white": 1}, "hand.2": {"black": 1}}
    coins = {"purse.1": {"coin": 1}, "purse.2": {"coin": 3}}
    lying = {id: zone.counts() for id, zone in play.table.zones.items()}
    assert lying == {"pile": {"black": 2, "white": 2}, **coins, **hands}
