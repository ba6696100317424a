"""``boardkeeper show``: draw a board, in the terminal or as a picture."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from boardkeeper.client.cli import positions
from boardkeeper.client.cli.clocks import said_clocks
from boardkeeper.client.cli.output import DONE, USAGE, CommandError, Output
from boardkeeper.client.cli.paths import is_file
from boardkeeper.client.cli.places import open_game
from boardkeeper.client.cli.session import as_record, look_at, tell_of_damage
from boardkeeper.client.clocks import Countdown
from boardkeeper.client.drawing.drawing import drawing_of
from boardkeeper.wire.messages import board_from_message


def run(arguments: Namespace, output: Output) -> int:
    """Draw the board of a game, now or after a version."""
    if arguments.svg or arguments.png:
        from boardkeeper.client.cli import pictured  # noqa: PLC0415  # text needs none of it

        return pictured.show(arguments, output)
    if is_file(Path(arguments.game)):
        raise CommandError(
            f"{arguments.game} is a file: draw its board as a picture with --svg FILE or --png FILE.", USAGE
        )
    with open_game(arguments, output) as found:
        client, game = found.client, found.game
        tell_of_damage(game, arguments.language, output)
        if arguments.position:
            return positions.show(client, game, arguments.at, output)
        answer = client.board(game.game_id, version=arguments.at)
        output.record(as_record(answer))
        if output.as_json:
            return DONE
        if not answer.HasField("board"):
            raise CommandError(f"game {game.game_id} had no board yet at version {answer.version}: it had not started.")
        title, board = board_from_message(answer.board)
        drawing = drawing_of(title)
        look = look_at(client, game, drawing, arguments.language)
        output.show(
            f"{look.word('game')} {game.game_id}, {look.word('at_version')} {answer.version} / {game.version}", ""
        )
        if answer.clocks.clocks:
            output.row(said_clocks(Countdown(answer.clocks), look.seats))
        output.show(drawing.table(board, look))
        if arguments.map:
            if "m" not in drawing.views:
                raise CommandError(f"{title} has no map.")
            output.show("", drawing.views["m"][1](board, look))
    return DONE
