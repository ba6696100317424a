"""Bots of clients: an installed title chooses a command, using the table that the server sent."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.table.dice import Dice
from boardkeeper.titlekit.bots import RANDOM
from boardkeeper.titlekit.redaction import table_from_visible
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_meta, load_title
from boardkeeper.v1 import command_pb2, game_pb2, table_pb2
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.messages import command_from_message
from boardkeeper.wire.tables import table_from_message


def bots_of(title: str) -> list[str]:
    """Return the bots of an installed title, the strongest first. Raises ``KeyError`` for an unknown title."""
    return [bot.id for bot in load_meta(title).bots]


def choose_command(
    bot: str,
    game: game_pb2.Game,
    table: table_pb2.Table,
    seat: int,
    commands: Sequence[command_pb2.LegalCommand],
    random: float,
) -> command_pb2.LegalCommand:
    """Return the command that a bot chooses from ``commands``, from the table as the seat sees it.

    ``random`` in [0, 1) is its only source of chance. Raises :class:`ConversionError` for a table or command that the
    installed title does not know, ``KeyError`` for a title that is not installed, and ``ValueError`` for an unknown
    kind of bot.
    """
    if bot == RANDOM or len(commands) == 1:
        return commands[int(random * len(commands))]
    title = load_title(game.title)
    setup = Setup(game.edition, len(game.seats), dict(game.options), dict(game.readings))
    try:
        seen = table_from_visible(title.layout(setup), table_from_message(table))
    except KeyError as error:
        raise ConversionError("table", f"has {error}, which the installed title {game.title} does not know") from None
    structs = [command_from_message(entry.command)[1] for entry in commands]
    return commands[structs.index(title.choose(bot, title.play(seen, Dice(b""), setup), seat, structs, random))]
