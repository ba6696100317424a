"""``boardkeeper import``: bring the record of a game to a service."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.client.errors import AlreadyExists, BadRequest
from boardkeeper.game.record import LARGEST_IMPORT
from boardkeeper.terminal import record_files
from boardkeeper.terminal.arguments import default_server
from boardkeeper.terminal.locations import Place, given, open_place
from boardkeeper.terminal.output import DONE, CommandError, Output
from boardkeeper.terminal.session import as_record


def run(arguments: Namespace, output: Output) -> int:
    """Send the file, and say which game it is."""
    record = record_files.read_record(arguments.file, LARGEST_IMPORT)
    place = given(arguments) or Place(default_server())
    with open_place(place, arguments.language, output, at_rest=True) as (client, _):
        output.progress(f"Verifying and importing {arguments.file} ...")
        try:
            answer = client.import_record(record)
        except BadRequest as error:
            raise CommandError(f"{arguments.file} was not imported. {error}") from error
        except AlreadyExists as error:
            raise CommandError(f"{arguments.file} was not imported. {error}") from error
    output.record(as_record(answer))
    game = answer.game
    output.line(f"{game.game_id}: {game.title}, {game.edition}, {game.version} events; verified and imported.")
    output.line(f"signed with the key {game.imported_key_id}", "dim")
    return DONE
