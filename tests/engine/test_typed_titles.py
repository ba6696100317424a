"""The modules of titles have exact types. ``make check-types`` checks the programs here with ``mypy --strict``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import assert_type, get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields

from boardkeeper import engine
from boardkeeper.engine import orleans, paladins, stories
from boardkeeper.titles.registry import TITLES, load_title


def test_a_typed_program_of_orleans() -> None:
    game = orleans.create(["Anna", "Ben"], seed=1)
    assert_type(game, orleans.Game)
    assert_type(game.legal(1), Sequence[orleans.Command])
    assert_type(game.clone().board(1).seats[0].merchant, str)
    assert_type(game.at(game.version).board(1).hour_glass.event, str)
    command = game.suggest(1)
    if isinstance(command, orleans.PlaceFollower):
        assert_type(command.follower, str)
    with game.trying() as tried:
        tried.push(1, tried.legal(1)[-1])
    placed = [command.follower for command in game.legal(1) if isinstance(command, orleans.PlaceFollower)]
    assert placed
    assert_type(orleans.action_space(2).command(0), orleans.Command)


def test_a_typed_program_of_paladins() -> None:
    game = paladins.create(2, seed=1)
    (seat,) = game.to_move
    first, *_ = game.legal(seat)
    match first:
        case paladins.HireTownsfolk(townsfolk, payment):
            assert_type(payment, str)
            assert townsfolk in {place.townsfolk for place in game.board(seat).townsfolk}
        case _:
            pytest.fail(f"the first decision has {first}")


def test_a_typed_program_of_stories() -> None:
    game = stories.create(4, edition="england-vs-france", seed=1)
    world = game.determinised(1, seed=2)
    assert_type(world.suggest(1), stories.Command)
    assert_type(game.search_state(viewer=1, seed=2).copy().legal(1), Sequence[stories.Command])
    kept = [command.message for command in world.legal(1) if isinstance(command, stories.KeepMessage)]
    assert len(kept) == 2
    assert world.board(1).nations


def count_legal(game: engine.Game) -> int:
    """Return the number of legal commands in a game of any title."""
    assert_type(game.legal(1), Sequence[Struct])
    return sum(len(game.legal(seat)) for seat in game.to_move)


def test_a_function_for_all_games_takes_typed_ones() -> None:
    game = orleans.create(2, seed=1)
    loaded = engine.load(game.save())
    assert_type(orleans.typed(loaded), orleans.Game)
    assert count_legal(game) == count_legal(loaded) > 0
    with pytest.raises(engine.MisuseError, match="a game of orleans, not of paladins"):
        paladins.typed(loaded)


def test_a_title_of_another_package_makes_its_module_itself() -> None:
    title = engine.TypedTitle[orleans.Board, orleans.Pass | orleans.UsePlace]("orleans")
    assert_type(title.create(2, seed=1).legal(1), Sequence[orleans.Pass | orleans.UsePlace])


@pytest.mark.parametrize("id", TITLES)
def test_each_title_has_a_complete_module(id: str) -> None:
    module, title = import_module(f"boardkeeper.engine.{id}"), load_title(id)
    assert get_args(module.Command) == tuple(title.commands.values())
    assert title.board_type is not None
    board_structs: dict[str, type[Struct]] = {}
    _add_structs(title.board_type, board_structs)
    expected = {**title.commands, **board_structs}
    assert {name: getattr(module, name, None) for name in expected} == expected
    assert set(module.__all__) == {*expected, "Command", "Game", "create", "typed", "action_space"}


def _add_structs(type: object, found: dict[str, type[Struct]]) -> None:
    """Add a struct, and those in the types of its fields, by name."""
    if get_origin(type) is None and isinstance(type, _StructType):
        found[type.__name__] = type
        for field in fields(type):
            _add_structs(field.type, found)
    for argument in get_args(type):
        _add_structs(argument, found)


_StructType = type(Struct)
