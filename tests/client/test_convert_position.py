"""Position files of version 0.1, which contain typed boards of Orléans, are converted to tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from tests.titles.orleans.playouts import playout, varied

from boardkeeper.table.forking import layout_of
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.terminal import positions
from boardkeeper.terminal.convert_position import converted
from boardkeeper.terminal.errors import CommandError
from boardkeeper.titlekit.positions import read
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE
from boardkeeper.wire.messages import board_to_message
from boardkeeper.wire.tables import table_from_message

OMITTED = (".placed", ".best_development")
"""Markers that a typed board contains only in some situations."""


def old_position(setup: Setup, play: OrleansPlay, *, snake_case: bool = True) -> dict[str, Any]:
    """Return a position file of version 0.1."""
    board = board_to_message("orleans", play.board(OPERATOR))
    position = MessageToDict(board, preserving_proto_field_name=snake_case)
    return {
        "title": "orleans",
        "edition": setup.edition,
        "options": setup.options,
        "readings": setup.readings,
        "position": position,
    }


@pytest.mark.parametrize("seed", range(8))
def test_a_board_is_converted_to_its_table(seed: int) -> None:
    setup, chance = varied(seed, 2 + seed % 4), Random(seed)
    with playout(seed, setup) as game:
        while not game.play.is_over():
            for _ in range(chance.randrange(1, 80)):
                if not game.play.is_over():
                    game.step()
            if game.play.is_over():
                break
            request = converted(json.loads(json.dumps(old_position(setup, game.play, snake_case=bool(seed % 2)))))
            found = Table(read(TITLE, setup, table_from_message(request.position))).contents()
            expected = Table(layout_of(game.table)).contents()
            for contents in (found, expected):
                markers = contents["markers"]
                assert isinstance(markers, dict)
                contents["markers"] = {id: it for id, it in markers.items() if not id.endswith(OMITTED)}
            assert found == expected


def test_an_old_file_is_recognized_and_converted(tmp_path: Path) -> None:
    setup = varied(1, 3)
    with playout(1, setup) as game:
        for _ in range(40):
            game.step()
        file = tmp_path / "old.json"
        file.write_text(json.dumps(old_position(setup, game.play)), "utf-8")
    with pytest.raises(CommandError, match=r"has the form of version 0\.1"):
        positions.read(str(file))

    run = [sys.executable, "-m", "boardkeeper.terminal.convert_position"]
    done = subprocess.run([*run, str(file)], capture_output=True, text=True, check=True)

    new = tmp_path / "new.json"
    new.write_text(done.stdout, "utf-8")
    request = positions.read(str(new))
    assert (request.title, positions.seats(request)) == ("orleans", 3)
    assert read(TITLE, setup, table_from_message(request.position)).decisions == tuple(game.table.decisions[1:])

    again = subprocess.run([*run, str(new)], capture_output=True, text=True, check=False)
    assert (again.returncode, again.stdout) == (1, "")
    assert "no typed board" in again.stderr
    assert subprocess.run(run, capture_output=True, check=False).returncode == 2
