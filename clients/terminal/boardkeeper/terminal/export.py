"""The command ``boardkeeper export``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal.environment import OPERATOR_TOKEN, STANDARD
from boardkeeper.terminal.errors import DONE, CommandError, count_noun
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.terminal.locations import Location, OpenGame
    from boardkeeper.v1 import game_pb2


@cli.command()
@cli.game_argument()
@cli.flag("--out", metavar="FILE", help="save the record to this file (default: - for standard output)")
@cli.flag("--html", metavar="FILE", help="save the record as a web page; - for standard output")
@cli.location_flags()
@cli.language_flag
def export(arguments: cli.Arguments, output: Output) -> int:
    """Save the record of a game: one file with all its events.

    'boardkeeper verify' verifies it, and any server can import it. The record of a finished game is complete. The
    record of a running game contains what you may see: everything for the operator (BOARDKEEPER_OPERATOR_TOKEN), what
    your seat sees if you hold one, else what a spectator sees.

    --html saves a web page that replays and verifies the game in any browser, also from a file.

    examples:
      boardkeeper export 4f1c… --out game.jsonl
      boardkeeper export 4f1c… --html game.html
      boardkeeper export 4f1c… | boardkeeper verify -
    """
    from boardkeeper.terminal import record_files
    from boardkeeper.terminal.locations import open_game

    files = [it for it in (arguments.out, arguments.html) if it]
    record_files.check_one_output(*files)
    for file in files:
        record_files.check_writable(file)
    with open_game(arguments, output) as found:
        game = found.game
        token, form = _token(game, found.location)
        record = found.client.record(game.game_id, token=token)
    for file in files:
        content = record_page(record) if file is arguments.html else record
        record_files.save(content, file, private=bool(token))
        if file != STANDARD:
            output.remark(f"{file}: game {game.game_id}, {count_noun(game.version, 'events')}, {form}")
    if not files:
        record_files.show(record)
    return DONE


def record_page(record: bytes) -> bytes:
    """Return a record as a web page. Raises :class:`CommandError` if the record viewer is not built."""
    from boardkeeper.client.records import NotBuiltError, with_record

    try:
        return with_record(record)
    except NotBuiltError as error:
        raise CommandError(f"{error}.") from error


def fetch_record(found: OpenGame) -> bytes:
    """Return the record that the user may read."""
    return found.client.record(found.game.game_id, token=_token(found.game, found.location)[0])


def _token(game: game_pb2.Game, location: Location) -> tuple[str, str]:
    """Return the token with which to request the record, and a description of what the record then contains."""
    from boardkeeper.terminal.saved_seats import SeatFile, data_folder, saved_seats_of
    from boardkeeper.v1 import game_pb2

    if game.status == game_pb2.GAME_STATUS_ENDED:
        return "", "complete"
    operator = os.environ.get(OPERATOR_TOKEN, "")
    if operator:
        return operator, "complete so far, with everything hidden (operator)"
    for saved in saved_seats_of(SeatFile(data_folder()), game.game_id, location):
        return saved.token, f"so far, as seat {saved.seat} sees it"
    return "", "so far, as a spectator sees it"
