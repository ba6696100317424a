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
    """Take a seat, play until the game ends or the player leaves, and print how to continue."""
    if arguments.join and not arguments.game:
        raise CommandError("--join needs a game to join: add GAME.", USAGE)
    book = SeatFile(data_folder())
    place = named_location(arguments, new=not arguments.game)
    held = _held(arguments, book, place)
    if held is None:
        book.check_writable()
    place = place or _place(arguments, held, output)
    is_new = bool(place.database) and not exists(Path(place.database))
    if is_new and held is not None:
        raise CommandError(f"the file {place.database} with your game {held.game} no longer exists.")
    with ExitStack() as unused, open_location(place, arguments.language, output, patient=True) as (client, _):
        if is_new:
            unused.callback(remove_database, place.database)  # a rejected game leaves no file
        if held is None:
            seat = _sit_down(arguments, client)
            unused.pop_all()
            held = SavedSeat(seat.game_id, seat.number, seat.token, place.server, place.database, seat.entropy.hex())
            book.add(held)
            _check_entropy(seat)
        else:
            seat = client.seat(held.game, held.seat, held.token)
        while _play(arguments, client, seat, held, place, output) and sys.stdin.isatty() and sys.stdout.isatty():
            again = offer_end_menu(client, seat, place, output, texts(arguments.language))
            if again is None:
                break
            seat = again
            held = SavedSeat(seat.game_id, seat.number, seat.token, place.server, place.database, seat.entropy.hex())
            book.add(held)
            _check_entropy(seat)
    return DONE


def _place(arguments: Arguments, held: SavedSeat | None, output: Output) -> Location:
    """Return the location if no flag names it."""
    if held is not None:
        return location_of(held)
    return (
        find_location(arguments.game, arguments.language, output)
        if arguments.game
        else Location(database=new_database())
    )


def _play(arguments: Arguments, client: Client, seat: Seat, held: SavedSeat, place: Location, output: Output) -> bool:
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
        join_command(seat.game_id, place),
        auto_pass=arguments.auto_pass,
    )
    try:
        session.play()
        return True
    except (LeaveTable, KeyboardInterrupt, EOFError):
        output.line("")
    except BoardkeeperError as error:
        output.error(str(explain(error, str(place))))
    output.line(words["quit"])
    output.command(continue_command(held))
    return False


def _check_entropy(seat: Seat) -> None:
    """Check that the server recorded the entropy of this seat. Raises :class:`CommandError`."""
    for event in seat.events():
        if event.name == "SeatJoined" and event.seat == seat.number:
            if event.detail.seat_joined.entropy != seat.entropy.hex():
                raise CommandError("the server did not record your entropy: do not trust its dice.")
            return
    raise CommandError("the server did not record your seat.")


def _held(arguments: Arguments, book: SeatFile, place: Location | None) -> SavedSeat | None:
    """Return the seat to continue with, or ``None`` for a new seat."""
    if arguments.resume:
        last = book.last()
        if last is None:
            check_readable(book)
            raise CommandError("you have no game to continue. Start one with: boardkeeper play")
        return last
    if not arguments.game or arguments.join:
        return None
    seats = saved_seats_of(book, arguments.game, place)
    if not seats:
        check_readable(book)
        raise CommandError(
            f"you hold no seat in game {arguments.game}."
            f" Join an open seat with: boardkeeper play {arguments.game} --join"
        )
    return seats[-1]


def _sit_down(arguments: Arguments, client: Client) -> Seat:
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
    """Return the seats: the user first, then open seats, then bots; the rules keep their seats."""
    others = [seat for seat in range(2, players + 1) if seat not in rules]
    if not 0 <= arguments.open <= len(others):
        raise CommandError(
            f"--open {arguments.open} is too many: only {count_noun(len(others), 'seats')} can be left open."
        )
    names = cycle(other for other in NAMES if other.casefold() != name.casefold())
    bots = (bot(kind, next(names)) for kind in cycle(kinds))
    taken = {seat: open_seat() if at < arguments.open else next(bots) for at, seat in enumerate(others)}
    return [person(name, arguments.entropy), *(taken.get(seat) or automa() for seat in range(2, players + 1))]
