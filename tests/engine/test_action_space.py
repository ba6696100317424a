"""Action spaces: every legal command has an id. Random games of the test kit check this too (``Playout.choose``)."""

from __future__ import annotations

from array import array
from random import Random

import pytest
from liars_cards import TITLE as LIARS_CARDS
from tests.engine.playing import variants
from tests.service.tiny_title import TINY

from boardkeeper import engine
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit.simple import Move
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles import registry
from boardkeeper.titles.registry import load_title


def check_random_game(title: str, setup: Setup, seed: int, commands: int) -> None:
    """Compare masks with legal commands in a random game."""
    space = engine.action_space(title, setup.players, setup.edition, setup.options, setup.readings)
    people = setup.players - len(load_title(title).automata(setup))
    random = Random(seed)
    game = engine.create(
        title, people, edition=setup.edition, options=setup.options, readings=setup.readings, seed=seed
    )
    assert (game.setup, game.title.id) == (space.setup, space.title)
    mask = bytearray(b"\xff" * space.n_actions)
    for _ in range(commands):
        if game.is_over:
            break
        for seat in game.to_move:
            legal = game.legal(seat)
            ids = space.legal(game, seat)
            assert [space.command(id) for id in ids] == list(legal)
            assert list(map(space.index, legal)) == ids
            assert [id for id, bit in enumerate(space.mask(game, seat, mask)) if bit] == sorted(ids)
        seat = random.choice(game.to_move)
        game.push(seat, random.choice(game.legal(seat)))


def test_masks_show_the_legal_commands() -> None:
    for seed, (title, edition, players) in enumerate(variants()):
        setup = random_setup(load_title(title), seed, players, [edition])
        check_random_game(title, setup, seed, 60)


def test_every_kind_of_command_is_in_an_action_space() -> None:
    missing = {(meta.id, name) for meta in engine.titles() for name in load_title(meta.id).commands}
    for seed in range(3):
        for title, edition, players in variants():
            setup = random_setup(load_title(title), seed, players, [edition])
            space = engine.action_space(title, setup.players, edition, setup.options, setup.readings)
            missing -= {(title, kind.name) for kind in space.kinds}
    assert not missing


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(10))
def test_masks_show_the_legal_commands_of_many_games(chunk: int) -> None:
    for seed in range(1000 * (chunk + 1), 1000 * (chunk + 1) + 20):
        for title, edition, players in variants():
            setup = random_setup(load_title(title), seed, players, [edition])
            check_random_game(title, setup, seed, 100_000)


def test_a_mask_can_be_in_any_buffer_of_bytes() -> None:
    game, space = engine.create("paladins", 2, seed=1), engine.action_space("paladins", 2)
    seat = game.to_move[0]
    expected = bytes(space.mask(game, seat, bytearray(space.n_actions)))
    assert sum(expected) == len(game.legal(seat)) > 1
    booleans = memoryview(bytearray(b"\x01" * space.n_actions)).cast("?")  # as numpy.bool has it
    assert bytes(space.mask(game, seat, booleans)) == expected
    assert space.mask(game, seat, array("b", bytes(space.n_actions))).tobytes() == expected
    for wrong in (bytes(space.n_actions), bytearray(3), array("f", [0.0] * space.n_actions), [0] * space.n_actions):
        with pytest.raises(engine.MisuseError, match="out must be"):
            space.mask(game, seat, wrong)


def test_factored_commands_name_kinds_and_values() -> None:
    for title, edition, players in variants():
        space = engine.action_space(title, players, edition)
        for id in range(0, space.n_actions, 7):
            at, *values = space.factored(id)
            kind = space.kinds[at]
            fields = {field.name: field.values[value] for field, value in zip(kind.fields, values, strict=True)}
            command = space.command(id)
            assert (type(command).__name__, command) == (kind.name, type(command)(**fields))


def test_the_version_is_that_of_the_commands_in_their_order() -> None:
    two, three = engine.action_space("paladins", 2), engine.action_space("paladins", 3)
    assert engine.action_space("paladins", 2) is two
    assert two.version != three.version
    assert two.version_of(100) == three.version_of(100) != two.version_of(101)
    alone = engine.action_space("paladins", 1)
    assert alone.setup.players == 2  # the second seat is the opponent's
    assert alone is engine.action_space("paladins", 2, options=alone.setup.options)


def test_commands_and_setups_that_do_not_exist_are_misuse() -> None:
    space, game = engine.action_space("orleans", 2), engine.create("paladins", 2, seed=1)
    with pytest.raises(engine.MisuseError, match="is no command of orleans with this setup"):
        space.index(game.command("ReturnWorker", worker="scout"))
    seat = game.to_move[0]
    for call in (lambda: space.mask(game, seat, bytearray(len(space))), lambda: space.legal(game, seat)):
        with pytest.raises(engine.MisuseError, match="HireTownsfolk"):
            call()
    for id in (-1, len(space)):
        with pytest.raises(engine.MisuseError, match="an action must be 0 to"):
            space.command(id)
    with pytest.raises(engine.UnknownNameError, match="did you mean 'orleans'"):
        engine.action_space("orlean", 2)
    with pytest.raises(engine.ChoiceError, match="2 to 5"):
        engine.action_space("orleans", 6)
    with pytest.raises(engine.MisuseError, match="players must be"):
        engine.action_space("orleans", 0)


def test_a_title_of_another_package_lists_its_commands_or_has_no_action_space(monkeypatch: pytest.MonkeyPatch) -> None:
    source = registry.Source("games", "1.0")
    monkeypatch.setitem(registry._outside, "liars_cards", registry._Outside(LIARS_CARDS, source))
    monkeypatch.setitem(registry._outside, TINY.meta.id, registry._Outside(TINY, source))
    assert engine.action_space("liars_cards", 2).n_actions == 20 * 6 + 1
    with pytest.raises(engine.MisuseError, match=r"it must implement command_space\(\)"):
        engine.action_space(TINY.meta.id, 2)


def test_a_move_needs_values_for_all_its_fields() -> None:
    bid, doubt = LIARS_CARDS._moves
    assert len(doubt.all_commands() or ()) == 1
    with pytest.raises(ValueError, match=r"Move\(Bid\) needs `values` for: count, value"):
        Move(bid.command, bid.carry_out, options=bid.options, values={"count": (1, 2)})
    assert Move(bid.command, bid.carry_out, options=bid.options).all_commands() is None
