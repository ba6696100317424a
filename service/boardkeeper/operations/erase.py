"""``boardkeeper erase``: remove a person's name from a database, or a platform's player from all of its games."""

from __future__ import annotations

import os
import time
from argparse import Namespace

from boardkeeper.operations.installed import from_the_service
from boardkeeper.terminal.output import DONE, USAGE, CommandError, Output, counted
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.session import connect


def _player(arguments: Namespace, output: Output) -> int:
    """Erase a player of a platform, at a service or from a database."""
    if arguments.game or arguments.seat or arguments.name:
        raise CommandError("--player cannot be combined with --game, --seat or --name", USAGE)
    token = os.environ.get(VARIABLE, "")
    if arguments.server:
        with connect(arguments.server, "en") as client:
            answer = client.erase_player(arguments.player, platform=arguments.platform, token=token)
        seats = answer.seats
    else:
        with from_the_service():
            from boardkeeper.operations.databases import configured  # noqa: PLC0415
            from boardkeeper.service.errors import StartupError  # noqa: PLC0415
            from boardkeeper.service.storage.admin import erase_player  # noqa: PLC0415
        now = time.time_ns() // 1_000_000
        try:
            seats = len(erase_player(configured(arguments.db).database, arguments.platform, arguments.player, now))
        except StartupError as error:
            raise CommandError(f"nothing was erased: {error}") from error
    output.line(f"erased: the player's id, name and token on {counted(seats, 'seats')}")
    if not seats and not arguments.platform and (token or not arguments.server):
        output.remark("No platform was named. If the player belongs to one, name it with --platform.")
    return DONE


def run(arguments: Namespace, output: Output) -> int:
    """Erase a name, or that of one seat, and say which seats had it."""
    with from_the_service():
        from boardkeeper.operations.databases import configured  # noqa: PLC0415
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.admin import erase_name, erase_seat  # noqa: PLC0415
    if arguments.player:
        return _player(arguments, output)
    if bool(arguments.game) != bool(arguments.seat) or bool(arguments.game) == bool(arguments.name):
        raise CommandError("name what to erase: --game GAME --seat N, --name NAME, or --player ID", USAGE)
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
