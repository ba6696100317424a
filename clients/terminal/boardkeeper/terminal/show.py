"""``boardkeeper show``: draw a board, in the terminal or as a picture."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from boardkeeper.client.clocks import Countdown
from boardkeeper.client.cursors import STARTED
from boardkeeper.terminal import positions
from boardkeeper.terminal.clocks import said_clocks
from boardkeeper.terminal.drawing.board import Board
from boardkeeper.terminal.drawing.drawing import draw_table
from boardkeeper.terminal.drawing.maps import draw_map
from boardkeeper.terminal.drawing.score import draw_score
from boardkeeper.terminal.locations import open_game
from boardkeeper.terminal.output import DONE, USAGE, CommandError, Output
from boardkeeper.terminal.paths import is_file
from boardkeeper.terminal.session import as_record, look_at, tell_of_damage


def run(arguments: Namespace, output: Output) -> int:
    """Draw the board of a game, now or after a version."""
    if arguments.svg or arguments.png:
        from boardkeeper.terminal import picture_files  # noqa: PLC0415  # text needs none of it

        return picture_files.show(arguments, output)
    if is_file(Path(arguments.game)):
        raise CommandError(
            f"{arguments.game} is a file: draw its board as a picture with --svg FILE or --png FILE.", USAGE
        )
    with open_game(arguments, output) as found:
        client, game = found.client, found.game
        tell_of_damage(game, arguments.language, output)
        if arguments.position:
            return positions.show(client, game, arguments.at, output)
        if output.as_json:
            output.record(as_record(client.board(game.game_id, version=arguments.at)))
            return DONE
        answer = client.table(game.game_id, version=arguments.at)
        look = look_at(client, game, arguments.language)
        board = Board(answer.table, look)
        started = next((it.version for it in client.events(game.game_id) if it.name == STARTED), None)
        if started is None or answer.version < started:
            raise CommandError(f"game {game.game_id} had no board yet at version {answer.version}: it had not started.")
        output.show(
            f"{look.word('game')} {game.game_id}, {look.word('at_version')} {answer.version} / {game.version}", ""
        )
        if answer.clocks.clocks:
            output.row(said_clocks(Countdown(answer.clocks), look.seats))
        output.show(draw_table(board))
        if answer.score_sheet.totals and not answer.score_sheet.running:
            output.show("", draw_score(answer.score_sheet, look))
        if arguments.map:
            if not look.title.HasField("map"):
                raise CommandError(f"{game.title} has no map.")
            output.show("", draw_map(board))
    return DONE
