"""The identity of a caller: its API key or certificate, its seat token, and whether it is the operator."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from grpc.aio import ServicerContext

from boardkeeper.service.auth import key_secrets, scopes
from boardkeeper.service.auth.access_control import AccessControl, is_operator_key
from boardkeeper.service.auth.seat_tokens import matches_hash
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.access import GameAccess, KeyRow

_MAX_TOKEN = 256

_CERTIFICATE_NAMES = (
    ("dns:", "peer_dns"),
    ("uri:", "peer_uri"),
    ("email:", "peer_email"),
    ("ip:", "peer_ip"),
    ("subject:", "x509_subject"),
)
"""The prefix of each kind of certificate name, and its key in the ``auth_context`` of gRPC."""


class Caller:
    """The client that makes one call: a platform, a player, the operator, or a client without key and token.

    ``key`` is the platform's API key, ``token`` the seat token or operator token. ``used_operator_rights`` is set when
    the call did something that needs operator rights, so that the server logs it.
    """

    key: KeyRow | None = None
    token = ""
    used_operator_rights = False
    _is_operator: bool | None = None

    def __init__(
        self, context: ServicerContext[Any, Any], access_control: AccessControl | None, authorization: str, key: str
    ) -> None:
        """Services that are not our own (health, reflection) have no ``access_control``.

        ``authorization`` and ``key`` are the two headers that can contain a key, or empty.
        """
        self.access_control = access_control
        self._context = context
        self._authorization = authorization
        self._key_header = key

    async def identify(self, scope: str) -> None:
        """Find the key or token, for an RPC that needs ``scope``.

        Raises ``TOKEN_MISSING`` if the header is malformed, ``KEY_WRONG``, ``KEY_ENDED`` or ``SCOPE_MISSING`` for a
        key, and ``KEY_MISSING`` if the RPC needs a key and a seat token is not enough.
        """
        secret = self._key_header
        if self._authorization:
            token = _bearer_token(self._authorization)
            if not key_secrets.looks_like_key(token):
                self.token = token
            elif secret:
                raise ApiError("KEY_WRONG")
            else:
                secret = token
        access_control = self.access_control
        if access_control is None:
            return
        if secret:
            self.key = await access_control.keys.find_by_secret(secret)
        elif access_control.accepts_certificates:
            self.key = await access_control.keys.find_by_certificate(self.certificate_names)
        if scope == scopes.NO_SCOPE:
            return
        if self.key is not None:
            self.check_scope(scope)
        elif access_control.required and scope not in scopes.SEAT_TOKEN_SCOPES and not self.is_operator:
            raise ApiError("KEY_MISSING")

    def certificate_names(self) -> tuple[str, ...]:
        """Return the names in the client's certificate, such as ``dns:example.org``; none without mutual TLS.

        An authority of ``tls_client_ca`` has signed the certificate, so the names are as trustworthy as this authority.
        """
        context = self._context.auth_context()
        return tuple(
            kind + name.decode()
            for kind, key in _CERTIFICATE_NAMES
            for name in context.get(key, ())
            if name.isascii()  # other characters can imitate a different name
        )

    # --- rights ---------------------------------------------------------------------------------------------

    @property
    def is_operator(self) -> bool:
        """Whether the call has the operator token."""
        if self._is_operator is None:
            stored = self.access_control.operator_hash if self.access_control is not None else None
            self._is_operator = self.used_operator_rights = bool(self.token) and matches_hash(self.token, stored)
        return self._is_operator

    def check_scope(self, scope: str) -> None:
        """Raise ``SCOPE_MISSING`` if the call has a key without this scope."""
        if self.key is not None and scope not in self.key.scopes and not self.is_operator:
            raise ApiError("SCOPE_MISSING", key=self.key.key_id, scope=scope)

    async def check_key(self) -> None:
        """Raise ``KEY_ENDED`` if the key was revoked or has expired since the call began."""
        if self.key is not None and self.access_control is not None:
            await self.access_control.keys.check_valid(self.key)

    def check_operator(self) -> None:
        """Raise ``OPERATOR_ONLY`` unless the caller has the operator token, or a key with the scope for operators."""
        if self.is_operator:
            return
        if self.key is None or scopes.OPERATE not in self.key.scopes:
            raise ApiError("OPERATOR_ONLY")
        self.used_operator_rights = True

    def check_operator_of_all(self) -> None:
        """Raise ``OPERATOR_ONLY`` unless the caller has the operator token, or a key for all platforms."""
        if not self.is_operator and (self.key is None or not is_operator_key(self.key)):
            raise ApiError("OPERATOR_ONLY")
        self.used_operator_rights = True

    # --- platforms ------------------------------------------------------------------------------------------

    def listed_platform(self) -> str | None:
        """Return the platform whose games the caller can list: empty for games of no platform, ``None`` for all games.

        Raises ``KEY_MISSING`` if the server requires a key.
        """
        if self.key is not None and not self.is_operator:
            return None if is_operator_key(self.key) else self.key.platform
        if self.is_operator:
            return None
        if self.access_control is not None and self.access_control.required:
            raise ApiError("KEY_MISSING")
        return ""

    def new_game_access(
        self, spectators: bool | None = None, by_invitation: bool = False, token_seconds: int = 0
    ) -> GameAccess:
        """Return the access rules of a game that the caller creates."""
        platform = "" if self.key is None or is_operator_key(self.key) else self.key.platform
        return GameAccess(platform, spectators, by_invitation, token_seconds)

    def acts_for_platform(self, platform: str) -> bool:
        """Return whether the caller is the platform or an operator.

        If the server requires no key, each caller without a token acts for the games of no platform.
        """
        if self.key is not None and not self.is_operator:
            return is_operator_key(self.key) or self.key.platform == platform
        if self.is_operator:
            return True
        return not (platform or self.token or self.access_control is None or self.access_control.required)

    def player_platform(self, requested: str = "") -> str:
        """Return the platform whose players the caller can read; operators can request any platform.

        Raises ``PLATFORM_ONLY``, or ``KEY_MISSING`` if the call has neither a key nor a token.
        """
        own = self.listed_platform()
        if own is None:
            return requested
        if (requested and requested != own) or not self.acts_for_platform(own):
            raise ApiError("PLATFORM_ONLY")
        return own

    async def is_platform_of(self, game: UUID) -> bool:
        """Return whether the caller is the platform that a game belongs to, or an operator."""
        access = await self.access_control.game_access(game) if self.access_control is not None else None
        return self.acts_for_platform("" if access is None else access.platform)

    async def check_platform_of(self, game: UUID) -> None:
        """Raise ``PLATFORM_ONLY`` unless the caller is the platform that a game belongs to, or an operator.

        Raises ``GAME_NOT_FOUND`` if the game does not exist.
        """
        if self.access_control is not None and await self.access_control.game_access(game) is None:
            raise ApiError("GAME_NOT_FOUND", game=game)
        if not await self.is_platform_of(game):
            raise ApiError("PLATFORM_ONLY")


def _bearer_token(header: str) -> str:
    """Return the token of an ``authorization`` header. Raises ``TOKEN_MISSING`` if the header is malformed."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > _MAX_TOKEN:
        raise ApiError("TOKEN_MISSING")
    return token
