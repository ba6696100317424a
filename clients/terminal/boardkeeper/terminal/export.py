"""``boardkeeper export``: save the record of a game."""

from __future__ import annotations

import os
from argparse import Namespace

from boardkeeper.client.record_page import NotBuiltError, with_record
from boardkeeper.terminal import record_files
from boardkeeper.terminal.arguments import STANDARD
from boardkeeper.terminal.held import held_seats
from boardkeeper.terminal.locations import OpenGame, Place, open_game
from boardkeeper.terminal.output import DONE, CommandError, Output, counted
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.saved_seats import SeatBook, data_folder
from boardkeeper.v1 import game_pb2


def run(arguments: Namespace, output: Output) -> int:
    """Fetch the record that this person may have, and save or print it."""
    files = [it for it in (arguments.out, arguments.html) if it]
    record_files.check_one_output(*files)
    for file in files:
        record_files.check_writable(file)
    with open_game(arguments, output) as found:
        game = found.game
        token, form = _token(game, found.place)
        record = found.client.record(game.game_id, token=token)
    for file in files:
        content = page_of(record) if file is arguments.html else record
        record_files.save(content, file, private=bool(token))
        if file != STANDARD:
            output.remark(f"{file}: game {game.game_id}, {counted(game.version, 'events')}, {form}")
    if not files:
        record_files.show(record)
    return DONE


def page_of(record: bytes) -> bytes:
    """A record as a page that shows it; raises :class:`CommandError` where none was built."""
    try:
        return with_record(record)
    except NotBuiltError as error:
        raise CommandError(f"{error}.") from error


def fetch(found: OpenGame) -> bytes:
    """The record that this person may have."""
    return found.client.record(found.game.game_id, token=_token(found.game, found.place)[0])


def _token(game: game_pb2.Game, place: Place) -> tuple[str, str]:
    """What to show the service, and which form of the record it gives for it."""
    if game.status == game_pb2.GAME_STATUS_ENDED:
        return "", "complete"
    operator = os.environ.get(VARIABLE, "")
    if operator:
        return operator, "complete so far, with everything hidden (operator)"
    for held in held_seats(SeatBook(data_folder()), game.game_id, place):
        return held.token, f"so far, as seat {held.seat} sees it"
    return "", "so far, as a spectator sees it"
