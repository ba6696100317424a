"""``boardkeeper unarchive``: bring the events of archived games back into the database."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from boardkeeper.operations.archive import tell
from boardkeeper.operations.databases import configured
from boardkeeper.operations.ending import ends_by_signal
from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import CommandError, Output


def run(arguments: Namespace, output: Output) -> int:
    """Bring them back, and say how many."""
    with from_the_service():
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.archive.transfer import unarchive  # noqa: PLC0415
    try:
        config = configured(arguments.db, arguments.key_file)
        key_file = Path(config.key_file) if config.key_file else None
        with ends_by_signal():
            done = unarchive(config.database, Path(arguments.folder), arguments.games, key_file, GamesDone(output))
    except (StartupError, LookupError) as error:
        raise CommandError(str(error)) from error
    return tell(done, output)
