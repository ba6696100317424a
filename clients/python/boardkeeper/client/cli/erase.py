"""``boardkeeper erase``: remove a person's name from a database file."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.client.cli.installed import from_the_service
from boardkeeper.client.cli.output import DONE, USAGE, CommandError, Output


def run(arguments: Namespace, output: Output) -> int:
    """Erase a name, or that of one seat, and say which seats had it."""
    with from_the_service():
        from boardkeeper.client.cli.databases import configured  # noqa: PLC0415
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.operating import erase_name, erase_seat  # noqa: PLC0415
    if bool(arguments.game) != bool(arguments.seat) or bool(arguments.game) == bool(arguments.name):
        raise CommandError("give either --game GAME --seat N or --name NAME", USAGE)
    try:
        database = configured(arguments.db).database
        if arguments.name:
            erased = erase_name(database, arguments.name)
        else:
            erased = erase_seat(database, arguments.game, arguments.seat)
    except (StartupError, LookupError) as error:
        raise CommandError(f"nothing was erased: {error}") from error
    if not erased:
        who = "no seat has that name" if arguments.name else "the seat has no name"
        raise CommandError(f"nothing was erased: {who}")
    for seat in erased:
        output.line(f"erased: the name of seat {seat.seat} in game {seat.game_id}")
    return DONE
