"""The commands ``boardkeeper backup`` and ``boardkeeper restore``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from boardkeeper.operations.support import server_imports
from boardkeeper.terminal import command_line as cli
from boardkeeper.terminal import values
from boardkeeper.terminal.errors import DONE, FAILED, UNCHECKED, CommandError, count_noun
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.service.storage.backups import BackupInfo


@cli.command()
@cli.argument("file", "FILE", type=values.path, help="backup file, or a folder for it")
@cli.database_flags("signing key of a PostgreSQL database; with --verify: key that the backup must be signed with")
@cli.switch(
    "--with-key",
    help="include the signing key; anyone with the backup can then sign as your server",
    conflicts=("verify",),
)
@cli.switch("--verify", help="verify an existing backup", conflicts=("with_key",))
@cli.output_flags
def backup(arguments: cli.Arguments, output: Output) -> int:
    """Back up a database: one signed file with everything that the database holds at one moment.

    A server may use the database at the same time, and is not blocked. FILE must not exist. If FILE is a folder, the
    backup gets a generated name in it. An interrupted backup leaves no file.

    The signing key is not in the backup, and a backup cannot be restored without it: store a copy of the key elsewhere.
    Keep backups as secret as the database: they contain dice secrets, names and token hashes.

    --verify checks every byte and every hash chain of an existing backup and restores nothing.

    examples:
      boardkeeper backup /backups --db games.db
      boardkeeper backup monday.backup --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
      boardkeeper backup monday.backup --verify --key-file /etc/boardkeeper.key

    exit status with --verify:
      0  everything is in order
      1  the backup is damaged or incomplete, contains a damaged game, or is signed with another key
      5  could not check: the file is missing, unreadable or not a backup, or --key-file cannot be read
    """
    from boardkeeper.operations.support import Progress, interrupted_by_sigterm, read_config

    with server_imports():
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.backups import back_up
    path = Path(arguments.file)
    with interrupted_by_sigterm():
        if arguments.verify:
            return _verify(path, arguments, output)
        output.progress("Backing up ...")
        try:
            config = read_config(arguments.db, arguments.key_file)
            key_file = Path(config.key_file) if config.key_file else None
            made = back_up(
                config.database, path, key_file, Progress(output, "rows or pages"), with_key=arguments.with_key
            )
        except StartupError as error:
            raise CommandError(f"no backup was created: {error}") from error
    print_backup(made, output)
    output.line(f"{_summary(made)}, key {made.manifest.key_id[:16]}", "bold")
    return DONE


def _verify(path: Path, arguments: cli.Arguments, output: Output) -> int:
    from boardkeeper.operations.support import Progress
    from boardkeeper.service.errors import AlteredError, StartupError
    from boardkeeper.service.storage.backups import describe_backup, verify_backup

    damaged = 0
    progress = Progress(output)
    try:
        made = describe_backup(path, Path(arguments.key_file) if arguments.key_file else None)
        for game in verify_backup(path):
            progress(game.number, game.games)
            if game.damage is not None:
                damaged += 1
                version, problem = game.damage
                output.record({"game": game.game_id, "version": version, "problem": problem})
                output.line(f"{game.game_id}: damaged from event {version} on: {problem}", "red")
    except AlteredError as error:
        raise CommandError(str(error)) from error
    except StartupError as error:
        raise CommandError(str(error), UNCHECKED) from error
    print_backup(made, output, damaged=damaged)
    verdict = (
        f"complete, but {count_noun(damaged, 'games')} damaged when it was created"
        if damaged
        else "complete, every hash chain holds"
    )
    output.line(
        f"{_summary(made)}, key {made.manifest.key_id}: {verdict}",
        "bold red" if damaged else "bold",
    )
    return FAILED if damaged else DONE


def _summary(made: BackupInfo) -> str:
    return f"{made.path}: {count_noun(made.games, 'games')}, {count_noun(made.events, 'events')}"


def print_backup(made: BackupInfo, output: Output, **more: object) -> None:
    """Print a backup as a JSON object. ``more`` contains further fields."""
    manifest = made.manifest
    output.record(
        {
            "backup": str(made.path),
            "kind": manifest.kind,
            "time": manifest.time,
            "key_id": manifest.key_id,
            "games": made.games,
            "events": made.events,
            **more,
        }
    )


@cli.command()
@cli.argument("file", "FILE", type=values.path, help="backup file")
@cli.database_flags("signing key; for a SQLite file it is copied beside the file")
@cli.output_flags
def restore(arguments: cli.Arguments, output: Output) -> int:
    """Create a database from a backup: a new SQLite file, or a PostgreSQL database without tables.

    If the restore fails, nothing is created. The signing key has to exist before (beside the file, as games.db.key, or
    named by --key-file), unless the backup contains it. Games continue from the moment of the backup; everything played
    later is lost.

    examples:
      boardkeeper restore monday.backup --db games.db --key-file /safe/games.db.key
      boardkeeper restore monday.backup --db postgresql://db.internal/games --key-file /etc/boardkeeper.key
    """
    from boardkeeper.operations.support import Progress, interrupted_by_sigterm, read_config

    with server_imports():
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.storage.backups import restore
    try:
        config = read_config(arguments.db, arguments.key_file)
        key_file = Path(config.key_file) if config.key_file else None
        output.progress("Restoring ...")
        with interrupted_by_sigterm():
            made = restore(Path(arguments.file), config.database, key_file, Progress(output, "rows"))
    except StartupError as error:
        raise CommandError(f"nothing was restored: {error}") from error
    print_backup(made, output)
    when = datetime.fromtimestamp(made.manifest.time / 1000, UTC)
    restored = f"{count_noun(made.games, 'games')}, {count_noun(made.events, 'events')}"
    output.line(f"{restored}, as they were on {when:%Y-%m-%d %H:%M:%S} UTC", "bold")
    return DONE
