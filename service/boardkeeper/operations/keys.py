"""The command ``boardkeeper keys``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.output import Output


@cli.command()
@cli.argument("files", "FILE", nargs=-1, help="a record file; - for standard input")
@cli.location_flags(f"keys of this server {cli.ALL_PLACES_HELP}", "keys of this database file")
@cli.language_flag
@cli.output_flags
def keys(arguments: cli.Arguments, output: Output) -> int:
    """List the ids of the keys that sign records, for 'boardkeeper verify --key'.

    These are the key of a server or database file, and the keys of imported records, each with its number of records
    and the time of their first and last event. Without --server and --db, list the keys of the default server and of
    your own files.

    With FILE, show the key that the record names. 'boardkeeper verify' checks whether the signature is good. Private
    keys are never shown.

    examples:
      boardkeeper keys
      boardkeeper keys --server localhost:8050 --json | jq -r .key_id
      boardkeeper keys game.jsonl
    """
    from boardkeeper.operations.record_keys import list_keys

    return list_keys(arguments, output)
