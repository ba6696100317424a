"""When a service wants a key of everybody: the one place where that stands.

On loopback it is open unless it is asked to be otherwise. Elsewhere strangers are there: they need keys, or
certificates that an authority of ``tls_client_ca`` has signed.
"""

from __future__ import annotations

import time

from boardkeeper.service.access.making import holds
from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import SettingError
from boardkeeper.service.storage.database import Database


def are_required(config: Config) -> bool:
    """Whether nobody gets in without a key, or a token."""
    return config.need_keys or _strangers_come(config)


def check_some(config: Config, database: Database) -> None:
    """Raises :class:`SettingError` if strangers may come and nobody could get in; blocks."""
    if not _strangers_come(config):
        return
    now = time.time_ns() // 1_000_000
    if not any(holds(row, now) for row in database.access.all_keys()):
        raise SettingError(
            f"other machines can reach {_open_to_others(config)}, and there are no API keys: create one with"
            " 'boardkeeper access create', require client certificates with --tls-client-ca, or listen on 127.0.0.1"
            " behind a proxy that controls access"
        )


def _strangers_come(config: Config) -> bool:
    return _open_to_others(config) is not None and not config.tls_client_ca


def _open_to_others(config: Config) -> Endpoint | None:
    """Return the first address that other machines can reach."""
    return next((endpoint for endpoint in config.endpoints if not endpoint.is_local), None)
