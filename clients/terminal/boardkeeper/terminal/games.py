"""The command ``boardkeeper games``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output


@cli.command()
@cli.flag("--limit", metavar="N", type=values.positive, default=50, help="list at most N games", conflicts=("all",))
@cli.switch("--all", help="list every game", conflicts=("limit",))
@cli.flag("--player", metavar="ID", default="", help="only games of the player with this player id")
@cli.switch("--turn", help="only games that wait for a player, or for --player")
@cli.flag("--outcome", choices=["won", "drawn", "lost"], help="only games with this outcome for --player")
@cli.flag("--title", metavar="TITLE", default="", help="only games of this title")
@cli.flag("--status", choices=["open", "running", "ended"], help="only games with this status")
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def games(arguments: cli.Arguments, output: Output) -> int:
    """List games, newest first.

    Without --server and --db, list the games of the default server, if it runs, and those that 'boardkeeper play'
    stored in your own files.

    examples:
      boardkeeper games
      boardkeeper games --db /var/lib/boardkeeper/games.db
      boardkeeper games --limit 500
      boardkeeper games --player p-4711 --turn
      boardkeeper games --player p-4711 --outcome won --title TITLE
      boardkeeper games --all --json | jq -r 'select(.status=="GAME_STATUS_OPEN").game_id'
    """
    from boardkeeper.terminal.game_list import list_games

    return list_games(arguments, output)
