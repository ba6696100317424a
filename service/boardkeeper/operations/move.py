"""``boardkeeper move``: move all games to another database."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import DONE, FAILED, CommandError, Output, counted


def run(arguments: Namespace, output: Output) -> int:
    """Move them, say now and then how far it is, and tell which stayed."""
    with from_the_service():
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.database_move import NOT_COPIED, move_database  # noqa: PLC0415
    key_file = Path(arguments.key_file) if arguments.key_file else None
    try:
        archive = Path(arguments.archive) if arguments.archive else None
        moved = move_database(arguments.source, arguments.target, key_file, GamesDone(output), archive)
    except StartupError as error:
        raise CommandError(f"the move did not finish: {error}") from error
    for game, damage in moved.damages.items():
        output.record({"game_id": str(game), "damaged_version": damage.version, "problem": damage.problem})
        output.line(f"{game}: damaged from event {damage.version} on, not copied: {damage.problem}", "red")
    counts = {
        "games": moved.games,
        "events": moved.events,
        "there before": moved.there_before,
        "removed": moved.tombstones,
        "damaged": len(moved.damages),
        "webhooks": moved.webhooks,
    }
    output.record({what.replace(" ", "_"): count for what, count in counts.items()} | {"archived": moved.archived})
    output.line(", ".join(counted(count, what) for what, count in counts.items()), "bold")
    if moved.webhooks:
        output.remark("The webhooks are disabled in the new database. Enable each with: boardkeeper webhooks enable ID")
    if moved.other_feed:
        output.remark(
            "The event feed was not copied, because the new database has one already: old cursors are not valid there."
            f" Its webhooks ({moved.webhooks_left}) were not copied either: create them again."
        )
    if moved.archived:
        output.remark(
            f"{counted(moved.archived, 'archived games')} not copied. To copy the archived games too, run the command"
            " again with --archive FOLDER."
        )
    output.remark(f"Not copied: {'; '.join(NOT_COPIED)}.")
    return FAILED if moved.damages or moved.archived else DONE
