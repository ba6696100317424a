"""The command ``boardkeeper seat``."""

from __future__ import annotations

import click

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.errors import DONE
from boardkeeper.terminal.output import Output


@cli.command()
@cli.game_argument()
@cli.flag(
    "--bot",
    is_flag=False,
    flag_value="",
    metavar="KIND",
    help="let a bot take over (default kind: the strongest)",
    conflicts=(
        "back",
        "resign",
    ),
)
@cli.switch(
    "--back",
    help="take your seat back",
    conflicts=(
        "bot",
        "resign",
    ),
)
@cli.switch(
    "--resign",
    help="resign from the game",
    conflicts=(
        "bot",
        "back",
    ),
)
@cli.own_seat_flag
@cli.location_flags("only on this server", "only in this database file")
@cli.language_flag
@cli.output_flags
def seat(arguments: cli.Arguments, output: Output) -> int:
    """Let a bot play your seat while you are away, take the seat back, or resign.

    A player who resigns ranks behind everyone who did not, and cannot return. After a resignation a bot plays the seat,
    and the game continues while at least two other seats are left and one of them is played by a person; otherwise it
    ends.

    examples:
      boardkeeper seat 4f1c… --bot
      boardkeeper seat 4f1c… --bot random --seat 2
      boardkeeper seat 4f1c… --back
      boardkeeper seat 4f1c… --resign
    """
    from boardkeeper.terminal.connections import as_record
    from boardkeeper.terminal.locations import location_of, named_location, open_location
    from boardkeeper.terminal.saved_seats import SeatFile, data_folder, saved_seat

    if not (arguments.resign or arguments.back or arguments.bot is not None):
        raise click.UsageError("Name what to do: --bot, --back or --resign.")
    location = named_location(arguments)
    saved = saved_seat(SeatFile(data_folder()), arguments.game, location, arguments.seat)
    with open_location(location or location_of(saved), arguments.language, output) as (client, _):
        seat = client.seat(saved.game, saved.seat, saved.token)
        if arguments.resign:
            events = seat.resign().events
        elif arguments.back:
            events = seat.take_back().events
        else:
            events = seat.hand_to_bot(arguments.bot).events
        for event in events:
            output.record({"game_id": saved.game, "seat": saved.seat, "event": as_record(event)})
            output.line(event.sentence)
    return DONE
