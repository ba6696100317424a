"""Requests for actions of a seat (:data:`~boardkeeper.game.seat_actions.SeatAction`), from an RPC or a stream.

The messages in ``games.proto`` have the names of the actions, and their fields have the same names. So this module
lists only fields that need a check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from boardkeeper.game.seat_actions import REQUESTED, SeatAction, SubmitCommands
from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.auth.scopes import PLAY
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_writer import Outcome
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import invalid
from boardkeeper.service.transport.call import Call
from boardkeeper.titlekit.bots import bots_of, default_bot
from boardkeeper.titlekit.title import Title
from boardkeeper.v1 import games_pb2


class SeatRequest(Protocol):
    """The fields that all requests for an action of a seat have."""

    game_id: str
    seat: int
    command_id: str


async def carry_out(
    handler: CommandHandler,
    authorizer: Authorizer,
    request: SeatRequest,
    call: Call,
    token: str | None = None,
    path: str = "game_id",
) -> Outcome:
    """Carry out the action that a request asks for, if the caller may act for the seat.

    ``token`` is the seat's token if it differs from the token of the call. ``path`` is the field of the game's id, for
    errors. Raises the errors of the request, of the authorization, and of :meth:`CommandHandler.act`.
    """
    # Step 4: authorize.
    game, seat = validation.parse_game_id(request.game_id, path), request.seat
    command_id = validation.parse_command_id(request.command_id)
    await authorizer.authorize(call, game, PLAY, token)
    live = handler.registry.get_if_current(game) or await handler.registry.get(game)
    await authorizer.check_seat(call, live, seat, token)
    action, expected_version = _READERS[type(request)].read(request, live.game.title)
    return await handler.act(game, seat, action, command_id, expected_version)


def _parse_bot(bot: str, title: Title) -> str:
    """Return the kind of bot that a request names, or the title's default. Raises ``InvalidRequestError``."""
    kinds = [kind.id for kind in bots_of(title.meta)]
    if bot and bot not in kinds:
        raise invalid("bot", "bot_unknown", offered=", ".join(kinds))
    return bot or default_bot(title.meta)


_CHECKS: Mapping[str, Callable[[Any, Title], Any]] = {
    "bot": _parse_bot,
    "commands": lambda commands, title: validation.parse_commands(commands, title.meta.id),
    "request_version": lambda version, _title: validation.parse_version(version, "request_version"),
}
"""Functions that read fields of actions, by name; other fields are copied."""


class _ActionReader(NamedTuple):
    """Reads an action from its request."""

    action: type[SeatAction]
    fields: tuple[tuple[str, Callable[[Any, Title], Any] | None], ...]
    has_expected_version: bool

    def read(self, request: Any, title: Title) -> tuple[SeatAction, int | None]:
        """Return the action, and the version that the game must have, if the request names one.

        Raises ``InvalidRequestError``.
        """
        values = {}
        for name, check in self.fields:
            value = getattr(request, name)
            values[name] = value if check is None else check(value, title)
        is_expected = self.has_expected_version and request.HasField("expected_version")
        return self.action(**values), request.expected_version if is_expected else None


def _action_reader(message: Any, action: type[SeatAction]) -> _ActionReader:
    known = message.DESCRIPTOR.fields_by_name
    fields = tuple((name, _CHECKS.get(name)) for name in action.__struct_fields__ if name in known)
    return _ActionReader(action, fields, "expected_version" in known)


_READERS: Mapping[type, _ActionReader] = {
    message: _action_reader(message, action)
    for message, action in [
        (games_pb2.PlayCommands, SubmitCommands),
        *((getattr(games_pb2, f"{action.__name__}Request"), action) for action in REQUESTED),
    ]
}
