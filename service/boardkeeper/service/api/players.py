"""The service ``boardkeeper.v1.Players``: player ids, invitations, results and standings of a platform."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from functools import partial

from eventsourcing.persistence import PersistenceError

from boardkeeper.service.api import message_limits
from boardkeeper.service.api.authorization import Authorizer, check_seat_exists
from boardkeeper.service.api.game_messages import OUTCOMES
from boardkeeper.service.api.lobby import DEFAULT_PAGE, MAX_PAGE_SIZE, Lobby
from boardkeeper.service.api.page_tokens import PageTokens
from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.service.auth.scopes import PLAY
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.invitations import Invitations
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.storage.invitations import InvitationRow
from boardkeeper.service.storage.players import NumberResults, PlayerTables, ResultRow, SeatResult, StandingRow
from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import game_pb2
from boardkeeper.v1 import players_pb2 as pb

MAX_PLAYERS = 100


class PlayersServicer:
    """Manages the players and invitations of games, and returns results and standings."""

    def __init__(self, handler: CommandHandler, seat_manager: SeatManager) -> None:
        self._registry = registry = handler.registry
        self._authorizer = Authorizer(registry)
        self._invitations = Invitations(handler)
        self._handler = handler
        self._seat_manager = seat_manager
        self._lobby = Lobby(registry, handler.decider.current_time)
        self._page_tokens = PageTokens(registry.application.database.key)

    @property
    def _tables(self) -> PlayerTables:
        return self._registry.application.database.players

    async def SetSeatPlayer(self, request: pb.SetSeatPlayerRequest, call: Call) -> pb.SetSeatPlayerResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, PLAY, request.seat)
        await call.caller.check_platform_of(game)
        player = validation.parse_player_id(request.player_id)
        await self._seat_manager.set_player(game, request.seat, player, partial(check_seat_exists, seat=request.seat))
        return pb.SetSeatPlayerResponse(game=await self._lobby.message(game, call))

    async def ErasePlayer(self, request: pb.ErasePlayerRequest, call: Call) -> pb.ErasePlayerResponse:
        call.caller.check_operator()
        platform = call.caller.player_platform(validation.parse_id(request.platform, "platform"))
        player = validation.parse_player_id(request.player_id)
        if not player:
            raise invalid("player_id", "no_player_to_erase")
        seats, invitations = await self._handler.changes.erase_player(platform, player)
        call.log_fields["seats"] = seats
        return pb.ErasePlayerResponse(seats=seats, invitations=invitations)

    # --- invitations ----------------------------------------------------------------------------------------

    async def CreateInvitation(self, request: pb.CreateInvitationRequest, call: Call) -> pb.CreateInvitationResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, PLAY)
        player = validation.parse_player_id(request.player_id)
        if player:
            await call.caller.check_platform_of(game)
        seconds = validation.parse_lifetime(request.lifetime, "lifetime") if request.HasField("lifetime") else 0
        seat = validation.parse_seat(request.seat, lowest=0)
        row, code = await self._invitations.create(
            game, seat, seconds, player, partial(self._authorizer.check_inviter, call)
        )
        call.log_fields["subject"] = row.id
        message = _invitation_message(row, of_platform=await call.caller.is_platform_of(game))
        return pb.CreateInvitationResponse(invitation=message, code=code)

    async def ListInvitations(self, request: pb.ListInvitationsRequest, call: Call) -> pb.ListInvitationsResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, PLAY)
        rows = await self._invitations.list(game, partial(self._authorizer.check_inviter, call))
        of_platform = await call.caller.is_platform_of(game)
        messages = [_invitation_message(row, of_platform=of_platform) for row in rows]
        return pb.ListInvitationsResponse(invitations=messages)

    async def RevokeInvitation(self, request: pb.RevokeInvitationRequest, call: Call) -> pb.RevokeInvitationResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, PLAY)
        row = await self._invitations.revoke(
            game,
            validation.parse_id(request.invitation_id, "invitation_id"),
            partial(self._authorizer.check_inviter, call),
        )
        call.log_fields["subject"] = row.id
        message = _invitation_message(row, of_platform=await call.caller.is_platform_of(game))
        return pb.RevokeInvitationResponse(invitation=message)

    # --- results --------------------------------------------------------------------------------------------

    async def ListResults(self, request: pb.ListResultsRequest, call: Call) -> pb.ListResultsResponse:
        size = validation.parse_page_size(request.page_size, DEFAULT_PAGE, MAX_PAGE_SIZE)
        title = validation.parse_id(request.title, "title")
        platform = _result_platform(request, call)
        order = "back" if request.newest_first else "on"
        listed = ("results", title, order, "*" if platform is None else f"={platform}")
        begin = self._page_tokens.number(request.cursor, listed, "cursor")
        if not request.newest_first or begin is None:
            await self._number_results()
        find = partial(self._tables.results, platform, title, newest_first=request.newest_first)
        rows: Sequence[ResultRow] = await self._registry.read(partial(find, after=begin, limit=size + 1))
        more = len(rows) > size
        rows = rows[:size]
        answer = pb.ListResultsResponse()
        results = await self._results(rows, call)
        count = message_limits.page_count(result.ByteSize() for result in results.values()) if results else 0
        included = list(results)[:count]
        last = 0 if begin is None else begin
        for row in rows:
            if row.position in results and row.position not in included:
                more = True
                break
            last = row.position
            if row.position in results:
                answer.results.append(results[row.position])
        answer.more = more
        answer.next_cursor = self._page_tokens.write(listed, last)
        return answer

    async def _number_results(self) -> None:
        """Give numbers to new results. If the storage fails, they get their numbers later and are on a later page."""
        if not await self._registry.read(self._tables.has_unnumbered_results):
            return
        try:
            await asyncio.to_thread(self._registry.application.writer.store, [NumberResults()])
        except PersistenceError:
            return

    async def _results(self, rows: Sequence[ResultRow], call: Call) -> dict[int, pb.GameResult]:
        """Return the results by their numbers, without those of games that were removed in the meantime."""
        ids = [row.game for row in rows]
        if not ids:
            return {}
        rows_of_games, seats = await self._registry.read(
            lambda: (self._registry.application.game_tables.lobby_rows(ids), self._tables.results_of_games(ids))
        )
        await self._registry.wait_for_versions(rows_of_games)
        games = {game.game_id: game for game in await self._lobby.messages(rows_of_games, call)}
        return {
            row.position: _result_message(row, games[str(row.game)], seats.get(row.game, ()))
            for row in rows
            if str(row.game) in games
        }

    async def GetStandings(self, request: pb.GetStandingsRequest, call: Call) -> pb.GetStandingsResponse:
        platform = call.caller.player_platform(validation.parse_id(request.platform, "platform"))
        size = validation.parse_page_size(request.page_size, DEFAULT_PAGE, MAX_PAGE_SIZE)
        title = validation.parse_id(request.title, "title")
        if not title:
            raise invalid("title", "no_title_of_standings")
        if len(request.player_ids) > MAX_PLAYERS:
            raise invalid("player_ids", "between", least=0, most=MAX_PLAYERS)
        players = [validation.parse_player_id(id, f"player_ids[{at}]") for at, id in enumerate(request.player_ids)]
        listed = ("standings", title, platform, str(request.people_only), _digest(players))
        after = self._page_tokens.id(request.page_token, listed)
        find = partial(self._tables.standings, platform, title, players, people_only=request.people_only)
        rows: Sequence[StandingRow] = await self._registry.read(partial(find, after=after, limit=size + 1))
        answer = pb.GetStandingsResponse(standings=map(_standing_message, rows[:size]))
        if len(rows) > size:
            answer.next_page_token = self._page_tokens.write_id(listed, rows[size - 1].player_id)
        return answer


def _invitation_message(row: InvitationRow, *, of_platform: bool) -> pb.Invitation:
    """Return an invitation as a message. Only the platform can see the player."""
    player = row.player_id if of_platform else ""
    return message_of(pb.Invitation, row, invitation_id=row.id, player_id=player)


def _result_platform(request: pb.ListResultsRequest, call: Call) -> str | None:
    """Return the platform whose results a request is about; ``None`` for all platforms."""
    own = call.caller.listed_platform()
    requested = validation.parse_id(request.platform, "platform")
    if own is None:
        return requested or None
    if requested and requested != own:
        raise ApiError("OPERATOR_ONLY")
    return call.caller.player_platform()


def _digest(ids: Sequence[str]) -> str:
    """Return a short hash of ids."""
    return hashlib.sha256(" ".join(ids).encode()).hexdigest() if ids else ""


def _result_message(row: ResultRow, game: game_pb2.Game, seats: Sequence[SeatResult]) -> pb.GameResult:
    players = {seat.seat: seat.player_id for seat in game.seats}
    return pb.GameResult(
        game=game,
        end_time=message_limits.timestamp(row.time),
        seats=[
            message_of(
                pb.SeatResult,
                seat,
                player_id=players.get(seat.seat, ""),
                points=message_limits.limit_points(seat.points),
                outcome=OUTCOMES[seat.outcome],
            )
            for seat in seats
        ],
    )


def _standing_message(row: StandingRow) -> pb.PlayerStanding:
    return message_of(
        pb.PlayerStanding,
        row,
        expected_shares=row.expected,
        mean_rank=row.ranks / row.games,
        mean_points=row.points / row.games,
        best_points=message_limits.limit_points(row.best_points),
        last_end_time=message_limits.timestamp(row.last_time),
    )
