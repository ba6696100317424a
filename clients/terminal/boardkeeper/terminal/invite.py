"""``boardkeeper invite``: invitations to the free seats of a game."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from datetime import timedelta

from boardkeeper.client.timestamps import to_datetime
from boardkeeper.terminal.locations import asked_place, open_place
from boardkeeper.terminal.output import DONE, USAGE, CommandError, Output
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.saved_seats import SeatBook, data_folder
from boardkeeper.terminal.session import as_record, find_game
from boardkeeper.v1 import players_pb2

_LASTING = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def run(arguments: Namespace, output: Output) -> int:
    """Make an invitation, list those that there are, or revoke one."""
    lifetime = _lasting(arguments.expires)
    place = asked_place(arguments)
    with open_place(place, arguments.language, output, at_rest=True) as (client, _):
        game = find_game(client, arguments.game).game_id
        token = _token(game) if not place.server or not os.environ.get(VARIABLE) else os.environ[VARIABLE]
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
    """The token of a seat of one's own in that game; empty if one has none there."""
    return next((held.token for held in SeatBook(data_folder()).seats(game)), "")


def _lasting(text: str) -> timedelta | None:
    if not text:
        return None
    found = _LASTING.fullmatch(text)
    if found is None:
        raise CommandError(f"--expires {text!r} must be a time such as 30m, 12h or 7d", USAGE)
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def _line(row: players_pb2.Invitation) -> str:
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
