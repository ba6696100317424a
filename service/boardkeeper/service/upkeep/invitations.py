"""Invitations that are over for long go by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from boardkeeper.service.games.inviting import KEPT_DAYS
from boardkeeper.service.reading.reads import read
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.invitations import SweepInvitations

_DAY = 86_400_000
_SECONDS = 3600.0
_log = structlog.get_logger()


async def sweep_invitations(application: GameApplication, clock: Callable[[], int]) -> None:
    """Sweep every hour those that were used, revoked or have expired so long ago. ``clock`` gives milliseconds."""
    while True:
        try:
            await sweep(application, clock() - KEPT_DAYS * _DAY)
        except Exception as error:  # noqa: BLE001  # there is another hour
            _log.warning("old invitations stay", problem=str(error))
        await asyncio.sleep(_SECONDS)


async def sweep(application: GameApplication, before: int) -> None:
    """Let all invitations go that were over before a time (milliseconds since 1970), some at a time."""
    invitations, store = application.database.invitations, application.writer.store
    while await read(application, partial(invitations.are_over, before)):
        await asyncio.to_thread(store, [SweepInvitations(before)])
