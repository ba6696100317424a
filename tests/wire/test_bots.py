"""A bot in a client, which has only the received table, chooses the same commands as a bot in the server."""

from __future__ import annotations

import pytest

from boardkeeper.game.automata import complete_setup
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import visible_table
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import command_pb2, game_pb2, table_pb2
from boardkeeper.wire import bots
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.messages import command_to_message
from boardkeeper.wire.tables import table_from_message, table_to_message


@pytest.mark.parametrize("id", TITLES)
def test_a_bot_chooses_the_same_from_the_received_table(id: str) -> None:
    title = load_title(id)
    setup = complete_setup(title, Setup("", 2))
    table = Table(title.layout(setup))
    play = title.play(table, Dice(b"wire"), setup)
    play.set_up()
    game = game_pb2.Game(
        title=id,
        edition=setup.edition,
        options=setup.options,
        readings=setup.readings,
        seats=[game_pb2.Seat()] * setup.players,
    )
    best = title.meta.bots[0].id
    alike = choices = 0
    while choices < 120 and not play.is_over():
        seat = table.deciding()[0]
        legal = play.legal(seat)
        sent = table_pb2.Table.FromString(table_to_message(visible_table(table, seat)).SerializeToString())
        commands = [command_pb2.LegalCommand(command=command_to_message(id, command)) for command in legal]
        command = ask_bot(title, setup, table, best, seat, legal, 0.5)
        alike += bots.choose_command(best, game, sent, seat, commands, 0.5) is commands[list(legal).index(command)]
        choices += 1
        assert bots.choose_command("random", game, table_pb2.Table(), seat, commands, 0.99) is commands[-1]
        assert play.decide(seat, command) is None
        play.recorder.take()
    # Among equally good commands the choice may depend on the order of the components in a pile, which is not sent.
    assert alike > 0.95 * choices


def test_a_table_that_the_title_does_not_know_is_an_error() -> None:
    game = game_pb2.Game(title="orleans", edition="capstone-2021", seats=[game_pb2.Seat()] * 2)
    table = table_pb2.Table(zones=[table_pb2.Zone(id="moon", seen=True)], viewer="seat.1")
    commands = [command_pb2.LegalCommand()] * 2
    with pytest.raises(ConversionError, match="moon"):
        bots.choose_command("sensible", game, table, 1, commands, 0.0)
    with pytest.raises(KeyError):
        bots.choose_command("sensible", game_pb2.Game(title="nim"), table, 1, commands, 0.0)


@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 1, 2])
def test_a_table_is_read_back_from_its_message(viewer: int) -> None:
    title = load_title("paladins")
    setup = complete_setup(title, Setup("", 2))
    table = Table(title.layout(setup))
    title.play(table, Dice(b"wire"), setup).set_up()
    seen = visible_table(table, viewer)
    assert table_from_message(table_to_message(seen)) == seen
