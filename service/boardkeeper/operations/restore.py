"""``boardkeeper restore``: make a database of a backup."""

from __future__ import annotations

from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

from boardkeeper.operations.backup import tell
from boardkeeper.operations.databases import configured
from boardkeeper.operations.ending import ends_by_signal
from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import DONE, CommandError, Output, counted


def run(arguments: Namespace, output: Output) -> int:
    """Restore, and say what was."""
    with from_the_service():
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.backups import restore  # noqa: PLC0415
    try:
        config = configured(arguments.db, arguments.key_file)
        key_file = Path(config.key_file) if config.key_file else None
        output.progress("Restoring ...")
        with ends_by_signal():
            made = restore(Path(arguments.file), config.database, key_file, GamesDone(output, "rows"))
    except StartupError as error:
        raise CommandError(f"nothing was restored: {error}") from error
    tell(made, output)
    when = datetime.fromtimestamp(made.manifest.time / 1000, UTC)
    restored = f"{counted(made.games, 'games')}, {counted(made.events, 'events')}"
    output.line(f"{restored}, as they were on {when:%Y-%m-%d %H:%M:%S} UTC", "bold")
    return DONE
