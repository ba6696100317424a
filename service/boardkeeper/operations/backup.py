"""``boardkeeper backup``: make a backup of a database, or look into one."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from boardkeeper.operations.databases import configured
from boardkeeper.operations.ending import ends_by_signal
from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import DONE, FAILED, UNCHECKED, CommandError, Output, counted

if TYPE_CHECKING:
    from boardkeeper.service.storage.backups import BackupInfo


def run(arguments: Namespace, output: Output) -> int:
    """Make it, or check it, and say what is in it."""
    with from_the_service():
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.backups import back_up  # noqa: PLC0415
    path = Path(arguments.file)
    with ends_by_signal():
        if arguments.verify:
            return _verify(path, arguments, output)
        output.progress("Backing up ...")
        try:
            config = configured(arguments.db, arguments.key_file)
            key_file = Path(config.key_file) if config.key_file else None
            made = back_up(
                config.database, path, key_file, GamesDone(output, "rows or pages"), with_key=arguments.with_key
            )
        except StartupError as error:
            raise CommandError(f"no backup was created: {error}") from error
    tell(made, output)
    output.line(f"{_summary(made)}, key {made.manifest.key_id[:16]}", "bold")
    return DONE


def _verify(path: Path, arguments: Namespace, output: Output) -> int:
    from boardkeeper.service.errors import AlteredError, StartupError  # noqa: PLC0415
    from boardkeeper.service.storage.backups import describe_backup, verify_backup  # noqa: PLC0415

    damaged = 0
    progress = GamesDone(output)
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
    tell(made, output, damaged=damaged)
    verdict = (
        f"complete, but {counted(damaged, 'games')} damaged when it was created"
        if damaged
        else "complete, every hash chain holds"
    )
    output.line(
        f"{_summary(made)}, key {made.manifest.key_id}: {verdict}",
        "bold red" if damaged else "bold",
    )
    return FAILED if damaged else DONE


def _summary(made: BackupInfo) -> str:
    return f"{made.path}: {counted(made.games, 'games')}, {counted(made.events, 'events')}"


def tell(made: BackupInfo, output: Output, **more: object) -> None:
    """Say of a backup, for programs, what is in it."""
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
