"""``boardkeeper seat``: have a bot play one's seat, take it back, or give up."""

from __future__ import annotations

from argparse import Namespace

from boardkeeper.terminal.held import held_seat
from boardkeeper.terminal.locations import given, open_place, place_of
from boardkeeper.terminal.output import DONE, Output
from boardkeeper.terminal.saved_seats import SeatBook, data_folder
from boardkeeper.terminal.session import as_record


def run(arguments: Namespace, output: Output) -> int:
    """Do it, and tell what came of it."""
    place = given(arguments)
    held = held_seat(SeatBook(data_folder()), arguments.game, place, arguments.seat)
    with open_place(place or place_of(held), arguments.language, output) as (client, _):
        seat = client.seat(held.game, held.seat, held.token)
        if arguments.resign:
            events = seat.resign().events
        elif arguments.back:
            events = seat.take_back().events
        else:
            events = seat.hand_to_bot(arguments.bot).events
        for event in events:
            output.record({"game_id": held.game, "seat": held.seat, "event": as_record(event)})
            output.line(event.sentence)
    return DONE
