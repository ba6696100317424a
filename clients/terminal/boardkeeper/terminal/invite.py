"""The command ``boardkeeper invite``."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from typing import TYPE_CHECKING

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.environment import OPERATOR_TOKEN
from boardkeeper.terminal.errors import DONE, USAGE, CommandError
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.v1 import players_pb2

_LASTING = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@cli.command()
@cli.game_argument()
@cli.flag("--seat", metavar="N", type=int, default=0, help="for this seat (default: any open seat)")
@cli.flag("--expires", metavar="WHEN", default="", help="how long it is valid: 30m, 12h, 7d (default: no limit)")
@cli.flag("--player", metavar="ID", default="", help="for platforms: player id for the seat")
@cli.switch("--list", help="list the game's invitations", conflicts=("revoke",))
@cli.flag("--revoke", metavar="ID", default="", help="revoke this invitation", conflicts=("list",))
@cli.location_flags()
@cli.language_flag
@cli.output_flags
def invite(arguments: cli.Arguments, output: Output) -> int:
    """Create an invitation: a code with which one person can join a game, once.

    This needs a seat that you hold in the game, the API key of its platform (BOARDKEEPER_KEY), or the operator token
    (BOARDKEEPER_OPERATOR_TOKEN).

    examples:
      boardkeeper invite GAME
      boardkeeper invite GAME --seat 2 --expires 7d
      boardkeeper invite GAME --list
      boardkeeper invite GAME --revoke ID
    """
    from boardkeeper.terminal.connections import as_record, find_game
    from boardkeeper.terminal.locations import location_or_default, open_location

    lifetime = _lasting(arguments.expires)
    location = location_or_default(arguments)
    with open_location(location, arguments.language, output, at_rest=True) as (client, _):
        game = find_game(client, arguments.game).game_id
        token = (
            _token(game) if not location.server or not os.environ.get(OPERATOR_TOKEN) else os.environ[OPERATOR_TOKEN]
        )
        if arguments.list:
            rows = client.invitations(game, token=token)
            for row in rows:
                output.record(as_record(row))
                output.line(_line(row))
            if not rows:
                output.remark("The game has no invitations.")
        elif arguments.revoke:
            row = client.revoke_invitation(game, arguments.revoke, token=token)
            output.record(as_record(row))
            output.line(_line(row))
        else:
            made = client.invite(game, arguments.seat, lifetime=lifetime, player_id=arguments.player, token=token)
            output.record(as_record(made))
            output.line(_line(made.invitation))
            output.command(made.code)
            output.remark("Copy the code now: it cannot be shown again. The first person who uses it gets the seat.")
    return DONE


def _token(game: str) -> str:
    """Return the token of a saved seat in a game; empty if no seat is saved."""
    from boardkeeper.terminal.saved_seats import SeatFile, data_folder

    return next((saved.token for saved in SeatFile(data_folder()).seats(game)), "")


def _lasting(text: str) -> timedelta | None:
    if not text:
        return None
    found = _LASTING.fullmatch(text)
    if found is None:
        raise CommandError(f"--expires {text!r} must be a time such as 30m, 12h or 7d", USAGE)
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def _line(row: players_pb2.Invitation) -> str:
    from boardkeeper.client.timestamps import to_datetime

    seat = f"seat {row.seat}" if row.seat else "any seat"
    if row.used_seat:
        state = f"used for seat {row.used_seat}"
    elif row.HasField("end_time"):
        state = "revoked"
    elif row.HasField("expire_time"):
        state = f"valid until {to_datetime(row.expire_time):%Y-%m-%d %H:%M} UTC"
    else:
        state = "valid until the seat is taken"
    return f"invitation {row.invitation_id} to {seat}: {state}"
