"""``boardkeeper play``: a person at a terminal, and where that person's games are kept."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack
from itertools import cycle, islice

from boardkeeper.client.cli import positions
from boardkeeper.client.cli.arguments import default_server
from boardkeeper.client.cli.choices import choices
from boardkeeper.client.cli.local import new_database, own_service, remove_database
from boardkeeper.client.cli.output import DONE, USAGE, CommandError, Output
from boardkeeper.client.cli.seat_book import HeldSeat, SeatBook, data_folder
from boardkeeper.client.cli.session import NAMES, explain, find_game, login, look_at, stay_connected
from boardkeeper.client.cli.table import Left, TableTalk
from boardkeeper.client.cli.texts import texts
from boardkeeper.client.client import Client, Seat
from boardkeeper.client.drawing.drawing import drawing_of
from boardkeeper.client.errors import BoardkeeperError
from boardkeeper.client.requests import bot, open_seat, person


def run(arguments: Namespace, output: Output) -> int:
    """Sit down, play until the game is over or one leaves, and say how to come back."""
    if arguments.join and not arguments.game:
        raise CommandError("--join takes a seat in a game that is there: say which one with --game GAME.", USAGE)
    if arguments.join and not arguments.server:
        arguments.server = default_server()  # the game is somebody else's, so it is in no file of one's own
    book = SeatBook(data_folder())
    held = _held(arguments, book)
    with ExitStack() as stack:
        server = arguments.server or (held.server if held else "")
        database = "" if server else held.database if held else new_database()
        unused = stack.enter_context(ExitStack())  # left after the service
        address = server or stack.enter_context(own_service(database))
        if database and held is None:  # a game that is refused leaves no file behind
            unused.callback(remove_database, database)
        client = stack.enter_context(stay_connected(address, arguments.language))
        if held is None:
            seat = _sit_down(arguments, client)
            unused.pop_all()
            book.add(HeldSeat(seat.game_id, seat.number, seat.token, server, database, seat.entropy.hex()))
            _check_entropy(seat)
        else:
            seat = client.seat(held.game, held.seat, held.token)
        _play(arguments, client, seat, server, output)
    return DONE


def _play(arguments: Namespace, client: Client, seat: Seat, server: str, output: Output) -> None:
    game = seat.game()
    words = texts(arguments.language)
    at = f" --server {server}" if server else ""
    table = TableTalk(
        seat,
        drawing_of(game.title),
        look_at(client, game, arguments.language, seat.number),
        words,
        output,
        invitation=f"boardkeeper play --game {seat.game_id}{at} --join",
    )
    try:
        table.play()
        return
    except (Left, KeyboardInterrupt, EOFError):
        output.line("")
    except BoardkeeperError as error:
        output.error(str(explain(error, server)))
    output.line(words["quit"])
    output.line(f"  boardkeeper play --game {seat.game_id}{at}", "bold")


def _check_entropy(seat: Seat) -> None:
    """That the history has this seat's share of the dice as it was sent; raises :class:`CommandError`."""
    for event in seat.events():
        if event.name == "SeatJoined" and event.seat == seat.number:
            if event.detail.seat_joined.entropy != seat.entropy.hex():
                raise CommandError("the service has not put your share of the dice on record: do not trust its dice.")
            return
    raise CommandError("the service has not put your seat on record.")


def _held(arguments: Namespace, book: SeatBook) -> HeldSeat | None:
    """The seat to go on with, or ``None`` to sit down anew."""
    if arguments.resume:
        last = book.last()
        if last is None:
            raise CommandError("you have not played yet: 'boardkeeper play' begins a game.")
        return last
    if not arguments.game or arguments.join:
        return None
    seats = book.seats(arguments.game)
    if not seats:
        raise CommandError(
            f"you hold no seat in game {arguments.game}. Take a free one with --join and --server HOST:PORT."
        )
    return seats[-1]


def _sit_down(arguments: Namespace, client: Client) -> Seat:
    name = arguments.name or login()
    if arguments.game:
        return client.join(find_game(client, arguments.game).game_id, name, entropy=arguments.entropy)
    position = positions.read(arguments.position) if arguments.position else None
    others = (positions.seats(position) if position else arguments.players) - 1
    if not 0 <= arguments.open <= others:
        raise CommandError(f"--open {arguments.open} does not fit: there are {others} other seats.")
    names = cycle(other for other in NAMES if other != name)
    bots = [bot(kind, next(names)) for kind in islice(cycle(arguments.bots), others - arguments.open)]
    seats = [person(name, arguments.entropy), *(open_seat() for _ in range(arguments.open)), *bots]
    if position:
        return client.create_game(
            position.title,
            seats,
            edition=position.edition,
            options=position.options,
            readings=position.readings,
            position=position.position,
        ).seats[0]
    wanted = choices(client, arguments)
    new = client.create_game(
        arguments.title, seats, edition=wanted.edition, options=wanted.options, readings=wanted.readings
    )
    return new.seats[0]
