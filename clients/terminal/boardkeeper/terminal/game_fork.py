"""Create a fork of a game from the command line."""

from __future__ import annotations

import os
from itertools import cycle

from boardkeeper.client.errors import PermissionDenied, Rejected
from boardkeeper.client.requests import AUTOMA, automa, bot, open_seat, person
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.connections import NAMES, as_record, find_game, login_name, seat_names
from boardkeeper.terminal.environment import OPERATOR_TOKEN
from boardkeeper.terminal.errors import DONE, CommandError, count_noun
from boardkeeper.terminal.game_options import bots_of
from boardkeeper.terminal.locations import find_location, location_of, named_location, open_location
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.saved_seats import (
    SavedSeat,
    SeatFile,
    continue_command,
    data_folder,
    join_command,
    saved_seats_of,
)
from boardkeeper.terminal.texts import texts
from boardkeeper.v1 import game_pb2, games_pb2


def create_fork(arguments: Arguments, output: Output) -> int:
    """Create the fork, save the seat, and print how to play it."""
    words = texts(arguments.language)
    seat_file = SeatFile(data_folder())
    seat_file.check_writable()
    location = named_location(arguments)
    saved = _chosen(saved_seats_of(seat_file, arguments.game, location), arguments.seat)
    token = _token(arguments, saved)
    location = location or (location_of(saved) if saved else find_location(arguments.game, arguments.language, output))
    with open_location(location, arguments.language, output, at_rest=True) as (client, _):
        game = find_game(client, saved.game if saved else arguments.game)
        number = arguments.seat or (saved.seat if saved else 1)
        seats = _seats(game, number, arguments, bots_of(client.title(game.title).title, arguments.bots))
        try:
            new = client.fork(game.game_id, seats, version=arguments.at, token=token)
        except PermissionDenied as error:
            if arguments.operator:
                raise CommandError(f"{OPERATOR_TOKEN} is not the operator token of that server.") from error
            raise
        except Rejected as rejected:
            if rejected.code != "GAME_OVER":
                raise
            raise CommandError(words["fork_over"].format(version=game.version)) from rejected
        own = next(seat for seat in new.seats if seat.number == number)
        taken = SavedSeat(own.game_id, number, own.token, location.server, location.database, own.entropy.hex())
        seat_file.add(taken)
    output.record(as_record(new.game) | {"seat": number})
    knowing = words["fork_operator"] if arguments.operator else _knowing(words, saved, game, arguments.language)
    lineage = new.game.forked_from
    output.line(new.game.game_id, "bold")
    output.line(words["fork_from"].format(game=lineage.game_id, version=lineage.version, knowing=knowing))
    names = seat_names(new.game, arguments.language)
    for seat in new.game.seats:
        output.line(f"  {seat.seat}  {names[seat.seat]} {_player_text(words, seat, number)}".rstrip())
    output.line(words["fork_play"])
    output.command(continue_command(taken))
    if any(not seat.taken for seat in new.game.seats):
        output.line(words["waiting_open"])
        output.command(join_command(taken.game, location))
    return DONE


def _chosen(saved: list[SavedSeat], seat: int) -> SavedSeat | None:
    """Return the saved seat whose view is used: the seat with the number, or by default the first one."""
    return next((one for one in saved if one.seat == seat), saved[0] if saved else None)


def _token(arguments: Arguments, saved: SavedSeat | None) -> str:
    if not arguments.operator:
        return saved.token if saved else ""
    token = os.environ.get(OPERATOR_TOKEN, "")
    if not token:
        raise CommandError(
            f"--operator reveals hidden information and needs the server's operator token: set {OPERATOR_TOKEN}."
        )
    return token


def _seats(
    game: game_pb2.Game, number: int, arguments: Arguments, bots: tuple[str, ...]
) -> list[games_pb2.SeatRequest]:
    """Return the seats of the fork. Bots and the rules keep their seats; other people's seats are open or get bots."""
    if not 1 <= number <= len(game.seats):
        raise CommandError(f"game {game.game_id} has no seat {number}: its seats are 1 to {len(game.seats)}.")
    if game.seats[number - 1].bot == AUTOMA:
        raise CommandError(f"seat {number} of game {game.game_id} is played by the rules: choose another with --seat.")
    name = arguments.name or login_name()
    names = cycle(other for other in NAMES if other not in {name, *(seat.name for seat in game.seats)})
    kinds = cycle(bots)
    left = arguments.open
    seats = []
    for seat in game.seats:
        if seat.seat == number:
            seats.append(person(name))
        elif seat.bot == AUTOMA:
            seats.append(automa(seat.name))
        elif seat.bot:
            seats.append(bot(seat.bot, seat.name or next(names)))
        elif left:
            left -= 1
            seats.append(open_seat())
        else:
            seats.append(bot(next(kinds), next(names)))
    if left:
        raise CommandError(
            f"--open {arguments.open} is too many: only {count_noun(arguments.open - left, 'seats')} can be left open."
        )
    return seats


def _player_text(words: dict[str, str], seat: game_pb2.Seat, own: int) -> str:
    """Return the text after the name of a seat: who plays it."""
    if seat.seat == own:
        return words["fork_you"]
    if seat.bot:
        return words["fork_rules"] if seat.bot == AUTOMA else words["fork_bot"].format(kind=seat.bot)
    return "" if seat.taken else words["fork_open"]


def _knowing(words: dict[str, str], saved: SavedSeat | None, game: game_pb2.Game, language: str) -> str:
    if saved is None:
        return words["fork_spectator"]
    return words["fork_seat"].format(name=seat_names(game, language)[saved.seat])
