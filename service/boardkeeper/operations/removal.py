"""The commands ``boardkeeper erase`` and ``boardkeeper remove``."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

from boardkeeper.operations.support import server_imports
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.environment import OPERATOR_TOKEN, default_server
from boardkeeper.terminal.errors import DONE, USAGE, CommandError, count_noun
from boardkeeper.terminal.output import Output


def _erase_player(arguments: cli.Arguments, output: Output) -> int:
    """Erase a player of a platform on a server or in a database. Return the exit status."""
    from boardkeeper.terminal.connections import connect

    if arguments.game or arguments.seat or arguments.name:
        raise CommandError("--player cannot be combined with --game, --seat or --name", USAGE)
    token = os.environ.get(OPERATOR_TOKEN, "")
    if arguments.server:
        with connect(arguments.server, "en") as client:
            answer = client.erase_player(arguments.player, platform=arguments.platform, token=token)
        seats = answer.seats
    else:
        with server_imports():
            from boardkeeper.operations.support import read_config
            from boardkeeper.service.errors import StartupError
            from boardkeeper.service.storage.admin import erase_player
        now = time.time_ns() // 1_000_000
        try:
            seats = len(erase_player(read_config(arguments.db).database, arguments.platform, arguments.player, now))
        except StartupError as error:
            raise CommandError(f"nothing was erased: {error}") from error
    output.line(f"erased: the player's id, name and token on {count_noun(seats, 'seats')}")
    if not seats and not arguments.platform and (token or not arguments.server):
        output.remark("No platform was named. If the player belongs to one, name it with --platform.")
    return DONE


@cli.command()
@cli.file_flag("--db", metavar="URL", help=cli.DATABASE_HELP)
@cli.server_flag("with --player: erase on this server")
@cli.flag("--player", metavar="ID", default="", help="erase the player with this player id")
@cli.flag("--platform", metavar="ID", default="", help="platform of the player (default: games without a platform)")
@cli.flag("--game", metavar="GAME", help=f"with --seat: {cli.GAME_HELP}")
@cli.flag("--seat", metavar="N", type=values.positive, help="erase the name of this seat")
@cli.flag("--name", metavar="NAME", help="erase this name, in exactly this spelling, from every seat")
def erase(arguments: cli.Arguments, output: Output) -> int:
    """Erase a person's name from one seat, or from every seat that has it.

    The games stay, with "Seat 2" in place of the name, and can still be verified. Older copies, backups and PostgreSQL
    write-ahead logs still contain the name.

    --player erases a player of a platform from all games: player id, names and tokens. It also works on a server
    (--server), with an API key of scope 'operate' (BOARDKEEPER_KEY) or the operator token (BOARDKEEPER_OPERATOR_TOKEN).

    With --db, stop the server of a SQLite file first; a PostgreSQL database may be in use.

    examples:
      boardkeeper erase --db games.db --game 4f1c… --seat 2
      boardkeeper erase --db games.db --name Ada
      boardkeeper erase --server games.example.org:443 --player p-4711
    """
    with server_imports():
        from boardkeeper.operations.support import read_config
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.admin import erase_name, erase_seat
    if arguments.player:
        return _erase_player(arguments, output)
    if bool(arguments.game) != bool(arguments.seat) or bool(arguments.game) == bool(arguments.name):
        raise CommandError("name what to erase: --game GAME --seat N, --name NAME, or --player ID", USAGE)
    try:
        database = read_config(arguments.db).database
        if arguments.name:
            erased = erase_name(database, arguments.name)
        else:
            erased = erase_seat(database, arguments.game, arguments.seat)
    except (StartupError, LookupError) as error:
        raise CommandError(f"nothing was erased: {error}") from error
    if not erased:
        who = "no seat has that name" if arguments.name else "the seat has no name"
        raise CommandError(f"nothing was erased: {who}")
    for seat in erased:
        output.line(f"erased: the name of seat {seat.seat} in game {seat.game_id}")
    return DONE


@cli.command()
@cli.game_argument()
@cli.location_flags(
    f"remove it on this server {cli.DEFAULT_HELP}",
    "remove it from this database: a file that no server uses, or a PostgreSQL URL",
)
@cli.language_flag
@cli.output_flags
def remove(arguments: cli.Arguments, output: Output) -> int:
    """Remove a game permanently, with its events, names and tokens.

    On a server this needs the operator token (BOARDKEEPER_OPERATOR_TOKEN). In a database (--db) it needs a SQLite file
    that no server uses, or PostgreSQL. The id is never used again, and the record of the game can no longer be
    imported. Older copies and backups still contain the game.

    examples:
      boardkeeper remove 4f1c… --server localhost:8050
      boardkeeper remove 4f1c… --db games.db
    """
    if arguments.db is not None:
        game, when = _remove_from_database(arguments.db, arguments.game)
    else:
        game, when = _remove_on_server(arguments)
    output.record({"game": game, "remove_time": when.isoformat().replace("+00:00", "Z")})
    output.line(f"removed: game {game}")
    return DONE


def _remove_on_server(arguments: cli.Arguments) -> tuple[str, datetime]:
    from boardkeeper.client.errors import PermissionDenied, Unauthenticated
    from boardkeeper.terminal.connections import WHOLE_ID, connect, find_game, normalize_prefix

    token = os.environ.get(OPERATOR_TOKEN, "")
    if not token:
        raise CommandError(f"removing a game needs the server's operator token: set {OPERATOR_TOKEN}.")
    with connect(arguments.server or default_server(), arguments.language) as client:
        try:
            game = normalize_prefix(arguments.game)
            if len(game) < WHOLE_ID:
                game = find_game(client, game, token).game_id
            return game, client.remove(game, token=token)
        except (PermissionDenied, Unauthenticated) as error:
            if error.reason not in ("OPERATOR_ONLY", "KEY_MISSING"):
                raise
            raise CommandError(f"{OPERATOR_TOKEN} is not the operator token of that server.") from error


def _remove_from_database(database: str, game: str) -> tuple[str, datetime]:
    with server_imports():
        from boardkeeper.operations.support import read_config
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.admin import remove_game
    now = time.time_ns() // 1_000_000
    try:
        removed = remove_game(read_config(database).database, game, now)
    except (StartupError, LookupError) as error:
        raise CommandError(f"nothing was removed: {error}") from error
    return str(removed), datetime.fromtimestamp(now / 1000, UTC)
