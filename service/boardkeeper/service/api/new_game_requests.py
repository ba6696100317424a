"""Requests to create or fork a game: the seats and the settings of the new game."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.transport.call import Call
from boardkeeper.table.layout import MAX_SEATS
from boardkeeper.v1 import games_pb2 as pb


def parse_seats(seats: Sequence[pb.SeatRequest]) -> list[SeatPlan]:
    """Return the seats of a new game. Raises ``InvalidRequestError``."""
    if not 1 <= len(seats) <= MAX_SEATS:
        raise invalid("seats", "between", least=1, most=MAX_SEATS)
    plans = [_parse_seat(seat, f"seats[{at}]") for at, seat in enumerate(seats)]
    for at, plan in enumerate(plans):
        validation.check_name_differs(plan.name, (other.name for other in plans[:at]), f"seats[{at}].name")
    return plans


def _parse_seat(seat: pb.SeatRequest, field: str) -> SeatPlan:
    if seat.open and (seat.bot or seat.entropy):
        raise invalid(f"{field}.open", "not_together_with_either", one="bot", other="entropy")
    if seat.bot and seat.entropy:
        raise invalid(f"{field}.entropy", "entropy_of_bot")
    return SeatPlan(
        validation.parse_name(seat.name, f"{field}.name"),
        seat.bot,
        seat.open,
        validation.parse_entropy(seat.entropy, f"{field}.entropy"),
    )


def parse_game_settings(request: pb.CreateGameRequest | pb.ForkGameRequest, call: Call) -> GameSettings:
    """Return the access rules, players and time limits of a new game.

    Raises ``InvalidRequestError``, or ``PLATFORM_ONLY`` if the caller cannot name players.
    """
    seconds = (
        validation.parse_lifetime(request.seat_token_lifetime, "seat_token_lifetime")
        if request.HasField("seat_token_lifetime")
        else 0
    )
    spectators = request.spectators if request.HasField("spectators") else None
    access = call.caller.new_game_access(spectators, request.by_invitation, seconds)
    if request.by_invitation and not access.platform and all(seat.open or seat.bot for seat in request.seats):
        raise invalid("by_invitation", "nobody_invites")
    players = tuple(
        validation.parse_player_id(seat.player_id, f"seats[{at}].player_id") for at, seat in enumerate(request.seats)
    )
    for at, player in enumerate(players):
        field = f"seats[{at}].player_id"
        if player and (request.seats[at].open or request.seats[at].bot):
            raise invalid(field, "player_of_no_person")
        if player and player in players[:at]:
            raise invalid(field, "has_seat_already", seat=players.index(player) + 1)
    if any(players) and not call.caller.acts_for_platform(access.platform):
        raise ApiError("PLATFORM_ONLY")
    control = validation.parse_time_control(request.time_control) if request.HasField("time_control") else None
    return GameSettings(access, players, control)
