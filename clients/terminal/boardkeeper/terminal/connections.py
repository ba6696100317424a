"""Connections to servers, games found by their ids, and names of seats."""

from __future__ import annotations

import getpass
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any
from uuid import UUID

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from boardkeeper.client.addresses import Address
from boardkeeper.client.client import Client
from boardkeeper.client.connection import KEY_VARIABLE
from boardkeeper.client.errors import (
    BadRequest,
    BoardkeeperError,
    NoSecureConnection,
    NotFound,
    Overloaded,
    PermissionDenied,
    Unauthenticated,
    Unavailable,
)
from boardkeeper.client.message_types import clear_unknown
from boardkeeper.client.proxies import proxy_hint
from boardkeeper.client.timestamps import with_clamped_timestamps
from boardkeeper.game.seats import AUTOMA, BOT, PERSON
from boardkeeper.game.seats import seat_names as called
from boardkeeper.terminal.drawing.phrases import phrases_of
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.terminal.errors import UNREACHABLE, USAGE, CommandError
from boardkeeper.terminal.output import Output
from boardkeeper.terminal.texts import texts
from boardkeeper.terminal.tls_files import tls_for
from boardkeeper.titles.registry import load_title, loaded_titles
from boardkeeper.v1 import game_pb2

_PROBE_SECONDS = 1.0


def probe(address: Address) -> None:
    """Open a connection to an address and close it. Raises ``OSError`` if that fails."""
    if address.host_and_port is None:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(_PROBE_SECONDS)
            probe.connect(address.path)
    else:
        socket.create_connection(address.host_and_port, _PROBE_SECONDS).close()


def explain_unreachable(server: str) -> str:
    """Return the reason why a server cannot be reached: an unknown host, no listening program, or no response."""
    address = Address.parse(server)
    try:
        probe(address)
    except socket.gaierror:
        host = address.host_and_port[0] if address.host_and_port else address.path
        return f"the host name {host!r} is unknown"
    except (ConnectionRefusedError, FileNotFoundError):
        return f"no server is running at {server}"
    except TimeoutError:
        return f"no answer from {server}"
    except OSError as error:
        return f"cannot reach {server}: {error.strerror or error}"
    return f"something listens at {server}, but it does not respond like a Boardkeeper server"


NAMES = ("Anna", "Bruno", "Clara", "David", "Emma", "Felix", "Greta", "Henri")
"""Names of bots."""

RETRY_SECONDS = 3.0
"""The retry timeout in seconds of most commands. It is short, because a person waits at the terminal."""

LONG_RETRY_SECONDS = 60.0
"""The retry timeout in seconds for a server that stops during a game: long enough for a restart."""

_HINTS = {
    "CERTIFICATE_NOT_TRUSTED": ", with --ca-file",
    "CLIENT_CERTIFICATE_WANTED": ", with --client-cert and --client-key",
}
"""Texts that are added to the sentences of errors, by reason. They name flags that help."""

_REMOVED = "GAME_REMOVED"
_ABOUT_SEATS = frozenset({"TOKEN_MISSING", "TOKEN_WRONG", "TOKEN_EXPIRED"})

MIN_ID_CHARACTERS = 4
"""The minimum number of characters of a shortened id. The server has the same minimum."""

_DIGITS = re.compile(r"[0-9a-f]{1,32}")
_HYPHENS_AFTER = (8, 12, 16, 20)
WHOLE_ID = 36
"""The number of characters of a complete id with hyphens."""


@contextmanager
def connect(
    server: str,
    language: str,
    retry_timeout: float = RETRY_SECONDS,
    report: Callable[[BoardkeeperError | None], None] | None = None,
    key: str | None = None,
) -> Iterator[Client]:
    """Connect to a server. Errors of the client become :class:`CommandError`.

    ``report`` is called when the connection is lost or restored.
    """
    try:
        made = Client(
            server, language=language, retry_timeout=retry_timeout, key=key, tls=tls_for(server), on_connection=report
        )
    except OSError as error:
        raise CommandError(f"cannot read {error.filename}: {error.strerror}.", USAGE) from error
    except ValueError as error:
        raise CommandError(f"{error}.", USAGE) from error
    with made as client:
        try:
            yield client
        except BoardkeeperError as error:
            raise explain(error, server) from error


@contextmanager
def connect_with_retry(server: str, language: str, output: Output, key: str | None = None) -> Iterator[Client]:
    """Connect to a server. If it stops later, reconnect within ``LONG_RETRY_SECONDS``.

    Remarks report a lost and a restored connection. The first connection has the short retry timeout.
    """
    words = texts(language)

    def report(problem: BoardkeeperError | None) -> None:
        output.remark_over_prompt(
            words["connection_back" if problem is None else "connection_lost"].format(server=server)
        )

    with connect(server, language, key=key) as first:
        first.titles()
    with connect(server, language, LONG_RETRY_SECONDS, report, key) as client:
        yield client


def explain(error: BoardkeeperError, server: str) -> CommandError:
    """Convert an error of the client to one line: what happened, and what the user can do."""
    match error:
        case NoSecureConnection():
            return CommandError(f"{error}{_HINTS.get(error.reason, '')}.", UNREACHABLE)
        case Unavailable() if not error.reason:  # the error does not come from the server
            hint = proxy_hint(Address.parse(server))
            advice = (
                f"{hint[:1].upper()}{hint[1:]}."
                if hint
                else "Start a server with 'boardkeeper serve', or name another one with --server HOST:PORT."
            )
            problem = f"no answer from {server}" if hint else explain_unreachable(server)
            return CommandError(f"{problem}. {advice}", UNREACHABLE)
        case Overloaded():
            return CommandError(f"the server at {server} is overloaded: {error}. Try again in a moment.", UNREACHABLE)
        case NotFound() if error.reason != _REMOVED:
            listed = "titles" if "title" in error.values else "games"
            if "edition" in error.values:
                listed += f" {error.values['title']}"
            return CommandError(f"{_sentence(error)} List them with: boardkeeper {listed}")
        case BadRequest() if error.violations:
            return CommandError("; ".join(f"{wrong.field}: {wrong.description}" for wrong in error.violations))
        case Unauthenticated() if error.reason == "KEY_MISSING":
            return CommandError(f"the server at {server} requires an API key: set {KEY_VARIABLE}.")
        case Unauthenticated() if error.reason in ("KEY_WRONG", "KEY_ENDED"):
            return CommandError(f"{_sentence(error)} Check the key in {KEY_VARIABLE}.")
        case PermissionDenied() | Unauthenticated() if error.reason in _ABOUT_SEATS:
            return CommandError(f"{_sentence(error)} Continue your last game with: boardkeeper play --resume")
        case _:
            return CommandError(str(error))


def normalize_prefix(id: str) -> str:
    """Return a shortened id with hyphens. Raises :class:`CommandError` if it is malformed or too short."""
    digits = id.lower().rstrip("….").replace("-", "")
    if not _DIGITS.fullmatch(digits):
        raise game_not_found(id)
    if len(digits) < MIN_ID_CHARACTERS:
        raise CommandError(
            f"{id!r} is too short: type at least the first {MIN_ID_CHARACTERS} characters of the game id."
        )
    return str(UUID(digits.ljust(32, "0")))[: len(digits) + sum(len(digits) > at for at in _HYPHENS_AFTER)]


def find_games(client: Client, id: str, token: str = "") -> list[game_pb2.Game]:
    """Return the games whose ids begin with ``id``: at most two, which are enough to detect an ambiguous id.

    With the operator's ``token``, find the games of all platforms. Raises ``NotFound`` for the complete id of a removed
    game.
    """
    begin = normalize_prefix(id)
    if len(begin) == WHOLE_ID:
        try:
            return [client.game(begin)]
        except NotFound as error:
            if error.reason == _REMOVED:
                raise
            return []
    games = client.games(id_prefix=begin, token=token)
    return list(
        islice((it for it in games if it.game_id.startswith(begin)), 2)
    )  # old servers ignore the prefix and send all games


def find_game(client: Client, id: str, token: str = "") -> game_pb2.Game:
    """Return the game with an id, which may be shortened. Raises :class:`CommandError` for none or several."""
    found = find_games(client, id, token)
    if not found:
        raise game_not_found(id)
    if len(found) > 1:
        raise ambiguous_game(id)
    return found[0]


def game_not_found(id: str, where: str = "") -> CommandError:
    """Return the error for an id without a game."""
    return CommandError(f"no game id starts with {id!r}{where}. List the games with: boardkeeper games")


def ambiguous_game(id: str) -> CommandError:
    """Return the error for an ambiguous id."""
    return CommandError(f"several game ids start with {id!r}: type more characters of the id.")


def warn_of_damage(game: game_pb2.Game, language: str, output: Output) -> None:
    """Warn about a damaged game."""
    if game.damaged_version:
        output.remark(damage_warning(game, language))


def damage_warning(game: game_pb2.Game, language: str) -> str:
    """Return the warning about a damaged game."""
    return texts(language)["damage"].format(game=game.game_id, version=game.damaged_version)


def load_viewpoint(client: Client, game: game_pb2.Game, language: str, viewer: int = 0) -> Viewpoint:
    """Return the viewpoint for drawings of a game: the catalogue of its setup, and the names of its seats."""
    title = client.title(
        game.title,
        game.edition,
        players=len(game.seats),
        options=dict(game.options),
        readings=dict(game.readings),
    )
    return Viewpoint.of(title, language, seat_names(game, language), viewer, phrases_of(game.title, language))


def seat_names(game: game_pb2.Game, language: str) -> dict[int, str]:
    """Return the names of the seats by number. A seat without a name is called "Seat 2" or "Bot 2", as in sentences.

    The server sends the names. For servers of older releases they are computed here, if the title is installed.
    """
    kinds = [PERSON if seat.handed_over or seat.resigned or not seat.bot else f"{BOT}{seat.bot}" for seat in game.seats]
    title = load_title(game.title) if AUTOMA in kinds and game.title in loaded_titles() else None
    names = called(language, title, kinds, [seat.name for seat in game.seats])
    return {seat.seat: seat.display_name or name for seat, name in zip(game.seats, names, strict=True)}


def login_name() -> str:
    """Return the login name of the user; empty if the system does not know it."""
    try:
        return getpass.getuser().capitalize()
    except (OSError, KeyError, ImportError):  # a machine without users
        return ""


def as_record(message: Message) -> dict[str, Any]:
    """Convert a message to JSON values, with the field names of the ``.proto`` files."""
    message = with_clamped_timestamps(message)
    clear_unknown(message)
    made: dict[str, Any] = MessageToDict(message, preserving_proto_field_name=True)
    return made


def _sentence(error: BoardkeeperError) -> str:
    text = str(error)
    return text if text.endswith((".", "!", "?")) else text + "."
