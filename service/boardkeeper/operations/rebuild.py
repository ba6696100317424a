"""``boardkeeper rebuild``: make a database's lobby again from its events."""

from __future__ import annotations

from argparse import Namespace

import msgspec

from boardkeeper.operations.installed import from_the_service
from boardkeeper.operations.progress import GamesDone
from boardkeeper.terminal.output import DONE, FAILED, UNCHECKED, CommandError, Output, counted


def run(arguments: Namespace, output: Output) -> int:
    """Rebuild, tell what was different and which games were left alone, and now and then how far it is."""
    with from_the_service():
        from boardkeeper.operations.databases import configured  # noqa: PLC0415
        from boardkeeper.service.errors import StartupError  # noqa: PLC0415
        from boardkeeper.service.storage.projection_rebuild import rebuild  # noqa: PLC0415
        from boardkeeper.titles.registry import allow_listed, load_title  # noqa: PLC0415
    try:
        config = configured(arguments.db, arguments.key_file)
        allow_listed(config.titles)  # a game of a title that cannot be loaded stops the command, with its id
        rebuilt = rebuild(config.database, load_title, GamesDone(output), key_file=config.key_file)
    except StartupError as error:
        raise CommandError(f"nothing was rebuilt: {error}", UNCHECKED) from error
    for it in rebuilt.differences:
        output.record(msgspec.to_builtins(it))
        stored = "missing" if it.stored is None else _plain(it.stored)
        output.line(f"{it.game_id}: {it.field} was {stored}, is {_plain(it.rebuilt)}")
    for game, damage in rebuilt.damages.items():
        output.record({"game_id": str(game), "damaged_version": damage.version, "problem": damage.problem})
        output.line(f"{game}: damaged from event {damage.version} on, not changed: {damage.problem}", "red")
    for game, reason in rebuilt.incompatible.items():
        output.record({"game_id": str(game), "incompatible": reason})
        output.line(f"{game}: not changed: {reason}", "red")
    counts = {"games": rebuilt.games, "differences": len(rebuilt.differences), "damaged": len(rebuilt.damages)}
    if rebuilt.incompatible:
        counts["not readable"] = len(rebuilt.incompatible)
    output.record(counts)
    output.line(", ".join(counted(count, what) for what, count in counts.items()), "bold")
    if rebuilt.damages:
        return FAILED
    return UNCHECKED if rebuilt.incompatible else DONE


def _plain(value: object) -> str:
    return msgspec.json.encode(value).decode()
