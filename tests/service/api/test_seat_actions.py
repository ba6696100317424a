"""The RPCs and messages of seat actions match the structs of the domain."""

from __future__ import annotations

from typing import get_args

import pytest

from boardkeeper.game.seat_actions import REQUESTED, ExpireSeat, SeatAction, SubmitCommands
from boardkeeper.service.api.games import GamesServicer
from boardkeeper.service.auth.scopes import PLAY, RPC_SCOPES
from boardkeeper.v1 import games_pb2

GAMES = games_pb2.DESCRIPTOR.services_by_name["Games"]
SERVER_FIELDS = {"by_bot"}
"""Fields of actions that only the server sets."""


def test_clients_can_request_all_actions_except_expire_seat() -> None:
    assert {*REQUESTED, ExpireSeat} == set(get_args(SeatAction))


@pytest.mark.parametrize("action", REQUESTED)
def test_an_action_has_an_rpc_with_its_name_and_fields(action: type[SeatAction]) -> None:
    name = action.__name__
    method = GAMES.methods_by_name[name]
    request, response = method.input_type, method.output_type
    assert (request.name, response.name) == (f"{name}Request", f"{name}Response")
    common = {"game_id", "seat", "command_id", "expected_version"}
    assert {field.name for field in request.fields} - common == set(action.__struct_fields__) - SERVER_FIELDS
    assert {field.name for field in response.fields} == {"first_version", "version", "repeated", "events"}
    assert RPC_SCOPES[f"Games.{name}"] == PLAY
    assert getattr(GamesServicer, name).__doc__ == action.__doc__


def test_every_action_can_be_requested_on_a_play_stream() -> None:
    fields = games_pb2.PlayAction.DESCRIPTOR.oneofs_by_name["action"].fields
    assert {field.message_type.name for field in fields if field.message_type is not None} == {
        f"{action.__name__}Request" for action in REQUESTED if action is not SubmitCommands
    }
    names = {field.name for field in games_pb2.PlayCommands.DESCRIPTOR.fields} - {"token"}
    assert names == {field.name for field in games_pb2.SubmitCommandsRequest.DESCRIPTOR.fields}
