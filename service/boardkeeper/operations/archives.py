"""The commands ``boardkeeper archive`` and ``boardkeeper unarchive``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boardkeeper.operations.support import server_imports
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.errors import DONE, FAILED, CommandError, count_noun
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.service.storage.archive.transfer import ArchiveResult


@cli.command()
@cli.argument("folder", "FOLDER", type=values.path, help="existing folder for the files")
@cli.flag(
    "--older-than",
    metavar="DAYS",
    type=values.days,
    required=True,
    help="only games that ended more than DAYS days ago",
)
@cli.flag("--title", default="", help="only games of this title")
@cli.flag("--platform", metavar="ID", help="only games of this platform")
@cli.database_flags()
@cli.output_flags
def archive(arguments: cli.Arguments, output: Output) -> int:
    """Move the events of games that ended some time ago out of a database into FOLDER, one signed file for each game.

    A server that is started with --archive FOLDER serves these games as before. Seats, names, tokens and results stay
    in the database. Include the folder in your backups: these events are stored nowhere else.

    Stop the server of a SQLite file first. A PostgreSQL database may be in use, but the command needs the user who owns
    its tables. To continue after an interruption, run the same command again.

    examples:
      boardkeeper archive /srv/archive --older-than 90 --db games.db
      boardkeeper archive /srv/archive --db postgresql://owner@db.internal/games --key-file /etc/boardkeeper.key
    """
    from boardkeeper.operations.support import Progress, interrupted_by_sigterm, read_config

    with server_imports():
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive
    try:
        config = read_config(arguments.db, arguments.key_file)
        key_file = Path(config.key_file) if config.key_file else None
        choice = ArchiveFilter(arguments.older_than, arguments.title, arguments.platform)
        with interrupted_by_sigterm():
            done = archive(config.database, Path(arguments.folder), choice, key_file, Progress(output))
    except StartupError as error:
        raise CommandError(str(error)) from error
    return print_result(done, output)


def print_result(done: ArchiveResult, output: Output) -> int:
    """Print the counts, and the games that were not moved. Return the exit status."""
    for game, damage in done.damages.items():
        output.record({"game_id": str(game), "problem": damage.problem})
        output.line(f"{game}: not moved: {damage.problem}", "red")
    counts = {"games": done.games, "events": done.events, "stayed": len(done.damages)}
    if done.files:
        counts |= {"bytes_before": done.bytes, "bytes_in_files": done.files}
    if done.removed:
        counts["files_of_removed_games"] = done.removed
    output.record(counts)
    output.line(", ".join(count_noun(count, what.replace("_", " ")) for what, count in counts.items()), "bold")
    return FAILED if done.damages else DONE


@cli.command()
@cli.argument("folder", "FOLDER", type=values.path, help="folder with the archived games")
@cli.argument("games", "GAME", nargs=-1, help=f"{cli.GAME_HELP} (default: all games)")
@cli.database_flags()
@cli.output_flags
def unarchive(arguments: cli.Arguments, output: Output) -> int:
    """Copy the events of archived games from FOLDER back into the database: of the named games, or of all games.

    The files stay, because a backup of the database may need them. Stop the server of a SQLite file first; a PostgreSQL
    database may be in use.

    examples:
      boardkeeper unarchive /srv/archive 4f1c… --db games.db
      boardkeeper unarchive /srv/archive --db games.db
    """
    from boardkeeper.operations.support import Progress, interrupted_by_sigterm, read_config

    with server_imports():
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.archive.transfer import unarchive
    try:
        config = read_config(arguments.db, arguments.key_file)
        key_file = Path(config.key_file) if config.key_file else None
        with interrupted_by_sigterm():
            done = unarchive(config.database, Path(arguments.folder), arguments.games, key_file, Progress(output))
    except (StartupError, LookupError) as error:
        raise CommandError(str(error)) from error
    return print_result(done, output)
