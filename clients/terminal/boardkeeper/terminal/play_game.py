"""Start, join or continue a game at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from boardkeeper.client.client import Client, Seat
from boardkeeper.client.errors import BoardkeeperError
from boardkeeper.client.requests import automa, bot, open_seat, person
from boardkeeper.terminal import positions
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import NAMES, damage_warning, explain, find_game, load_viewpoint, login_name
from boardkeeper.terminal.end_menu import offer_end_menu
from boardkeeper.terminal.errors import DONE, USAGE, CommandError, count_noun
from boardkeeper.terminal.game_follower import LeaveTable
from boardkeeper.terminal.game_options import automaton_seats_of, bots_of, choose_options
from boardkeeper.terminal.local_server import new_database, remove_database
from boardkeeper.terminal.locations import Location, find_location, location_of, named_location, open_location
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.paths import exists
from boardkeeper.terminal.player_session import PlayerSession
from boardkeeper.terminal.saved_seats import (
    SavedSeat,
    SeatFile,
    check_readable,
    continue_command,
    data_folder,
    join_command,
    saved_seats_of,
)
from boardkeeper.terminal.texts import texts
from boardkeeper.v1 import event_pb2, games_pb2


def play_game(arguments: Arguments, output: Output) -> int:
    """Join or create a game, play until it ends or the player leaves, and print how to continue."""
    if arguments.join and not arguments.game:
        raise CommandError("--join needs a game to join: add GAME.", USAGE)
    seat_file = SeatFile(data_folder())
    location = named_location(arguments, new=not arguments.game)
    saved = _find_saved_seat(arguments, seat_file, location)
    if saved is None:
        seat_file.check_writable()
    location = location or _choose_location(arguments, saved, output)
    is_new = bool(location.database) and not exists(Path(location.database))
    if is_new and saved is not None:
        raise CommandError(f"the file {location.database} with your game {saved.game} no longer exists.")
    with ExitStack() as unused, open_location(location, arguments.language, output, reconnect=True) as (client, _):
        if is_new:
            unused.callback(remove_database, location.database)  # if the server rejects the game, no file remains
        if saved is None:
            seat = _take_seat(arguments, client)
            unused.pop_all()
            saved = SavedSeat(
                seat.game_id, seat.number, seat.token, location.server, location.database, seat.entropy.hex()
            )
            seat_file.add(saved)
            _check_entropy(seat)
        else:
            seat = client.seat(saved.game, saved.seat, saved.token)
        while _play(arguments, client, seat, saved, location, output) and sys.stdin.isatty() and sys.stdout.isatty():
            again = offer_end_menu(client, seat, location, output, texts(arguments.language))
            if again is None:
                break
            seat = again
            saved = SavedSeat(
                seat.game_id, seat.number, seat.token, location.server, location.database, seat.entropy.hex()
            )
            seat_file.add(saved)
            _check_entropy(seat)
    return DONE


def _choose_location(arguments: Arguments, saved: SavedSeat | None, output: Output) -> Location:
    """Return the location of a game if no flag names it."""
    if saved is not None:
        return location_of(saved)
    return (
        find_location(arguments.game, arguments.language, output)
        if arguments.game
        else Location(database=new_database())
    )


def _play(
    arguments: Arguments, client: Client, seat: Seat, saved: SavedSeat, location: Location, output: Output
) -> bool:
    """Play; return whether the game ended."""
    game = seat.game()
    if game.damaged_version:
        raise CommandError(damage_warning(game, arguments.language))
    words = texts(arguments.language)
    viewpoint = load_viewpoint(client, game, arguments.language, seat.number)
    session = PlayerSession(
        seat,
        viewpoint,
        words,
        output,
        join_command(seat.game_id, location),
        auto_pass=arguments.auto_pass,
    )
    try:
        session.play()
        return True
    except (LeaveTable, KeyboardInterrupt, EOFError):
        output.line("")
    except BoardkeeperError as error:
        output.error(str(explain(error, str(location))))
    output.line(words["quit"])
    output.command(continue_command(saved))
    return False


def _check_entropy(seat: Seat) -> None:
    """Check that the server recorded the entropy of this seat. Raises :class:`CommandError`."""
    for event in seat.events():
        if event.name == "SeatJoined" and event.seat == seat.number:
            if event.detail.seat_joined.entropy != seat.entropy.hex():
                raise CommandError("the server did not record your entropy: do not trust its dice.")
            return
    raise CommandError("the server did not record your seat.")


def _find_saved_seat(arguments: Arguments, seat_file: SeatFile, location: Location | None) -> SavedSeat | None:
    """Return the seat to continue with, or ``None`` for a new seat."""
    if arguments.resume:
        last = seat_file.last()
        if last is None:
            check_readable(seat_file)
            raise CommandError("you have no game to continue. Start one with: boardkeeper play")
        return last
    if not arguments.game or arguments.join:
        return None
    seats = saved_seats_of(seat_file, arguments.game, location)
    if not seats:
        check_readable(seat_file)
        raise CommandError(
            f"you hold no seat in game {arguments.game}."
            f" Join an open seat with: boardkeeper play {arguments.game} --join"
        )
    return seats[-1]


def _take_seat(arguments: Arguments, client: Client) -> Seat:
    name = arguments.name or login_name()
    if arguments.game:
        return client.join(find_game(client, arguments.game).game_id, name, entropy=arguments.entropy)
    if arguments.position:
        position = positions.read(arguments.position)
        kinds = bots_of(client.title(position.title).title, arguments.bots)
        players = positions.seats(position)
        rules = automaton_seats_of(position.title, position.edition, players, position.options, position.readings)
        return client.create_game(
            position.title,
            _seats(arguments, name, players, kinds, rules),
            edition=position.edition,
            options=position.options,
            readings=position.readings,
            position=position.position,
            time_control=_time_control(arguments),
        ).seats[0]
    wanted = choose_options(client, arguments)
    return client.create_game(
        arguments.title,
        _seats(arguments, name, wanted.players, wanted.bots, wanted.automata),
        edition=wanted.edition,
        options=wanted.options,
        readings=wanted.readings,
        time_control=_time_control(arguments),
    ).seats[0]


def _time_control(arguments: Arguments) -> event_pb2.TimeControl | None:
    if arguments.time is None:
        return None
    kind, seconds, increment = arguments.time
    return event_pb2.TimeControl(kind=kind, seconds=seconds, increment=increment, on_expiry=arguments.on_expiry)


def _seats(
    arguments: Arguments, name: str, players: int, kinds: Sequence[str], rules: Sequence[int]
) -> list[games_pb2.SeatRequest]:
    """Return the seats: first the user, then open seats, then bots. ``rules`` are the seats that the rules play."""
    others = [seat for seat in range(2, players + 1) if seat not in rules]
    if not 0 <= arguments.open <= len(others):
        raise CommandError(
            f"--open {arguments.open} is too many: only {count_noun(len(others), 'seats')} can be left open."
        )
    names = cycle(other for other in NAMES if other.casefold() != name.casefold())
    bots = (bot(kind, next(names)) for kind in cycle(kinds))
    taken = {seat: open_seat() if at < arguments.open else next(bots) for at, seat in enumerate(others)}
    return [person(name, arguments.entropy), *(taken.get(seat) or automa() for seat in range(2, players + 1))]
