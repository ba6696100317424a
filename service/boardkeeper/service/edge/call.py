"""One call as the servicers see it: who calls, in which language, and what the log should say about it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from google.rpc.status_pb2 import Status
from grpc.aio import ServicerContext

from boardkeeper.game.game import ENDED
from boardkeeper.service import logs
from boardkeeper.service.edge import call_ids
from boardkeeper.service.edge.statuses import status_of
from boardkeeper.service.games.live import LiveGame
from boardkeeper.service.requests.refusals import (
    InvalidRequestError,
    NoTokenError,
    OperatorOnlyError,
    Refusal,
    RejectedError,
    WrongTokenError,
)
from boardkeeper.service.requests.sentences import Sentence
from boardkeeper.service.requests.tokens import matches
from boardkeeper.service.tallies import CallTallies
from boardkeeper.table.rules_catalogue import LANGUAGES
from boardkeeper.table.visibility import OPERATOR, SPECTATOR

_LONGEST_TOKEN = 256

_CERTIFICATE_NAMES = (
    ("dns:", "peer_dns"),
    ("uri:", "peer_uri"),
    ("email:", "peer_email"),
    ("ip:", "peer_ip"),
    ("subject:", "x509_subject"),
)
"""What gRPC calls the names of a verified certificate; whoever shows none has none of them."""

Context = ServicerContext[Any, Any]


class Call:
    """The metadata of one call and what is noted for its line in the log."""

    __slots__ = ("_authorization", "_operator", "_tallies", "context", "id", "language", "notes", "token")

    def __init__(self, context: Context, operator: bytes | None, tallies: CallTallies) -> None:
        """``operator`` is the hash of the operator's token, if there is an operator."""
        self.context = context
        self._tallies = tallies
        self._operator = operator
        self._authorization = ""
        self.id = ""
        self.token = ""
        self.language = LANGUAGES[0]
        self.notes: dict[str, object] = {}
        for key, value in context.invocation_metadata() or ():
            if key == "authorization":
                self._authorization = str(value)
            elif key == "accept-language":
                self.language = preferred_language(str(value))
            elif key == call_ids.HEADER:
                self.id = call_ids.sent_call_id(str(value))
        self.id = self.id or call_ids.new_call_id()

    def identify(self) -> None:
        """Take the caller's token. Raises ``NoTokenError`` for a header of another form."""
        if self._authorization:
            self.token = bearer_token(self._authorization)

    def begin(self) -> None:
        """From now on what is logged, and the trailers of the answer, tell the call's id."""
        logs.call_id.set(self.id)
        self.context.set_trailing_metadata(((call_ids.HEADER, self.id),))

    def status_of(self, refusal: Refusal) -> Status:
        """A refusal as this caller is told of it."""
        return status_of(refusal, self.language, self.id)

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

    def count_refusal(self, refusal: Refusal) -> None:
        """A request within the call's stream was refused."""
        self._tallies.refused(counted_as(refusal))

    def acting_seat(self, live: LiveGame, seat: int) -> None:
        """Raises unless the caller may act for that seat."""
        check_token(live, seat, self.token)

    def check_operator(self) -> None:
        """Raises unless the caller is the operator."""
        if not matches(self.token, self._operator):
            raise OperatorOnlyError

    def viewer(self, live: LiveGame) -> int:
        """Whom the caller sees as: see :func:`viewer_of`; or the operator."""
        if self.token and matches(self.token, self._operator):
            return OPERATOR
        return viewer_of(live, self.token)


def counted_as(refusal: Refusal) -> str:
    """The reason under which a refusal is counted: one for all that rules forbid, for there are very many of those."""
    return "RULES" if isinstance(refusal, RejectedError) else refusal.reason


def check_token(live: LiveGame, seat: int, token: str) -> None:
    """Raises unless the token is that seat's."""
    if not 1 <= seat <= len(live.seats):
        raise InvalidRequestError(
            {
                "seat": Sentence(
                    f"the game has seats 1 to {len(live.seats)}", f"das Spiel hat die Plätze 1 bis {len(live.seats)}"
                )
            }
        )
    if not token:
        raise NoTokenError
    if not live.holds(seat, token):
        raise WrongTokenError(seat)


def viewer_of(live: LiveGame, token: str) -> int:
    """The seat of a token, or a spectator (0) without one; raises for the token of another game or of nobody.

    Of a game that has ended nothing is hidden: there everybody sees what an operator sees.
    """
    seat = live.viewer(token) if token else SPECTATOR
    if token and not seat:
        raise WrongTokenError(0)
    return OPERATOR if live.game.status == ENDED else seat


def bearer_token(header: str) -> str:
    """The token in an ``authorization`` header; raises ``NoTokenError`` if it has another form."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or len(token) > _LONGEST_TOKEN:
        raise NoTokenError
    return token


def language_of(context: Context) -> str:
    """The language of a call that is not even one yet, for its refusal."""
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
