"""The service ``boardkeeper.v1.Games``: create, play, read and watch games."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from uuid import UUID

from boardkeeper.game.game import Game
from boardkeeper.game.seat_actions import REQUESTED, SeatAction
from boardkeeper.game.sentences import offered_commands, sentence
from boardkeeper.game.timeline import GameAtVersion
from boardkeeper.service.api import message_limits
from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.api.clock_messages import game_clocks
from boardkeeper.service.api.embedded_messages import EmbeddedField
from boardkeeper.service.api.event_messages import encode_event
from boardkeeper.service.api.event_streams import EventStreams, StreamAnswer, write_in_time
from boardkeeper.service.api.legal_commands import encode_legal_commands
from boardkeeper.service.api.lobby import Lobby
from boardkeeper.service.api.new_game_requests import parse_game_settings, parse_seats
from boardkeeper.service.api.play_stream import PlayStream
from boardkeeper.service.api.score_messages import scores_at
from boardkeeper.service.api.seat_requests import SeatRequest, carry_out
from boardkeeper.service.api.table_messages import encode_table
from boardkeeper.service.auth.scopes import CREATE, OPERATE, PLAY, WATCH
from boardkeeper.service.auth.seat_tokens import matches_hash
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.decider import previews
from boardkeeper.service.games.explanations import explain
from boardkeeper.service.games.game_creator import GameCreator
from boardkeeper.service.games.idempotency import Seated
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, RejectedError, invalid
from boardkeeper.service.transport.call import Call
from boardkeeper.table.effects import Effect
from boardkeeper.table.visible_table import visible_table
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import board_pb2
from boardkeeper.v1 import games_pb2 as pb
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.messages import board_to_message, command_to_message

_table = EmbeddedField(pb.GetTableResponse, "table")
_VersionedRequest = pb.GetBoardRequest | pb.GetTableRequest | pb.GetScoresRequest
_ReadRequest = _VersionedRequest | pb.CheckCommandRequest | pb.ListLegalCommandsRequest | pb.ExplainRefusalsRequest


class GamesServicer:
    """Answers from the games in memory.

    A call waits at most ``wait_seconds`` for the ``min_version`` of a request. A stream sends a heartbeat after
    ``heartbeat_seconds`` without events, and ends if the client needs more than ``slow_reader_seconds`` for an answer.
    """

    def __init__(
        self,
        handler: CommandHandler,
        creator: GameCreator,
        seat_manager: SeatManager,
        *,
        heartbeat_seconds: float,
        slow_reader_seconds: float,
        wait_seconds: float,
    ) -> None:
        self._handler = handler
        self._registry = handler.registry
        self._authorizer = Authorizer(handler.registry)
        self._creator = creator
        self._seat_manager = seat_manager
        self._lobby = Lobby(handler.registry, handler.decider.current_time)
        self._watch_streams = EventStreams(pb.WatchGameResponse, handler, heartbeat_seconds)
        self._play_streams = EventStreams(pb.PlayResponse, handler, heartbeat_seconds)
        self._slow_reader_seconds = slow_reader_seconds
        self._wait_seconds = wait_seconds

    # --- games ----------------------------------------------------------------------------------------------

    async def CreateGame(self, request: pb.CreateGameRequest, call: Call) -> pb.CreateGameResponse:
        plans = parse_seats(request.seats)
        setup = Setup(
            validation.parse_id(request.edition, "edition"),
            len(request.seats),
            validation.parse_choices(request.options, "options"),
            validation.parse_choices(request.readings, "readings"),
        )
        title = validation.parse_id(request.title, "title")
        position = partial(validation.parse_position, request.position) if request.HasField("position") else None
        settings = parse_game_settings(request, call)
        seated = await self._creator.create(
            title, setup, plans, validation.parse_request_id(request.request_id), position, settings
        )
        call.log_fields["game"] = str(seated.game)
        return pb.CreateGameResponse(
            game=await self._lobby.message(seated.game, call),
            seat_tokens=await self._seat_tokens(seated),
        )

    async def ForkGame(self, request: pb.ForkGameRequest, call: Call) -> pb.ForkGameResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, CREATE)
        plans = parse_seats(request.seats)
        request_id = validation.parse_request_id(request.request_id)
        live = await self._registry.get(game)
        version = request.version if request.HasField("version") else None
        settings = parse_game_settings(request, call)
        seated = await self._creator.fork(
            game, version, await self._authorizer.find_viewer(call, live), plans, request_id, settings
        )
        call.log_fields["fork"] = str(seated.game)
        return pb.ForkGameResponse(
            game=await self._lobby.message(seated.game, call),
            seat_tokens=await self._seat_tokens(seated),
        )

    async def GetGame(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, WATCH)
        if request.HasField("wait"):
            await self._wait_as_requested(game, request, call)
        elif request.HasField("min_version"):
            await self._wait_for_version(game, request.min_version)
        return pb.GetGameResponse(game=await self._lobby.message(game, call))

    async def _wait_as_requested(self, game: UUID, request: pb.GetGameRequest, call: Call) -> None:
        """Wait for the ``min_version`` of a request, at most for its ``wait``, even if the game does not reach it."""
        if not request.HasField("min_version"):
            raise invalid("wait", "needs", other="min_version")
        wanted = validation.parse_version(request.min_version, "min_version")
        seconds = validation.parse_wait(request.wait)
        version = await self._registry.version(game, wanted)
        if version < wanted and seconds:
            with call.limits.waiting():
                await self._registry.watch_until_version(game, wanted, seconds, after=version)
            await call.caller.check_key()  # the caller can have lost access in the meantime
            await self._authorizer.authorize(call, game, WATCH)

    async def ListGames(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        return await self._lobby.page(request, call)

    async def JoinGame(self, request: pb.JoinGameRequest, call: Call) -> pb.JoinGameResponse:
        game = validation.parse_game_id(request.game_id)
        call.log_fields["game"] = str(game)
        invitation = validation.parse_id(request.invitation, "invitation", validation.MAX_INVITATION_LENGTH)
        if invitation:
            await self._authorizer.authorize_invited(call, game, invitation)
        else:
            await self._authorizer.authorize(call, game, PLAY, token="")
        player = validation.parse_player_id(request.player_id)
        if player:
            await call.caller.check_platform_of(game)
        seated = await self._seat_manager.join(
            game,
            validation.parse_seat(request.seat, lowest=0),
            validation.parse_name(request.name, "name"),
            validation.parse_entropy(request.entropy, "entropy"),
            validation.parse_request_id(request.request_id),
            player,
            invitation,
        )
        (seat_token,) = await self._seat_tokens(seated)
        call.log_fields["seat"] = seat_token.seat
        return pb.JoinGameResponse(game=await self._lobby.message(game, call), seat_token=seat_token)

    async def ReissueSeatToken(self, request: pb.ReissueSeatTokenRequest, call: Call) -> pb.ReissueSeatTokenResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, PLAY, request.seat)
        seconds = validation.parse_lifetime(request.lifetime, "lifetime") if request.HasField("lifetime") else 0
        authorize = partial(self._authorizer.check_seat_or_operator, call, seat=request.seat)
        token = await self._seat_manager.reissue(game, request.seat, authorize, seconds)
        (seat_token,) = await self._seat_tokens(Seated(game, {request.seat: token}))
        return pb.ReissueSeatTokenResponse(seat_token=seat_token)

    async def _seat_tokens(self, seated: Seated) -> list[pb.SeatToken]:
        """Return the tokens as messages; those that are still valid for their seats have an expiry."""
        seats = (await self._registry.get(seated.game)).seats
        tokens: list[pb.SeatToken] = []
        for seat, token in seated.tokens.items():
            row = seats[seat - 1]
            expires = row.token_expires if matches_hash(token, row.token_hash) else None
            at = None if expires is None else message_limits.timestamp(expires)
            tokens.append(pb.SeatToken(seat=seat, token=token, expire_time=at))
        return tokens

    async def RemoveGame(self, request: pb.RemoveGameRequest, call: Call) -> pb.RemoveGameResponse:
        game = validation.parse_game_id(request.game_id)
        call.log_fields["game"] = str(game)
        call.caller.check_operator()
        await self._authorizer.authorize(call, game, OPERATE)
        return pb.RemoveGameResponse(remove_time=message_limits.timestamp(await self._handler.changes.remove(game)))

    # --- commands (_rpc_of adds an RPC for each action of a seat) -------------------------------------------

    async def CheckCommand(self, request: pb.CheckCommandRequest, call: Call) -> pb.CheckCommandResponse:
        game = await self._authorize(request, call, PLAY, request.seat)
        async with self._registry.lock(game, fresh=True) as live:  # a rejection refers to the newest version
            await self._authorizer.check_seat(call, live, request.seat)
            commands = validation.parse_commands(request.commands, live.game.created.title)
            version = live.game.version
            if request.HasField("expected_version") and request.expected_version != version:
                raise ApiError("VERSION_CONFLICT", expected=request.expected_version, version=version)
            rejection = self._handler.decider.find_rejection(live, request.seat, commands)
        if rejection is not None:
            raise RejectedError(rejection, live.game.title, live.game.created.setup.edition, live.seat_names)
        return pb.CheckCommandResponse(version=version)

    async def ListLegalCommands(self, request: pb.ListLegalCommandsRequest, call: Call) -> bytes:
        game = await self._authorize(request, call, PLAY, request.seat)
        effects: Sequence[Sequence[Effect]] = ()
        if request.HasField("version"):
            live = await self._registry.get(game)
            await self._authorizer.check_seat(call, live, request.seat)
            past = await self._registry.moment_at(game, request.version)
            version, decision = past.version, past.table.decisions[request.seat]
            commands = list(past.legal(request.seat))
            shown = offered_commands(past.play, request.seat, commands)
            if request.with_effects:
                effects = await previews(past.play, request.seat, commands)
        else:
            async with self._registry.lock(game) as live:
                await self._authorizer.check_seat(call, live, request.seat)
                version = live.game.version
                decision = live.game.table.decisions[request.seat]
                is_bots = live.game.seats.rejection_for_person(request.seat) is not None
                commands = [] if is_bots else list(live.game.legal(request.seat))
                shown = offered_commands(live.game.play, request.seat, commands)
                if request.with_effects:
                    effects = await self._handler.decider.previews(live, request.seat, commands)
        title, names = live.game.title, live.seat_names(call.language)
        answer = pb.ListLegalCommandsResponse(version=version, decision=decision)
        return serialize(answer) + encode_legal_commands(call.language, title, names, commands, shown, effects)

    async def ExplainRefusals(self, request: pb.ExplainRefusalsRequest, call: Call) -> pb.ExplainRefusalsResponse:
        game = await self._authorize(request, call, PLAY, request.seat)
        async with self._registry.lock(game, fresh=True) as live:
            await self._authorizer.check_seat(call, live, request.seat)
            found = await explain(self._handler, live, request.seat, validation.parse_subjects(request.subjects))
            answer = pb.ExplainRefusalsResponse(
                version=live.game.version, decision=live.game.table.decisions[request.seat], deciding=live.deciding
            )
        title, edition = live.game.title, live.game.created.setup.edition
        names = live.seat_names(call.language)
        for command, rejection in found:
            explanation = answer.explanations.add(legal=rejection is None)
            if command is not None:
                explanation.command.CopyFrom(command_to_message(title.meta.id, command))
                explanation.sentence = sentence(call.language, title, names, 0, command)
            if rejection is not None:
                error = RejectedError(rejection, title, edition, live.seat_names)
                explanation.status.CopyFrom(call.status_of(error))
        return answer

    # --- views ----------------------------------------------------------------------------------------------

    async def GetBoard(self, request: pb.GetBoardRequest, call: Call) -> pb.GetBoardResponse:
        async with self._view(request, call) as (seen, game, viewer):
            clocks = game_clocks(game, self._handler.decider.current_time()) if seen is game else None
            return pb.GetBoardResponse(version=seen.version, board=_board(seen, viewer), clocks=clocks)

    async def GetTable(self, request: pb.GetTableRequest, call: Call) -> bytes:
        async with self._view(request, call) as (seen, game, viewer):
            clocks = game_clocks(game, self._handler.decider.current_time()) if seen is game else None
            scores = scores_at(seen, game, viewer, call.language)
            rest = pb.GetTableResponse(clocks=clocks, score_sheet=scores)
            return _encode_table_answer(seen, viewer, rest)

    async def GetScores(self, request: pb.GetScoresRequest, call: Call) -> pb.GetScoresResponse:
        async with self._view(request, call) as (seen, game, viewer):
            scores = scores_at(seen, game, viewer, call.language)
            return pb.GetScoresResponse(version=seen.version, score_sheet=scores)

    @asynccontextmanager
    async def _view(
        self, request: _VersionedRequest, call: Call
    ) -> AsyncIterator[tuple[Game | GameAtVersion, Game, int]]:
        """Yield a game at the version that a request names, the present game, and the caller's view.

        Without a version, both are the present game, which is locked until the context manager exits.
        """
        id = await self._authorize(request, call, WATCH)
        if request.HasField("version"):
            viewer = await self._authorizer.find_viewer(call, await self._registry.get(id))
            seen = await self._registry.moment_at(id, request.version)
            yield seen, (await self._registry.get(id)).game, viewer
            return
        async with self._registry.lock(id) as live:
            yield live.game, live.game, await self._authorizer.find_viewer(call, live)

    async def WatchGame(self, request: pb.WatchGameRequest, call: Call) -> None:
        game = validation.parse_game_id(request.game_id)
        after = validation.parse_version(request.after_version, "after_version")
        call.log_fields["game"] = str(game)
        await self._authorizer.authorize(call, game, WATCH)
        call.log_fields["after"] = after
        viewer = await self._authorizer.find_viewer(call, await self._registry.get(game))

        async def write(answer: StreamAnswer | bytes, version: int) -> None:
            call.log_fields["until"] = version
            await write_in_time(call, answer, version, self._slow_reader_seconds)

        await self._watch_streams.send(game, after, viewer, call, write)

    async def Play(self, requests: AsyncIterator[pb.PlayRequest], call: Call) -> None:
        await PlayStream(self._handler, call, self._play_streams, self._slow_reader_seconds).run(requests)

    async def _authorize(self, request: _ReadRequest, call: Call, scope: str, seat: int | None = None) -> UUID:
        """Return the game that a request names, once it has the ``min_version``; see :meth:`Authorizer.authorize`."""
        game = await self._authorizer.authorize_request(call, request.game_id, scope, seat)
        if request.HasField("min_version"):
            if any(field.name == "version" for field, _ in request.ListFields()):
                raise invalid("min_version", "not_together", other="version")
            await self._wait_for_version(game, request.min_version)
        return game

    async def _wait_for_version(self, game: UUID, version: int) -> None:
        await self._registry.wait_for_version(
            game, validation.parse_version(version, "min_version"), self._wait_seconds
        )


def _rpc_of(action: type[SeatAction]) -> Callable[[GamesServicer, SeatRequest, Call], Awaitable[bytes]]:
    """Return the RPC that carries out an action of a seat."""
    message = getattr(pb, f"{action.__name__}Response")
    embedded = EmbeddedField(message, "events")

    async def rpc(self: GamesServicer, request: SeatRequest, call: Call) -> bytes:
        call.log_fields = {"game": request.game_id, "seat": request.seat, "command": request.command_id[:64]}
        outcome = await carry_out(self._handler, self._authorizer, request, call)
        # Step 7: answer.
        answer = message(first_version=outcome.first_version, version=outcome.version, repeated=outcome.repeated)
        events = [encode_event(outcome.live, it, request.seat, call.language) for it in outcome.events]
        return b"".join([serialize(answer), *map(embedded, events)])

    rpc.__name__, rpc.__doc__ = action.__name__, action.__doc__
    return rpc


for _action in REQUESTED:
    setattr(GamesServicer, _action.__name__, _rpc_of(_action))


def _board(game: Game | GameAtVersion, viewer: int) -> board_pb2.Board | None:
    if game.play is None:
        return None
    return board_to_message(game.created.title, game.play.board(viewer))


def _encode_table_answer(game: Game | GameAtVersion, viewer: int, rest: pb.GetTableResponse) -> bytes:
    """Return a serialized answer with the table and the other fields."""
    version = pb.GetTableResponse(version=game.version)
    return serialize(version) + _table(encode_table(visible_table(game.table, viewer))) + serialize(rest)
