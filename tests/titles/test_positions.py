"""Positions of every title: games continue from complete tables, and every accepted table can be played."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import pytest
from tests.kit.adapters import adapters
from tests.kit.test_forks import change_layout

from boardkeeper.game.creation import create_game
from boardkeeper.game.game import Game
from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import VisibleTable, visible_table
from boardkeeper.table.zones import Stack
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import SECRET
from boardkeeper.testkit.playouts import Playout, playout
from boardkeeper.testkit.setups import default_setup, random_setup
from boardkeeper.titlekit import positions
from boardkeeper.titlekit.command_space import command_space
from boardkeeper.titlekit.table_json import table_from_json, table_to_json
from boardkeeper.titlekit.title import PositionError, Setup, Title
from boardkeeper.v1 import table_pb2
from boardkeeper.wire.tables import table_from_message, table_to_message

SETUPS = [
    pytest.param(it, edition.id, players, id=f"{it.id}-{edition.id}-{players}")
    for it in adapters()
    for edition in it.title.meta.editions
    for players in it.players
    if edition.players[0] <= players <= edition.players[1]
]
TITLES = [pytest.param(it, id=it.id) for it in adapters()]


def moments(game: Playout[Any], chance: Random, most_steps: int) -> Iterator[None]:
    """Play a game and yield at random moments, after fewer than ``most_steps`` steps each."""
    while not game.play.is_over():
        for _ in range(chance.randrange(1, most_steps)):
            if not game.play.is_over():
                game.step()
        if not game.play.is_over():
            yield


# --- round trip ----------------------------------------------------------------------------------------------------


def convert_to_json_and_back(table: VisibleTable) -> VisibleTable:
    return table_from_json(table_to_json(table).encode())


def convert_to_message_and_back(table: VisibleTable) -> VisibleTable:
    return table_from_message(table_pb2.Table.FromString(table_to_message(table).SerializeToString()))


@pytest.mark.parametrize(("adapter", "edition", "players"), SETUPS)
def test_a_game_from_a_table_continues_like_the_original(adapter: Adapter, edition: str, players: int) -> None:
    """With the same dice it has the same commands and events, in any order of zones and markers in the table."""
    title, chance = adapter.title, Random(f"{edition} {players}")
    is_default = edition == title.meta.default_edition
    setup = default_setup(title, players) if is_default else _setup_of(title, edition, players)
    with playout(adapter, players, setup) as game:
        for at, _ in enumerate(moments(game, chance, 80 * players)):
            complete = visible_table(game.table, OPERATOR)
            table = (convert_to_json_and_back, convert_to_message_and_back)[at % 2](complete)
            assert table == complete
            layout = positions.read(title, setup, _shuffle(table, chance))
            assert layout == layout_of(game.table)
            copy = game.bind(Table(layout))
            for _ in range(10):
                if game.play.is_over():
                    break
                assert [copy.legal(seat) for seat in range(1, players + 1)] == [
                    game.play.legal(seat) for seat in range(1, players + 1)
                ]
                events = game.step()
                seat, command = game.commands[-1]
                assert copy.decide(seat, command) is None
                assert list(copy.recorder.take()) == list(events)
            assert copy.table.contents() == game.table.contents()


def _setup_of(title: Title, edition: str, players: int) -> Setup:
    return next(
        setup
        for seed in range(1000)
        for setup in [random_setup(title, seed, players)]
        if setup.edition == edition and setup.players == players
    )


def _shuffle(table: VisibleTable, chance: Random) -> VisibleTable:
    zones, markers = list(table.zones), list(table.markers)
    chance.shuffle(zones)
    chance.shuffle(markers)
    return VisibleTable(table.viewer, tuple(zones), tuple(markers), table.decisions)


@pytest.mark.parametrize("adapter", TITLES)
def test_a_record_begins_with_a_table(adapter: Adapter) -> None:
    """The new game has its own dice, and the draw counters of the table."""
    title, chance = adapter.title, Random(adapter.id)
    setup = default_setup(title, adapter.players[0])
    with playout(adapter, 3, setup) as game:
        for _ in moments(game, chance, 60):
            seats = [f"bot.{title.meta.bots[0].id}"] * (setup.players - len(title.automata(setup)))
            table = visible_table(game.table, OPERATOR)
            new_game, events = create_game(UUID(int=1), title, setup, seats, SECRET, "test", "", 1, position=table)
            new_game.commit(events)
            assert new_game.created.position
            assert new_game.table.contents() == game.table.contents()
            assert Game.load(title, SECRET, events).table.contents() == game.table.contents()


# --- rejected tables -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("adapter", TITLES)
def test_a_redacted_table_is_no_position(adapter: Adapter) -> None:
    setup, hidden = default_setup(adapter.title, adapter.players[-1]), 0
    with playout(adapter, 1, setup) as game:
        for _ in moments(game, Random(1), 100):
            for viewer in (SPECTATOR, 1):
                table = visible_table(game.table, viewer)
                with pytest.raises(PositionError) as error:
                    positions.read(adapter.title, setup, table)
                messages = {problem.field: problem.message for problem in error.value.problems}
                unseen = [f"zones[{zone.id}]" for zone in table.zones if not zone.is_seen]
                assert messages.pop("viewer").startswith('must be "whole"')
                assert set(messages) == {*unseen, *(f"markers[{it.id}]" for it in table.markers if it.value is None)}
                assert all(message.startswith("is hidden: give its ") for message in messages.values())
                hidden += len(messages)
    assert hidden


@pytest.mark.parametrize("adapter", TITLES)
def test_a_finished_game_is_no_position(adapter: Adapter) -> None:
    setup = default_setup(adapter.title, adapter.players[0])
    with playout(adapter, 1, setup) as game:
        game.finish()
        with pytest.raises(PositionError, match="must have a decision of at least one seat"):
            positions.read(adapter.title, setup, visible_table(game.table, OPERATOR))


@pytest.mark.parametrize("adapter", [it for it in adapters() if len(it.players) > 1], ids=lambda it: it.id)
def test_a_table_of_another_number_of_players_is_no_position(adapter: Adapter) -> None:
    *_, fewer, more = adapter.players
    with playout(adapter, 1, default_setup(adapter.title, more)) as game:
        game.step()
        with pytest.raises(PositionError, match=f"`seats` must be {fewer}, not {more}"):
            positions.read(adapter.title, default_setup(adapter.title, fewer), visible_table(game.table, OPERATOR))


# --- changed tables ------------------------------------------------------------------------------------------------


def change_slightly(layout: TableLayout, decisions: tuple[str, ...], chance: Random) -> TableLayout:
    """Return the layout with a few small changes, but with the same components."""
    table = Table(layout)
    for _ in range(chance.choice((1, 1, 2, 3))):
        match chance.randrange(5):
            case 0 | 1:
                source = chance.choice([zone for zone in table.zones.values() if zone.total()])
                component = source.order[-1] if isinstance(source, Stack) else chance.choice(sorted(source.items))
                similar = [zone for zone in table.zones.values() if component in zone.counts()]
                target = chance.choice(chance.choice([similar, list(table.zones.values())]))
                source.take(component, 1)
                target.put(component, 1)
            case 2 | 3:
                marker = chance.choice(list(table.markers.values()))
                kind = type(marker.value)
                near = [marker.value + 1, marker.value - 1, -marker.value, 0, 1, 2, 5, 12] if kind is int else [""]
                marker.value = chance.choice(
                    [*near, *(it.value for it in table.markers.values() if type(it.value) is kind)]
                )
            case _:
                table.decisions[chance.randrange(1, len(table.decisions))] = chance.choice(["", *decisions])
    return layout_of(table)


def play_changed_tables(adapter: Adapter, seeds: range, tries: int, steps: int) -> tuple[int, int]:
    """Change tables of random games and play the accepted ones; return the numbers of accepted and changed tables."""
    accepted = changed = 0
    for seed in seeds:
        chance = Random(f"changed {seed}")
        players = chance.choice(adapter.players)
        setup = random_setup(adapter.title, seed, players) if seed % 2 else default_setup(adapter.title, players)
        with playout(adapter, seed, setup) as game:
            for _ in moments(game, chance, 40 * players):
                for _ in range(tries):
                    before = layout_of(game.table)
                    is_odd = chance.random() < 0.25
                    layout = (
                        change_layout(before, chance)
                        if is_odd
                        else change_slightly(before, tuple(adapter.decisions), chance)
                    )
                    changed += 1
                    if not positions.problems(adapter.title, setup, layout):
                        accepted += 1
                        _play(adapter.title, setup, layout, chance, steps)
    return accepted, changed


def _play(title: Title, setup: Setup, layout: TableLayout, chance: Random, steps: int) -> None:
    play = title.play(Table(layout), Dice(b"changed"), setup)
    components, space = play.table.components(), frozenset(command_space(title, setup) or ())
    for _ in range(steps):
        if play.is_over():
            break
        seat = chance.choice(play.table.deciding())
        legal = play.legal(seat)
        assert space.issuperset(legal), [command for command in legal if command not in space]
        command = chance.choice(legal)
        rejection = play.decide(seat, command)
        assert rejection is None, f"{command}: {rejection}"
        assert play.recorder.take()
    assert play.table.components() == components


@pytest.mark.parametrize("adapter", TITLES)
def test_a_changed_table_is_rejected_or_can_be_played(adapter: Adapter) -> None:
    accepted, changed = play_changed_tables(adapter, range(3), 4, 40)
    assert changed / 50 < accepted < changed / 2, (accepted, changed)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(20))
@pytest.mark.parametrize("adapter", TITLES)
def test_many_changed_tables(adapter: Adapter, chunk: int) -> None:
    play_changed_tables(adapter, range(1000 + 20 * chunk, 1020 + 20 * chunk), 20, 100)
