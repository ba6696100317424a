"""``boardkeeper archive``: move the events of games that have ended out of a database into a folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from boardkeeper.operations.databases import configured
from boardkeeper.operations.ending import ends_by_signal
from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import DONE, FAILED, CommandError, Output, counted

if TYPE_CHECKING:
    from boardkeeper.service.storage.archive.transfer import ArchiveResult


def run(arguments: Namespace, output: Output) -> int:
    """Archive, and say how much, and which games stayed."""
    with from_the_service():
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive  # noqa: PLC0415
    try:
        config = configured(arguments.db, arguments.key_file)
        key_file = Path(config.key_file) if config.key_file else None
        choice = ArchiveFilter(arguments.older_than, arguments.title, arguments.platform)
        with ends_by_signal():
            done = archive(config.database, Path(arguments.folder), choice, key_file, GamesDone(output))
    except StartupError as error:
        raise CommandError(str(error)) from error
    return tell(done, output)


def tell(done: ArchiveResult, output: Output) -> int:
    """Say what was done."""
    for game, damage in done.damages.items():
        output.record({"game_id": str(game), "problem": damage.problem})
        output.line(f"{game}: not moved: {damage.problem}", "red")
    counts = {"games": done.games, "events": done.events, "stayed": len(done.damages)}
    if done.files:
        counts |= {"bytes_before": done.bytes, "bytes_in_files": done.files}
    if done.removed:
        counts["files_of_removed_games"] = done.removed
    output.record(counts)
    output.line(", ".join(counted(count, what.replace("_", " ")) for what, count in counts.items()), "bold")
    return FAILED if done.damages else DONE
