"""The command ``boardkeeper fork``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output


@cli.command()
@cli.game_argument()
@cli.flag("--at", metavar="VERSION", type=values.version_number, help="version to start from (default: now)")
@cli.flag(
    "--seat",
    metavar="N",
    type=values.positive,
    default=0,
    help="your seat in the new game (default: the seat that you hold in the old one, else 1)",
)
@cli.switch("--operator", help="use the exact position; needs BOARDKEEPER_OPERATOR_TOKEN")
@cli.flag("--open", metavar="N", type=values.seat_count, default=0, help="leave N seats open for other people")
@cli.bots_flag
@cli.flag("--name", default="", help="your name in the game (default: your login name)")
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def fork(arguments: cli.Arguments, output: Output) -> int:
    """Create a new game from the current or an earlier version of another game, which stays unchanged.

    Cards and tiles that your seat could not see (without a seat: a spectator) are shuffled and dealt again. With
    --operator the position is exact. You get one seat of the new game. Bots keep their seats; bots also get the seats
    of other people, unless --open leaves them open.

    examples:
      boardkeeper fork 4f1c… --at 120
      boardkeeper fork 4f1c… --seat 2 --open 1
      boardkeeper fork 4f1c… --at 120 --operator --server host:8050
    """
    from boardkeeper.terminal.game_fork import create_fork

    return create_fork(arguments, output)
