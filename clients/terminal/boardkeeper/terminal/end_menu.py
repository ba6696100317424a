"""The menu after a game: verify, export, rematch, or quit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import BytesIO
from itertools import chain, count
from pathlib import Path

from boardkeeper.client.client import Client, Seat
from boardkeeper.client.errors import BoardkeeperError
from boardkeeper.client.requests import automa, bot, open_seat, person
from boardkeeper.game.seats import AUTOMA
from boardkeeper.terminal import record_checks, record_files
from boardkeeper.terminal.errors import CommandError
from boardkeeper.terminal.export import record_page
from boardkeeper.terminal.locations import Location
from boardkeeper.terminal.output import Output
from boardkeeper.v1 import game_pb2, games_pb2

VERIFY, REMATCH, RECORD, PAGE, QUIT = "v", "r", "e", "h", "q"
SHORT_ID = 8


def offer_end_menu(
    client: Client, seat: Seat, location: Location, output: Output, words: Mapping[str, str]
) -> Seat | None:
    """Offer the menu until the player quits. Return the seat in a rematch, or ``None``."""
    game = seat.game()
    while True:
        output.line("")
        output.lines(words["afterwards"])
        try:
            typed = output.ask(words["afterwards_prompt"]).strip().casefold()
        except (EOFError, KeyboardInterrupt):
            output.line("")
            typed = QUIT
        try:
            if typed == VERIFY:
                record_checks.show_report(
                    game.game_id, record_checks.audit_record(BytesIO(client.record(game.game_id))), output
                )
            elif typed == REMATCH:
                return rematch(client, game, seat.number)
            elif typed in (RECORD, PAGE):
                _save(client, game, output, words, is_page=typed == PAGE)
            elif typed in ("", QUIT):
                print_commands(game.game_id, location, output, words)
                return None
        except (BoardkeeperError, CommandError) as error:
            output.line(str(error), "yellow")


def print_commands(game: str, location: Location, output: Output, words: Mapping[str, str]) -> None:
    """Print commands with which the user can do the same later."""
    output.line(words["afterwards_later"])
    id = game[:SHORT_ID]  # the whole id would break the line
    for action in (f"verify {id}", f"export {id} --out {_file(game)}.jsonl", f"show {id}"):
        output.command(f"boardkeeper {action}{location.option}")


def rematch(client: Client, game: game_pb2.Game, own: int) -> Seat:
    """Create a game with the same settings. The seats of other people are open."""
    return client.create_game(
        game.title,
        [_again(it, own) for it in game.seats],
        edition=game.edition,
        options=dict(game.options),
        readings=dict(game.readings),
        time_control=game.time_control if game.HasField("time_control") else None,
    ).seats[0]


def _again(seat: game_pb2.Seat, own: int) -> games_pb2.SeatRequest:
    if seat.seat == own:
        return person(seat.name)
    if seat.bot == AUTOMA:
        return automa()
    # A bot that took over for a person does not get the seat in the next game.
    was_person = seat.handed_over or seat.resigned or not seat.bot
    return open_seat() if was_person else bot(seat.bot, seat.name)


def _save(client: Client, game: game_pb2.Game, output: Output, words: Mapping[str, str], *, is_page: bool) -> None:
    record = client.record(game.game_id)
    data, ending = (record_page(record), ".html") if is_page else (record, ".jsonl")
    file = _free(_file(game.game_id), ending, data)
    record_files.check_writable(file)
    record_files.save(data, file)
    output.line(words["afterwards_saved"].format(file=file))


def _file(game: str) -> str:
    return f"game-{game[:SHORT_ID]}"


def _free(name: str, ending: str, data: bytes) -> str:
    """Return an unused file name, or one whose file has the same content. Files are never overwritten."""
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(file for it in names if _is_free(Path(file := it + ending), data))


def _is_free(file: Path, data: bytes) -> bool:
    if file.is_file() and os.access(file, os.R_OK):
        return file.read_bytes() == data
    return not os.path.lexists(file)
