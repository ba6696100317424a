"""The command ``boardkeeper show``."""

from __future__ import annotations

from pathlib import Path

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paths import is_file


@cli.command()
@cli.game_argument(f"{cli.GAME_HELP}; for pictures also a record file")
@cli.flag("--at", metavar="VERSION", type=values.version_number, help="show the board after event VERSION")
@cli.switch("--position", help="print the full position as JSON, to start games from; needs BOARDKEEPER_OPERATOR_TOKEN")
@cli.switch("--map", help="also draw the map, if the title has one")
@cli.flag("--svg", metavar="FILE", help="save as an SVG picture; - for standard output")
@cli.flag("--png", metavar="FILE", help="save as a PNG picture; - for standard output")
@cli.picture_flags
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def show(arguments: cli.Arguments, output: Output) -> int:
    """Draw the board of a game, now or after any event: as text in the terminal, or as a picture with --svg or --png.

    A record in a file can only be drawn as a picture. Pictures need: pip install 'boardkeeper[pictures]'

    examples:
      boardkeeper show 4f1c…
      boardkeeper show 4f1c… --png board.png
      boardkeeper show game.jsonl --at 120 --svg board.svg --dark
      boardkeeper show 4f1c… --png - --boards map | wl-copy
      boardkeeper show 4f1c… --at 120
      boardkeeper show 4f1c… --map
      boardkeeper show 4f1c… --position
      boardkeeper show 4f1c… --json | jq .version
    """
    from boardkeeper.client.clocks import Countdown
    from boardkeeper.client.cursors import STARTED
    from boardkeeper.terminal import positions
    from boardkeeper.terminal.clocks import clock_texts
    from boardkeeper.terminal.connections import as_record, load_viewpoint, warn_of_damage
    from boardkeeper.terminal.drawing.board import Board
    from boardkeeper.terminal.drawing.maps import draw_map
    from boardkeeper.terminal.drawing.score import draw_score
    from boardkeeper.terminal.drawing.table_views import draw_table
    from boardkeeper.terminal.locations import open_game

    if arguments.svg or arguments.png:
        from boardkeeper.terminal import picture_files  # not needed for text

        return picture_files.show(arguments, output)
    if is_file(Path(arguments.game)):
        raise CommandError(
            f"{arguments.game} is a file: draw its board as a picture with --svg FILE or --png FILE.", USAGE
        )
    with open_game(arguments, output) as found:
        client, game = found.client, found.game
        warn_of_damage(game, arguments.language, output)
        if arguments.position:
            return positions.show(client, game, arguments.at, output)
        if output.as_json:
            output.record(as_record(client.board(game.game_id, version=arguments.at)))
            return DONE
        answer = client.table(game.game_id, version=arguments.at)
        viewpoint = load_viewpoint(client, game, arguments.language)
        board = Board(answer.table, viewpoint)
        started = next((it.version for it in client.events(game.game_id) if it.name == STARTED), None)
        if started is None or answer.version < started:
            raise CommandError(f"game {game.game_id} had no board yet at version {answer.version}: it had not started.")
        word = viewpoint.word
        output.show(f"{word('game')} {game.game_id}, {word('at_version')} {answer.version} / {game.version}", "")
        if answer.clocks.clocks:
            output.row(clock_texts(Countdown(answer.clocks), viewpoint.seats))
        output.show(draw_table(board))
        if answer.score_sheet.totals and not answer.score_sheet.running:
            output.show("", draw_score(answer.score_sheet, viewpoint))
        if arguments.map:
            if not viewpoint.title.HasField("map"):
                raise CommandError(f"{game.title} has no map.")
            output.show("", draw_map(board))
    return DONE
