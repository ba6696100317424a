"""What the server asks before it does anything for a call: whose key the call has, and whose the game is.

On loopback no key is required, unless a setting requires it. If other machines can reach the server, clients need keys
or certificates that an authority of ``tls_client_ca`` has signed.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from functools import partial
from uuid import UUID

from boardkeeper.service.auth.key_cache import KeyCache
from boardkeeper.service.auth.key_management import ALL_PLATFORMS, holds
from boardkeeper.service.auth.scopes import OPERATE
from boardkeeper.service.auth.seat_tokens import hashed
from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import SettingError
from boardkeeper.service.storage.access import GameAccess, KeyRow
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage_reads import read_game


def are_required(config: Config) -> bool:
    """Return whether each call needs a key or a token."""
    return config.need_keys or _strangers_come(config)


def check_some(config: Config, database: Database) -> None:
    """Raise :class:`SettingError` if other machines can connect, but there is no key that they could use; blocks."""
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


_MOST_GAMES = 20_000


class AccessControl:
    """Of one service; with ``required`` nobody but who has a key, a seat's token or the operator's gets in."""

    def __init__(
        self,
        application: GameApplication,
        operator_token: str = "",
        *,
        required: bool = False,
        takes_certificates: bool = False,
    ) -> None:
        """``takes_certificates`` says that clients show some, which stand for keys."""
        self.required = required
        self.operator = hashed(operator_token) if operator_token else None
        self.keys = KeyCache(application)
        self.takes_certificates = takes_certificates
        self._application = application
        self._games: OrderedDict[int, GameAccess] = OrderedDict()  # by their ids as numbers, which are hashed faster

    async def of_game(self, game: UUID) -> GameAccess | None:
        """Whose a game is; ``None`` if there is none of that id. What is so once stays so, and is kept in memory.

        Raises ``GameDamagedError`` if that cannot be read.
        """
        found = self._games.get(game.int)
        if found is not None:
            self._games.move_to_end(game.int)
            return found
        select = partial(self._application.database.access.game_access, game)
        found = await read_game(self._application, game, select)
        if found is not None:
            self._games[game.int] = found
            if len(self._games) > _MOST_GAMES:
                self._games.popitem(last=False)
        return found


def is_of(access: GameAccess | None, key: KeyRow) -> bool:
    """Whether the holder of a key can know of a game: it is the platform's own, or the key is for all platforms."""
    return is_for_all(key) or (access is not None and access.platform == key.platform)


def is_for_all(key: KeyRow) -> bool:
    """Whether a key is an operator's own."""
    return key.platform == ALL_PLATFORMS and OPERATE in key.scopes
