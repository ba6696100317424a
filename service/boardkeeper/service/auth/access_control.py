"""Access control: whether calls need API keys, and which platform each game belongs to.

On loopback no key is required, unless a setting requires it. If other machines can reach the server, clients need keys
or certificates that an authority of ``tls_client_ca`` has signed.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from uuid import UUID

from boardkeeper.service.auth.key_cache import KeyCache
from boardkeeper.service.auth.key_management import ALL_PLATFORMS, is_valid
from boardkeeper.service.auth.scopes import OPERATE
from boardkeeper.service.auth.seat_tokens import hash_token
from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import SettingError
from boardkeeper.service.storage.access import GameAccess, KeyRow
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage_reads import read_game
from boardkeeper.service.wall_clock import wall_milliseconds

_MAX_GAMES = 20_000


def requires_keys(config: Config) -> bool:
    """Return whether each call needs a key or a token."""
    return config.need_keys or _is_public(config)


def check_keys_exist(config: Config, database: Database) -> None:
    """Raise :class:`SettingError` if other machines can connect, but no key exists that they could use; blocks."""
    if not _is_public(config):
        return
    now = wall_milliseconds()
    if not any(is_valid(row, now) for row in database.access.all_keys()):
        raise SettingError(
            f"other machines can reach {_public_endpoint(config)}, and there are no API keys: create one with"
            " 'boardkeeper access create', require client certificates with --tls-client-ca, or listen on 127.0.0.1"
            " behind a proxy that controls access"
        )


def _is_public(config: Config) -> bool:
    """Return whether other machines can connect without a certificate."""
    return _public_endpoint(config) is not None and not config.tls_client_ca


def _public_endpoint(config: Config) -> Endpoint | None:
    """Return the first address that other machines can reach."""
    return next((endpoint for endpoint in config.endpoints if not endpoint.is_local), None)


class AccessControl:
    """The API keys and the access rules of games of one server."""

    def __init__(
        self,
        application: GameApplication,
        operator_token: str = "",
        *,
        required: bool = False,
        accepts_certificates: bool = False,
    ) -> None:
        """If access is ``required``, calls need a key, a seat token or the operator token.

        ``accepts_certificates``: the certificates of clients count as keys.
        """
        self.required = required
        self.operator_hash = hash_token(operator_token) if operator_token else None
        self.keys = KeyCache(application)
        self.accepts_certificates = accepts_certificates
        self._application = application
        self._games: OrderedDict[int, GameAccess] = OrderedDict()  # by the ids as numbers: Python hashes them faster

    async def game_access(self, game: UUID) -> GameAccess | None:
        """Return the access rules of a game, which never change, or ``None`` if the game does not exist.

        Raises ``GAME_DAMAGED`` if they cannot be read.
        """
        found = self._games.get(game.int)
        if found is not None:
            self._games.move_to_end(game.int)
            return found
        select = partial(self._application.database.access.game_access, game)
        found = await read_game(self._application, game, select)
        if found is not None:
            self._games[game.int] = found
            if len(self._games) > _MAX_GAMES:
                self._games.popitem(last=False)
        return found


def can_know_game(key: KeyRow, access: GameAccess | None) -> bool:
    """Return whether a game with these access rules belongs to the key's platform, or the key is for all platforms."""
    return is_operator_key(key) or (access is not None and access.platform == key.platform)


def is_operator_key(key: KeyRow) -> bool:
    """Return whether a key is an operator's key for all platforms."""
    return key.platform == ALL_PLATFORMS and OPERATE in key.scopes
