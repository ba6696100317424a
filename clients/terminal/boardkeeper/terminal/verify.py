"""The command ``boardkeeper verify``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.output import Output


@cli.command()
@cli.argument("files", "FILE", nargs=-1, required=True, help="a record file, - for standard input, or a game id")
@cli.location_flags("fetch games from this server", "fetch games from this database file, also while a server uses it")
@cli.language_flag
@cli.flag(
    "--key",
    multiple=True,
    metavar="ID",
    type=values.key,
    help="accept only signatures of this key: its id, or the first 16 or more characters of it; repeatable",
)
@cli.output_flags
def verify(arguments: cli.Arguments, output: Output) -> int:
    """Verify records in files, or of games, whose records are fetched as by 'boardkeeper export'.

    Nothing in a record is trusted. The checks are:

      well-formed  the file has the format of a record
      chained      no event was changed, added or removed
      signed       the signature
      conserved    no component appears or disappears
      fair         every draw follows from the dice secret
      decided      the rules lead from commands to events

    A signature names the key that made it by the key's id. To know whose key that is, compare the id with the one that
    the server shows ('boardkeeper keys'), or pass the ids that you trust with --key.

    examples:
      boardkeeper verify game.jsonl
      boardkeeper verify 4f1c…
      boardkeeper verify --key 3b1f09c2e7a4d851… --json games/one.jsonl games/two.jsonl

    exit status:
      0  all levels of all records hold
      1  a record does not hold
      4  no fault found, but not everything can be verified yet, because a record was saved during its game
      5  no fault found, but at least one argument could not be checked: unreadable, or not a record
    """
    from boardkeeper.terminal.record_checks import verify_records

    return verify_records(arguments, output)
