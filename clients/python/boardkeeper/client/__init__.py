"""The Python SDK of Boardkeeper.

Start here::

    from boardkeeper.client import Client, bot, person

    with Client("localhost:8050") as client:
        new = client.create_game(title, [person("Anna"), bot(), bot()])
        seat = new.seats[0]
        for command in seat.legal_commands().commands:
            print(command.sentence)

* :class:`Client` has the calls of the API as methods, and :class:`Seat` those of one seat.
* :mod:`boardkeeper.client.aio` contains the same for asyncio.
* :mod:`boardkeeper.client.errors` contains the exceptions; all are subclasses of :class:`BoardkeeperError`.
* :mod:`boardkeeper.client.bots` plays seats.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardkeeper.client.client import Client, NewGame, Seat
    from boardkeeper.client.errors import (
        BadRequest,
        BoardkeeperError,
        Closed,
        FieldViolation,
        NoSecureConnection,
        NotFound,
        Overloaded,
        PermissionDenied,
        Rejected,
        Unauthenticated,
        Unavailable,
        VersionConflict,
    )
    from boardkeeper.client.requests import Command, automa, bot, open_seat, per_game, per_move, person
    from boardkeeper.client.tls import Tls

__all__ = [
    "BadRequest",
    "BoardkeeperError",
    "Client",
    "Closed",
    "Command",
    "FieldViolation",
    "NewGame",
    "NoSecureConnection",
    "NotFound",
    "Overloaded",
    "PermissionDenied",
    "Rejected",
    "Seat",
    "Tls",
    "Unauthenticated",
    "Unavailable",
    "VersionConflict",
    "automa",
    "bot",
    "open_seat",
    "per_game",
    "per_move",
    "person",
]

_MODULES = {
    **dict.fromkeys(("Client", "NewGame", "Seat"), "client"),
    **dict.fromkeys(("Command", "automa", "bot", "open_seat", "per_game", "per_move", "person"), "requests"),
    "Tls": "tls",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import a name at its first use, so that `boardkeeper --help` works without gRPC and starts fast."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)
