"""The bytes of a message depend only on its content, not on how the server built it."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from tests.kit.adapters import adapter_of

from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.zones import Pile
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import event_pb2, game_pb2, games_pb2, table_pb2
from boardkeeper.wire.convert import make_serializer, serialize
from boardkeeper.wire.messages import board_to_message

MANY = 500
"""Enough entries for collisions in hash tables, so that the order depends on insertion."""


def test_the_order_of_insertion_into_a_map_has_no_effect() -> None:
    names = [f"option.{number}" for number in range(MANY)]
    expected = serialize(game_pb2.Game(options=dict.fromkeys(names, "chosen")))
    random.Random(1).shuffle(names)
    shuffled = game_pb2.Game(options=dict.fromkeys(names, "chosen"))
    assert serialize(shuffled) == expected
    assert shuffled.SerializeToString() != expected, "otherwise this test checks nothing"


@pytest.mark.parametrize("id", TITLES)
def test_the_order_of_insertion_into_a_pile_has_no_effect(id: str) -> None:
    """The piles of a past board are filled forwards or backwards from the nearest snapshot."""
    adapter = adapter_of(id)
    reordered = 0
    for seed, players in enumerate(adapter.players):
        with playout(adapter, seed, random_setup(adapter.title, seed, players)) as game:
            while not game.play.is_over():
                game.step()
                if len(game.commands) % 9:
                    continue
                table = game.at(len(game.events))
                for zone in table.zones.values():
                    if isinstance(zone, Pile):
                        reordered += len(zone.items) > 1
                        zone.items = dict(reversed(zone.items.items()))
                play = game.bind(table)
                for seat in game.table.deciding():
                    assert play.legal(seat) == game.play.legal(seat)
                for viewer in (SPECTATOR, 1, OPERATOR):
                    board, same = play.board(viewer), game.play.board(viewer)
                    assert serialize(board_to_message(id, board)) == serialize(board_to_message(id, same))
    assert reordered


def test_messages_are_serialized_in_one_module(repository: Path) -> None:
    found = [
        path.relative_to(repository).as_posix()
        for package in ("service", "wire")
        for path in sorted((repository / "service/boardkeeper" / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("SerializeToString", "SerializePartialToString")
    ]
    assert set(found) == {"service/boardkeeper/wire/convert.py"}


def test_only_messages_without_maps_use_the_fast_serializer() -> None:
    table = table_pb2.Table(zones=[table_pb2.Zone(id="a", contents=[table_pb2.Held(component="b", count=2)])])
    assert make_serializer(table_pb2.Table)(table) == serialize(table)
    assert make_serializer(table_pb2.Table) is not serialize
    for kind in (game_pb2.Game, games_pb2.CreateGameResponse, event_pb2.EventDetail):
        assert make_serializer(kind) is serialize
