"""``boardkeeper move``: move all games to another database."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

from boardkeeper.client.cli.output import DONE, FAILED, CommandError, Output

_REMARK_SECONDS = 2.0


def run(arguments: Namespace, output: Output) -> int:
    """Move them, say now and then how far it is, and tell which stayed."""
    try:
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.moving import move_all  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise CommandError(f"the service is not installed: pip install 'boardkeeper[service]' ({error})") from error
    told = time.monotonic()

    def progress(done: int, games: int) -> None:
        nonlocal told
        if time.monotonic() - told > _REMARK_SECONDS:
            told = time.monotonic()
            output.remark(f"{done} of {games} games")

    key_file = Path(arguments.key_file) if arguments.key_file else None
    try:
        moved = move_all(arguments.source, arguments.target, key_file, progress)
    except StartupError as error:
        raise CommandError(f"not all was moved: {error}") from error
    for game, damage in moved.damages.items():
        output.record({"game_id": str(game), "damaged_version": damage.version, "problem": damage.problem})
        output.line(f"{game}: damaged from event {damage.version} on, stays where it is: {damage.problem}", "red")
    counts = {
        "games": moved.games,
        "events": moved.events,
        "there before": moved.there_before,
        "removed": moved.tombstones,
        "damaged": len(moved.damages),
    }
    output.record({what.replace(" ", "_"): count for what, count in counts.items()})
    output.line(", ".join(f"{count} {what}" for what, count in counts.items()), "bold")
    return FAILED if moved.damages else DONE
