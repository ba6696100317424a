"""One call as the servicers see it: who calls, in which language, and what the log should say about it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import UUID

from google.rpc.status_pb2 import Status
from grpc.aio import ServicerContext

from boardkeeper.game.game import ENDED
from boardkeeper.game.seats import PERSON
from boardkeeper.service.auth import key_secrets, scopes
from boardkeeper.service.auth.access_control import AccessControl, is_for_all, is_of
from boardkeeper.service.auth.seat_tokens import hashed, matches
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.limits.addresses import FORWARDED
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.limits.clients import ClientLimiter
from boardkeeper.service.limits.limits import FAILURES
from boardkeeper.service.limits.rpc_rates import Kind
from boardkeeper.service.observability import logs
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, LimitError, RejectedError, invalid
from boardkeeper.service.storage.access import GameAccess, KeyRow
from boardkeeper.service.transport import call_ids
from boardkeeper.service.transport.statuses import status_of
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.titlekit.rules_catalogue import LANGUAGES

_LONGEST_TOKEN = 256

_CERTIFICATE_NAMES = (
    ("dns:", "peer_dns"),
    ("uri:", "peer_uri"),
    ("email:", "peer_email"),
    ("ip:", "peer_ip"),
    ("subject:", "x509_subject"),
)
"""What gRPC calls the names of a verified certificate; whoever shows none has none of them."""

KEY_HEADER = "x-boardkeeper-key"
"""The key of metadata for a platform's key where ``authorization`` has a seat's token."""

VIEW_HEADER = "x-boardkeeper-view"
"""Through whose eyes the holder of a key sees a game: the number of a seat, or ``operator``."""

_READ = frozenset({"accept-language", call_ids.HEADER, KEY_HEADER, VIEW_HEADER, FORWARDED})

Context = ServicerContext[Any, Any]


class Call:
    """The metadata of one call and what is noted for its line in the log.

    ``key`` is that of a platform, if the call has one, and ``as_operator`` tells whether it did, or tried, what only an
    operator may. ``waited`` is for how many seconds it has waited on behalf of the client (:meth:`waiting`).
    """

    caller: ClientLimiter | None = None
    waited = 0.0
    key: KeyRow | None = None
    as_operator = False
    token = ""
    id = ""
    language = LANGUAGES[0]
    _authorization = ""
    _secret = ""
    _view = ""
    _forwarded: tuple[str, ...] = ()
    _is_operator: bool | None = None

    def __init__(
        self, context: Context, gate: AccessControl | None, tallies: CallCounters, admission: Admission
    ) -> None:
        """``gate`` knows keys and whose the games are; services that are not ours have none."""
        self.context = context
        self.notes: dict[str, object] = {}
        self._gate = gate
        self._tallies = tallies
        self._admission = admission
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                self._authorization = str(value)
            elif key in _READ:
                self._read(key, str(value))
        if not self.id:
            self.id = call_ids.new_call_id()

    def _read(self, key: str, value: str) -> None:
        """Take note of what the call's metadata have under one of the keys that mean something here."""
        if key == "accept-language":
            self.language = preferred_language(value)
        elif key == call_ids.HEADER:
            self.id = call_ids.sent_call_id(value)
        elif key == KEY_HEADER:
            self._secret = value
        elif key == VIEW_HEADER:
            self._view = value
        else:
            self._forwarded += (value,)

    # --- who calls ------------------------------------------------------------------------------------------

    async def identify(self, needed: str) -> None:
        """Find out who calls, for an rpc that needs a scope.

        Raises ``TOKEN_MISSING`` for a header of another form, and for a key ``KEY_WRONG``, ``KEY_ENDED`` or
        ``SCOPE_MISSING``; ``KEY_MISSING`` if one is required and no game can stand in for it.
        """
        if self._authorization:
            token = bearer_token(self._authorization)
            if key_secrets.looks_like_one(token):
                if self._secret:
                    raise ApiError("KEY_WRONG")
                self._secret = token
            else:
                self.token = token
        gate = self._gate
        if gate is None:
            return
        if self._secret:
            self.key = await gate.keys.of_secret(self._secret)
            self._secret = ""
        elif gate.takes_certificates:
            self.key = await gate.keys.of_certificate(lambda: self.certificate_names)
        if needed == scopes.ANYBODY:
            return
        if self.key is not None:
            self.check_scope(needed)
        elif gate.required and needed not in scopes.OF_A_SEAT and not self.is_operator:
            raise ApiError("KEY_MISSING")

    # --- what the caller may take ---------------------------------------------------------------------------

    def enter_service(self, kind: Kind) -> ClientLimiter:
        """Be let in, by the key or else the address; raises ``LimitError``. Whoever is has to leave again."""
        key, admission = self.key, self._admission
        caller = self.blamed()
        try:
            admission.enter(caller, kind, shows_token=bool(self.token) and key is None)
        except LimitError:
            if not self.is_operator:
                raise
            caller = admission.operator
            admission.enter(caller, kind, shows_token=False)
        self.caller = caller
        return caller

    def blamed(self) -> ClientLimiter:
        """Who is counted, let in or not."""
        key = self.key
        return self._at_address() if key is None else self._admission.of_key(key.key_id, key.limits)

    def _at_address(self) -> ClientLimiter:
        return self._admission.of_address(self.context.peer(), self._forwarded)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count a call with one answer as a stream while it waits for news. Raises ``LimitError``."""
        caller = self.caller
        if caller is None:
            raise TypeError("the call was not let in")
        self._admission.begin_waiting(caller)
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.waited += time.perf_counter() - begun
            self._admission.end_waiting(caller)

    def check_guesses(self, token: str) -> None:
        """Raises ``LimitError`` before a token within a stream is looked at, if too many were wrong."""
        if token and self.key is None and self.caller is not None and not self.is_operator:
            self.caller.check(FAILURES, self._admission.now())

    def error_to_send(self, error: ApiError) -> ApiError:
        """Return the error to send: ``LimitError`` if the caller has presented too many wrong keys or tokens."""
        if error.reason in ("OPERATOR_ONLY", "PLATFORM_ONLY", "KEY_MISSING") and self.token:
            error.is_guess = not self.is_operator  # it was compared with the operator's token
        return error if self.key is not None else self._admission.failed(error, self._at_address)

    # --- what the caller may do -----------------------------------------------------------------------------

    @property
    def is_operator(self) -> bool:
        """Whether the call has the operator's token."""
        if self._is_operator is None:
            operator = self._gate.operator if self._gate is not None else None
            self._is_operator = self.as_operator = bool(self.token) and matches(self.token, operator)
        return self._is_operator

    def check_scope(self, scope: str) -> None:
        """Raises ``SCOPE_MISSING`` if the call has a key that is not for that; what it may without is not said."""
        if self.key is not None and scope not in self.key.scopes and not self.is_operator:
            raise ApiError("SCOPE_MISSING", key=self.key.key_id, scope=scope)

    async def check_key(self) -> None:
        """Raises ``KEY_ENDED`` if the call's key has ended since it began."""
        if self.key is not None and self._gate is not None:
            await self._gate.keys.check(self.key)

    def check_operator(self) -> None:
        """Raises unless the caller is the operator, or has a key that may do as operators do."""
        if self.is_operator:
            return
        if self.key is None or scopes.OPERATE not in self.key.scopes:
            raise ApiError("OPERATOR_ONLY")
        self.as_operator = True

    def check_operator_of_all(self) -> None:
        """Raises unless the caller is the operator, or has a key for all platforms."""
        if not self.is_operator and (self.key is None or not is_for_all(self.key)):
            raise ApiError("OPERATOR_ONLY")
        self.as_operator = True

    # --- which games ----------------------------------------------------------------------------------------

    def listed_platform(self) -> str | None:
        """Whose games the caller is told of in lists: a platform's, nobody's (empty) or all (``None``)."""
        if self.key is not None and not self.is_operator:
            return None if is_for_all(self.key) else self.key.platform
        if self.is_operator:
            return None
        if self._gate is not None and self._gate.required:
            raise ApiError("KEY_MISSING")
        return ""

    def owner(self, spectators: bool | None = None, by_invitation: bool = False, token_seconds: int = 0) -> GameAccess:
        """Whose the games are that the caller makes."""
        platform = "" if self.key is None or is_for_all(self.key) else self.key.platform
        return GameAccess(platform, spectators, by_invitation, token_seconds)

    async def is_platform_of(self, game: UUID) -> bool:
        """Whether the caller is the platform that a game belongs to, or an operator."""
        access = await self._gate.of_game(game) if self._gate is not None else None
        return self.speaks_for("" if access is None else access.platform)

    def speaks_for(self, platform: str) -> bool:
        """Whether the caller is that platform, or an operator.

        For games of nobody, where no key is required, that is whoever does not come as a player.
        """
        if self.key is not None and not self.is_operator:
            return is_for_all(self.key) or self.key.platform == platform
        if self.is_operator:
            return True
        return not (platform or self.token or self._gate is None or self._gate.required)

    def platform(self, asked_for: str = "") -> str:
        """The platform as which the caller asks about players; operators may ask for any.

        Raises ``PLATFORM_ONLY``, or ``KEY_MISSING`` if the call has neither a key nor a token.
        """
        own = self.listed_platform()
        if own is None:
            return asked_for
        if (asked_for and asked_for != own) or not self.speaks_for(own):
            raise ApiError("PLATFORM_ONLY")
        return own

    async def check_platform_of(self, game: UUID) -> None:
        """Raise ``PLATFORM_ONLY`` unless the caller is the platform that a game belongs to, or an operator.

        Raises ``GAME_NOT_FOUND`` if there is no such game.
        """
        if self._gate is not None and await self._gate.of_game(game) is None:
            raise ApiError("GAME_NOT_FOUND", game=game)
        if not await self.is_platform_of(game):
            raise ApiError("PLATFORM_ONLY")

    async def enter_invited(self, hub: GameRegistry, game: UUID, code: str) -> None:
        """Go on with a game if the caller has an invitation to it, whatever has become of that; or as :meth:`enter`."""
        row = await hub.read(partial(hub.application.database.invitations.invitation, hashed(code)))
        if row is None or row.game != game:
            await self.enter(hub, game, scopes.PLAY, token="")

    async def may_invite(self, live: LiveGame) -> None:
        """Raises unless the caller may invite to a game: as its platform, an operator, or with the token of a seat."""
        if self.is_operator or (self.key is not None and await self.is_platform_of(live.id)):
            return
        if not self.token:
            raise ApiError("TOKEN_MISSING")
        viewer_of(live, self.token)

    async def enter(self, hub: GameRegistry, game: UUID, scope: str = scopes.WATCH, token: str | None = None) -> None:
        """Check that the caller may know of a game; ``scope`` is what the caller wants to do there.

        Raises ``GAME_NOT_FOUND`` otherwise, or ``KEY_MISSING`` if the call has neither a key nor a token.
        """
        gate = self._gate
        if gate is None:
            return
        access = await gate.of_game(game)
        if self.key is None and not gate.required and (access is None or not access.platform):
            return  # nothing more is asked of most calls to a service that is open to all
        if self.is_operator:
            return
        if self.key is not None:
            self.check_scope(scope)
            if not is_of(access, self.key):
                raise ApiError("GAME_NOT_FOUND", game=game)
            return
        if access is not None:
            if access.spectators and scope in (scopes.WATCH, scopes.HISTORY):
                return
            token = self.token if token is None else token
            if token and scope in scopes.OF_A_SEAT:
                live = await hub.live(game)
                seat = live.viewer(token)
                if seat:
                    check_fresh(live, seat)
                    return
            if not token and access.spectators:
                raise ApiError("KEY_MISSING")
        if not (self.token or token) and gate.required:
            raise ApiError("KEY_MISSING")
        unknown = ApiError("GAME_NOT_FOUND", game=game)
        # Also where there is no such game: the limit must not reveal which games exist.
        unknown.is_guess = bool(self.token or token)
        raise unknown

    async def enter_game(self, hub: GameRegistry, game_id: str, scope: str, seat: int | None = None) -> UUID:
        """Return the game that a request names, after noting it, and the seat, for the log; see :meth:`enter`."""
        game = validation.game_id(game_id)
        self.notes["game"] = game_id
        if seat is not None:
            self.notes["seat"] = seat
        await self.enter(hub, game, scope)
        return game

    async def acting_seat(self, live: LiveGame, seat: int, token: str | None = None) -> None:
        """Raises unless the caller may act for that seat: with its token, or else with its platform's key."""
        token = self.token if token is None else token
        if not token and self.key is not None:
            self.check_scope(scopes.PLAY)
            await self.check_key()
            check_person(live, seat)
            return
        check_token(live, seat, token)

    async def having_seat(self, live: LiveGame, seat: int) -> None:
        """Raises unless the caller may act for that seat, or is the operator."""
        check_seat(live, seat)
        if not self.is_operator:
            await self.acting_seat(live, seat)

    def check_seen(self, live: LiveGame, viewer: int, token: str | None = None) -> None:
        """Raises if a stream has a seat's view by a token that is not the seat's any more, or has expired."""
        token = self.token if token is None else token
        if token and viewer > SPECTATOR:
            check_token(live, viewer, token)

    async def viewer(self, live: LiveGame, token: str | None = None) -> int:
        """Whom the caller sees as: see :func:`viewer_of`; or the operator.

        Who has a key and no seat's token sees what spectators see, unless he asks for a seat's view or the operator's.
        """
        token = self.token if token is None else token
        if token:
            return OPERATOR if token == self.token and self.is_operator else viewer_of(live, token)
        if self.key is not None and self._view:
            return viewer_at(live, self._view_asked_for(live))
        if self.key is None and self._gate is not None:
            access = await self._gate.of_game(live.id)
            if access is not None and access.spectators is False:
                raise ApiError("NO_SPECTATORS")
        return viewer_at(live, SPECTATOR)

    def _view_asked_for(self, live: LiveGame) -> int:
        if self._view == "operator":
            self.check_operator()
            return OPERATOR
        self.check_scope(scopes.PLAY)
        seat = int(self._view) if self._view.isascii() and self._view.isdecimal() and len(self._view) < 4 else -1
        if seat != SPECTATOR:
            check_person(live, seat)
        return seat

    # --- what is said of it ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """From now on what is logged, and the trailers of the answer, tell the call's id."""
        logs.call_id.set(self.id)
        self.context.set_trailing_metadata(((call_ids.HEADER, self.id),))

    def status_of(self, error: ApiError) -> Status:
        """Return an error with its details, in the caller's language."""
        return status_of(error, self.language, self.id)

    @property
    def certificate_names(self) -> tuple[str, ...]:
        """Whom the client's certificate names, by kind; nobody unless the service asks clients for certificates.

        ``dns:``, ``uri:``, ``email:`` and ``ip:`` stand before alternative names, ``subject:`` before the whole subject
        (RFC 2253). Only what an authority of ``tls_client_ca`` has signed ever comes here, so a name may be trusted as
        far as that authority is.
        """
        context = self.context.auth_context()
        return tuple(
            kind + name.decode()
            for kind, key in _CERTIFICATE_NAMES
            for name in context.get(key, ())
            if name.isascii()  # others could pass for what they are not
        )

    def note_game(self, game: UUID) -> None:
        """The game that the call is about."""
        self.notes["game"] = str(game)

    def note_command(self, seconds: float) -> None:
        """A command within the call's stream was answered."""
        self._tallies.play.note(seconds)

    def count_error(self, error: ApiError) -> ApiError:
        """Count an error of a request within the call's stream, and return the error to send."""
        error = self.error_to_send(error)
        self._tallies.refused(counted_as(error))
        return error


def counted_as(error: ApiError) -> str:
    """Return the reason under which an error is counted: one for all rejections, of which there are very many."""
    return "RULES" if isinstance(error, RejectedError) else error.reason


def check_seat(live: LiveGame, seat: int) -> None:
    """Raises unless the game has that seat."""
    if not 1 <= seat <= len(live.seats):
        raise invalid("seat", "no_such_seat", least=1, most=len(live.seats))


def check_person(live: LiveGame, seat: int) -> None:
    """Raises unless the game has that seat, and a person has it: nobody acts for bots, or sees their plans."""
    check_seat(live, seat)
    if live.game.created.seats[seat - 1] != PERSON:
        raise ApiError("NO_PERSON", seat=seat)


def check_token(live: LiveGame, seat: int, token: str) -> None:
    """Raises unless the token is that seat's."""
    check_seat(live, seat)
    if not token:
        raise ApiError("TOKEN_MISSING")
    if not live.holds(seat, token):
        raise ApiError("TOKEN_WRONG", seat=seat)
    check_fresh(live, seat)


def check_fresh(live: LiveGame, seat: int) -> None:
    """Raises ``TOKEN_EXPIRED`` if the token of a seat does not hold any more."""
    expires = live.seats[seat - 1].token_expires
    if expires is not None and expires <= present():
        raise ApiError("TOKEN_EXPIRED", seat=seat, time=expires)


def present() -> int:
    """The present time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def viewer_of(live: LiveGame, token: str) -> int:
    """The seat of a token; raises for that of another game or of nobody."""
    seat = live.viewer(token)
    if not seat:
        raise ApiError("TOKEN_OF_NO_SEAT", seat=0)
    check_fresh(live, seat)
    return viewer_at(live, seat)


def viewer_at(live: LiveGame, seat: int) -> int:
    """Whom one sees as who looks from a seat; 0: a spectator.

    Of a game that has ended nothing is hidden: there everybody sees what an operator sees.
    """
    return OPERATOR if live.game.status == ENDED else seat


def bearer_token(header: str) -> str:
    """The token in an ``authorization`` header; raises ``TOKEN_MISSING`` if it has another form."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > _LONGEST_TOKEN:
        raise ApiError("TOKEN_MISSING")
    return token


def language_of(context: Context) -> str:
    """Return the language of a request that does not become a call, for its error."""
    headers = dict(context.invocation_metadata() or ())
    return preferred_language(str(headers.get("accept-language", "")))


def preferred_language(header: str) -> str:
    """The first language of an ``accept-language`` header that we speak, by its weights, else the default."""
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:200].split(",")):
        name, _, parameters = part.strip().partition(";")
        primary = name.partition("-")[0].lower()
        try:
            weight = float(parameters.strip().removeprefix("q=")) if parameters else 1.0
        except ValueError:
            weight = 0.0
        if primary in LANGUAGES and weight > 0:
            wanted.append((-weight, place, primary))
    return min(wanted)[2] if wanted else LANGUAGES[0]
