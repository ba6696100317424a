"""How old the last backup is: asked for now and then, so that metrics can tell."""

from __future__ import annotations

import asyncio

import structlog

from boardkeeper.service.storage.application import GameApplication

_EVERY_SECONDS = 60.0
_log = structlog.get_logger()


async def know_last_backup(application: GameApplication) -> None:
    """Ask every minute when the last backup was made; while the database does not answer, what was known stays."""
    while True:
        try:
            known = await application.read(application.database.last_backup)
            application.last_backup = known or 0
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told where it hinders anybody
            _log.debug("the last backup is not known", problem=str(error))
        await asyncio.sleep(_EVERY_SECONDS)
