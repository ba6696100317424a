"""Periodic work of the server: reading the time of the last backup, and deleting old invitations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from boardkeeper.service.games.invitations import RETENTION_DAYS
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.invitations import DeleteEndedInvitations
from boardkeeper.service.storage_reads import read
from boardkeeper.service.tasks import repeat

_DAY = 86_400_000


async def watch_last_backup(application: GameApplication) -> None:
    """Read every minute when the last backup was made, for the metrics."""

    async def read_time() -> None:
        stored = await application.read(application.database.last_backup)
        application.last_backup = stored or 0

    await repeat(60.0, read_time, "the time of the last backup could not be read")


async def delete_old_invitations(application: GameApplication, clock: Callable[[], int]) -> None:
    """Delete every hour the invitations that ended long ago. ``clock`` returns milliseconds since 1970."""
    await repeat(
        3600.0,
        lambda: delete_invitations(application, clock() - RETENTION_DAYS * _DAY),
        "old invitations could not be removed",
    )


async def delete_invitations(application: GameApplication, before: int) -> None:
    """Delete the invitations that ended before a time (milliseconds since 1970), in several transactions."""
    invitations, store = application.database.invitations, application.writer.store
    while await read(application, partial(invitations.are_over, before)):
        await asyncio.to_thread(store, [DeleteEndedInvitations(before)])
