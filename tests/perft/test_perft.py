"""The published perft counts hold, each time the tests run."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.perft.counting import bound, files, leaves, read, split

from boardkeeper.titles.orleans.title import TITLE

BY_NAME = {f"{path.parent.name}/{path.stem}": path for path in files()}


@pytest.mark.parametrize("name", BY_NAME)
def test_counts(name: str) -> None:
    file = read(BY_NAME[name])
    play = bound(file.setup, file.position)
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


def test_there_are_at_least_eight_positions_of_each_edition() -> None:
    editions = Counter(path.parent.name for path in BY_NAME.values())
    assert all(editions[edition.id] >= 8 for edition in TITLE.meta.editions), editions
