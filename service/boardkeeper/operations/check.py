"""``boardkeeper check``: has a database file been changed behind the service's back?"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import DONE, FAILED, UNCHECKED, CommandError, Output, counted


def run(arguments: Namespace, output: Output) -> int:
    """Check all chains of a file, tell of the damaged ones, and now and then how far it is."""
    with from_the_service():
        from boardkeeper.operations.databases import configured  # noqa: PLC0415
        from boardkeeper.service.errors import AlteredError, StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.admin import check_database  # noqa: PLC0415
        from boardkeeper.service.storage.sqlite.file_check import CheckedFile  # noqa: PLC0415
    games = events = damaged = archived = 0
    older = ""
    progress = GamesDone(output)
    output.progress("Checking ...")
    try:
        database = configured(arguments.db).database
        files = (arguments.checkpoint, arguments.archive, arguments.key_file)
        for game in check_database(database, *(Path(file) if file else None for file in files)):
            if isinstance(game, CheckedFile):
                older = game.problem
                if older:
                    output.record({"checkpoint": str(game.checkpoint), "problem": older})
                    output.line(f"{database} {older}", "red")
                continue
            games, events = game.number, events + game.events
            archived += game.is_archived
            if game.damage is not None:
                damaged += 1
                version, problem = game.damage
                output.record({"game": game.game_id, "version": version, "problem": problem})
                output.line(f"{game.game_id}: damaged from event {version} on: {problem}", "red")
            progress(game.number, game.games)
    except AlteredError as error:
        raise CommandError(str(error)) from error
    except StartupError as error:
        raise CommandError(str(error), UNCHECKED) from error
    passed_over = {"not_looked_at": archived} if archived else {}
    output.record({"games": games, "events": events, "damaged": damaged} | passed_over)
    verdict = f"{damaged} damaged" if damaged else "no change found"
    if archived:
        output.remark(f"{counted(archived, 'games')} archived and not checked: check them with --archive FOLDER")
    output.line(
        f"{counted(games, 'games')}, {counted(events, 'events')}: {verdict}", "bold red" if damaged or older else "bold"
    )
    return FAILED if damaged or older else DONE
