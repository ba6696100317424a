"""The command ``boardkeeper import``."""

from __future__ import annotations

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.environment import default_server
from boardkeeper.terminal.errors import DONE, CommandError
from boardkeeper.terminal.output import Output


@cli.command("import")
@cli.argument("file", "FILE", help="the record; - for standard input")
@cli.location_flags(f"import into this server {cli.DEFAULT_HELP}", "import into this database file")
@cli.language_flag
@cli.output_flags
def import_record(arguments: cli.Arguments, output: Output) -> int:
    """Import the record of a finished game into a server.

    The server verifies it first and rejects it if any check fails. The game keeps its id and the signature of the
    server on which it was played.

    examples:
      boardkeeper import game.jsonl
      boardkeeper import game.jsonl --server host:8050
    """
    from boardkeeper.client.errors import AlreadyExists, BadRequest
    from boardkeeper.game.record import MAX_IMPORT_BYTES
    from boardkeeper.terminal import record_files
    from boardkeeper.terminal.connections import as_record
    from boardkeeper.terminal.locations import Location, named_location, open_location

    record = record_files.read_record(arguments.file, MAX_IMPORT_BYTES)
    location = named_location(arguments) or Location(default_server())
    with open_location(location, arguments.language, output, at_rest=True) as (client, _):
        output.progress(f"Verifying and importing {arguments.file} ...")
        try:
            answer = client.import_record(record)
        except (BadRequest, AlreadyExists) as error:
            raise CommandError(f"{arguments.file} was not imported. {error}") from error
    output.record(as_record(answer))
    game = answer.game
    output.line(f"{game.game_id}: {game.title}, {game.edition}, {game.version} events; verified and imported.")
    output.line(f"signed with the key {game.imported_key_id}", "dim")
    return DONE
