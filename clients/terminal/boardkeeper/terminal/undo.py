"""The command ``boardkeeper undo``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.output import Output


@cli.command()
@cli.game_argument()
@cli.flag(
    "--answer",
    choices=("yes", "no"),
    help="agree to another player's request or decline it; 'no' also cancels your own request",
)
@cli.own_seat_flag
@cli.location_flags("only on this server", "only in this database file")
@cli.language_flag
@cli.output_flags
def undo(arguments: cli.Arguments, output: Output) -> int:
    """Undo the last moves of a seat that you hold.

    This happens at once if no other seat has moved since and the moves revealed nothing hidden. Otherwise a vote
    starts, and every other person has to agree. While a vote is open, this command shows it, and --answer answers it. A
    player whose seat a bot plays has to take the seat back before answering. The undone events stay in the game's
    history.

    examples:
      boardkeeper undo 4f1c…
      boardkeeper undo 4f1c… --answer yes
      boardkeeper undo 4f1c… --json | jq .free
    """
    from boardkeeper.terminal.undo_requests import undo

    return undo(arguments, output)
