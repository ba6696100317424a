"""Work of the server in the background: sweeps, checks of stored games, and the deletion of old invitations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.games.invitations import RETENTION_DAYS
from boardkeeper.service.process.chain_check import ChainCheck
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.invitations import DeleteEndedInvitations
from boardkeeper.service.storage_reads import read
from boardkeeper.service.tasks import repeat

_SWEEP_SECONDS = 30.0
_DAY = 86_400_000

_log = structlog.get_logger("boardkeeper.server")


async def sweep_regularly(registry: GameRegistry) -> None:
    """Remove idle games from memory, and store a checkpoint of the database, every half minute."""
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        try:
            registry.sweep()
            await asyncio.to_thread(registry.application.database.save_checkpoint)
        except Exception:  # noqa: BLE001  # the next sweep tries again
            _log.exception("sweeping failed")


async def check_chains(application: GameApplication, notify: Callable[[str], None] | None) -> None:
    """Check the hash chains of all stored games once; ``notify`` is called with a sentence about damaged ones."""
    try:
        check = ChainCheck(application)
        await check.run()
        if check.damaged and notify is not None:
            notify(check.summary(application.database.name))
    except Exception:  # noqa: BLE001  # games are checked again when they are loaded
        _log.exception("the check of the chains failed")


async def watch_last_backup(application: GameApplication) -> None:
    """Read every minute when the last backup was made, for the metrics."""

    async def read_time() -> None:
        stored = await application.read(application.database.last_backup)
        application.last_backup = stored or 0

    await repeat(60.0, read_time, "the time of the last backup could not be read")


async def delete_old_invitations(application: GameApplication, clock: Callable[[], int]) -> None:
    """Delete invitations that ended more than ``RETENTION_DAYS`` ago, every hour.

    ``clock`` returns milliseconds since 1970.
    """
    await repeat(
        3600.0,
        lambda: delete_invitations(application, clock() - RETENTION_DAYS * _DAY),
        "old invitations could not be removed",
    )


async def delete_invitations(application: GameApplication, before: int) -> None:
    """Delete the invitations that ended before a time (milliseconds since 1970), in several transactions."""
    invitations, store = application.database.invitations, application.writer.store
    while await read(application, partial(invitations.has_ended, before)):
        await asyncio.to_thread(store, [DeleteEndedInvitations(before)])
