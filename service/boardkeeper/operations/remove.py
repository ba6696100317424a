"""``boardkeeper remove``: an operator removes a game for good."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from datetime import UTC, datetime

from boardkeeper.client.errors import PermissionDenied, Unauthenticated
from boardkeeper.operations.installed import from_the_service
from boardkeeper.terminal.arguments import default_server
from boardkeeper.terminal.output import DONE, CommandError, Output
from boardkeeper.terminal.positions import VARIABLE
from boardkeeper.terminal.session import WHOLE_ID, connect, find_game, shortened


def run(arguments: Namespace, output: Output) -> int:
    """Remove the game at a service, or from a database."""
    if arguments.db is not None:
        game, when = _from_database(arguments.db, arguments.game)
    else:
        game, when = _from_service(arguments)
    output.record({"game": game, "remove_time": when.isoformat().replace("+00:00", "Z")})
    output.line(f"removed: game {game}")
    return DONE


def _from_service(arguments: Namespace) -> tuple[str, datetime]:
    token = os.environ.get(VARIABLE, "")
    if not token:
        raise CommandError(f"removing a game needs the server's operator token: set {VARIABLE}.")
    with connect(arguments.server or default_server(), arguments.language) as client:
        try:
            game = shortened(arguments.game)
            if len(game) < WHOLE_ID:
                game = find_game(client, game, token).game_id
            return game, client.remove(game, token=token)
        except (PermissionDenied, Unauthenticated) as error:
            if error.reason not in ("OPERATOR_ONLY", "KEY_MISSING"):
                raise
            raise CommandError(f"{VARIABLE} is not the operator token of that server.") from error


def _from_database(database: str, game: str) -> tuple[str, datetime]:
    with from_the_service():
        from boardkeeper.operations.databases import configured  # noqa: PLC0415
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.admin import remove_game  # noqa: PLC0415
    now = time.time_ns() // 1_000_000
    try:
        removed = remove_game(configured(database).database, game, now)
    except (StartupError, LookupError) as error:
        raise CommandError(f"nothing was removed: {error}") from error
    return str(removed), datetime.fromtimestamp(now / 1000, UTC)
