"""``boardkeeper.v1.Games``: creating, playing and watching."""

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
from boardkeeper.service.api.clock_messages import clocks_of
from boardkeeper.service.api.embedded_messages import Embedded
from boardkeeper.service.api.event_messages import encode_event
from boardkeeper.service.api.event_streams import EventStreams, StreamAnswer, write_in_time
from boardkeeper.service.api.legal_commands import encode_legal_commands
from boardkeeper.service.api.lobby import Lobby
from boardkeeper.service.api.play_stream import PlayStream
from boardkeeper.service.api.score_messages import scores_at
from boardkeeper.service.api.seat_requests import SeatRequest, carry_out
from boardkeeper.service.api.table_messages import encode_table
from boardkeeper.service.auth.scopes import CREATE, OPERATE, PLAY, WATCH
from boardkeeper.service.auth.seat_tokens import matches_hash
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.decider import previews
from boardkeeper.service.games.explanations import explained
from boardkeeper.service.games.seat_manager import GameTerms, Seated, SeatManager, SeatPlan
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, RejectedError, invalid
from boardkeeper.service.transport.call import Call
from boardkeeper.table.effects import Effect
from boardkeeper.table.visible_table import visible_table
from boardkeeper.titlekit.title import Setup
from boardkeeper.v1 import board_pb2
from boardkeeper.v1 import games_pb2 as pb
from boardkeeper.wire.messages import board_to_message, command_to_message
from boardkeeper.wire.serialized import serialized

_table = Embedded(pb.GetTableResponse, "table")
_PastView = pb.GetBoardRequest | pb.GetTableRequest | pb.GetScoresRequest
_View = _PastView | pb.CheckCommandRequest | pb.ListLegalCommandsRequest | pb.ExplainRefusalsRequest


class GamesServicer:
    """Answers from games in memory. ``heartbeat``, ``patience`` (with slow readers) and ``wait`` are seconds."""

    def __init__(
        self, handler: CommandHandler, seat_manager: SeatManager, *, heartbeat: float, patience: float, wait: float
    ) -> None:
        self._handler = handler
        self._registry = handler.registry
        self._authorizer = Authorizer(handler.registry)
        self._seat_manager = seat_manager
        self._lobby = Lobby(handler.registry, handler.decider.current_time)
        self._watched = EventStreams(pb.WatchGameResponse, handler, heartbeat)
        self._updates = EventStreams(pb.PlayResponse, handler, heartbeat)
        self._patience = patience
        self._wait = wait

    # --- games ----------------------------------------------------------------------------------------------

    async def CreateGame(self, request: pb.CreateGameRequest, call: Call) -> pb.CreateGameResponse:
        plans = _plans(request.seats)
        setup = Setup(
            validation.parse_id(request.edition, "edition"),
            len(request.seats),
            validation.parse_choices(request.options, "options"),
            validation.parse_choices(request.readings, "readings"),
        )
        title = validation.parse_id(request.title, "title")
        position = partial(validation.parse_position, request.position) if request.HasField("position") else None
        terms = _terms(request, call)
        seated = await self._seat_manager.create(
            title, setup, plans, validation.parse_request_id(request.request_id), position, terms
        )
        call.note_game(seated.game)
        return pb.CreateGameResponse(
            game=await self._lobby.message(seated.game, call),
            seat_tokens=await self._seat_tokens(seated),
        )

    async def ForkGame(self, request: pb.ForkGameRequest, call: Call) -> pb.ForkGameResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, CREATE)
        plans = _plans(request.seats)
        request_id = validation.parse_request_id(request.request_id)
        live = await self._registry.get(game)
        version = request.version if request.HasField("version") else None
        terms = _terms(request, call)
        seated = await self._seat_manager.fork(
            game, version, await self._authorizer.find_viewer(call, live), plans, request_id, terms
        )
        call.notes["fork"] = str(seated.game)
        return pb.ForkGameResponse(
            game=await self._lobby.message(seated.game, call),
            seat_tokens=await self._seat_tokens(seated),
        )

    async def GetGame(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, WATCH)
        if request.HasField("wait"):
            await self._wait_for_news(game, request, call)
        elif request.HasField("min_version"):
            await self._reach(game, request.min_version)
        return pb.GetGameResponse(game=await self._lobby.message(game, call))

    async def _wait_for_news(self, game: UUID, request: pb.GetGameRequest, call: Call) -> None:
        """Wait as long as the client wants for a version, which the game need not reach."""
        if not request.HasField("min_version"):
            raise invalid("wait", "needs", other="min_version")
        wanted = validation.parse_version(request.min_version, "min_version")
        seconds = validation.parse_wait(request.wait)
        version = await self._registry.version(game, wanted)
        if version < wanted and seconds:
            with call.limits.waiting():
                await self._registry.watch_until_version(game, wanted, seconds, after=version)
            await call.caller.check_key()  # what the caller may know can have changed meanwhile
            await self._authorizer.authorize(call, game, WATCH)

    async def ListGames(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        return await self._lobby.page(request, call)

    async def JoinGame(self, request: pb.JoinGameRequest, call: Call) -> pb.JoinGameResponse:
        game = validation.parse_game_id(request.game_id)
        call.note_game(game)
        invitation = validation.parse_invitation(request.invitation)
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
        call.notes["seat"] = seat_token.seat
        return pb.JoinGameResponse(game=await self._lobby.message(game, call), seat_token=seat_token)

    async def ReissueSeatToken(self, request: pb.ReissueSeatTokenRequest, call: Call) -> pb.ReissueSeatTokenResponse:
        game = await self._authorizer.authorize_request(call, request.game_id, PLAY, request.seat)
        seconds = validation.parse_lifetime(request.lifetime, "lifetime") if request.HasField("lifetime") else 0
        may = partial(self._authorizer.check_seat_or_operator, call, seat=request.seat)
        token = await self._seat_manager.reissue(game, request.seat, may, seconds)
        (seat_token,) = await self._seat_tokens(Seated(game, {request.seat: token}))
        return pb.ReissueSeatTokenResponse(seat_token=seat_token)

    async def _seat_tokens(self, seated: Seated) -> list[pb.SeatToken]:
        """The tokens that were given, and until when they hold, if they are still those of the seats."""
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
        call.note_game(game)
        call.caller.check_operator()
        await self._authorizer.authorize(call, game, OPERATE)
        return pb.RemoveGameResponse(remove_time=message_limits.timestamp(await self._handler.changes.remove(game)))

    # --- commands: beside these RPCs one for each action of a seat, see _rpc_of ----------------------------

    async def CheckCommand(self, request: pb.CheckCommandRequest, call: Call) -> pb.CheckCommandResponse:
        game = await self._enter(request, call, PLAY, request.seat)
        async with self._registry.lock(game, fresh=True) as live:  # rejections are about the board as it is
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
        game = await self._enter(request, call, PLAY, request.seat)
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
                is_bots = live.game.rejection_for_person(request.seat) is not None
                commands = [] if is_bots else list(live.game.legal(request.seat))
                shown = offered_commands(live.game.play, request.seat, commands)
                if request.with_effects:
                    effects = await self._handler.decider.previews(live, request.seat, commands)
        title, names = live.game.title, live.seat_names(call.language)
        answer = pb.ListLegalCommandsResponse(version=version, decision=decision)
        return serialized(answer) + encode_legal_commands(call.language, title, names, commands, shown, effects)

    async def ExplainRefusals(self, request: pb.ExplainRefusalsRequest, call: Call) -> pb.ExplainRefusalsResponse:
        game = await self._enter(request, call, PLAY, request.seat)
        async with self._registry.lock(game, fresh=True) as live:
            await self._authorizer.check_seat(call, live, request.seat)
            found = await explained(self._handler, live, request.seat, validation.parse_subjects(request.subjects))
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

    # --- looking --------------------------------------------------------------------------------------------

    async def GetBoard(self, request: pb.GetBoardRequest, call: Call) -> pb.GetBoardResponse:
        async with self._viewed(request, call) as (seen, game, viewer):
            clocks = clocks_of(game, self._handler.decider.current_time()) if seen is game else None
            return pb.GetBoardResponse(version=seen.version, board=_board(seen, viewer), clocks=clocks)

    async def GetTable(self, request: pb.GetTableRequest, call: Call) -> bytes:
        async with self._viewed(request, call) as (seen, game, viewer):
            clocks = clocks_of(game, self._handler.decider.current_time()) if seen is game else None
            scores = scores_at(seen, game, viewer, call.language)
            rest = pb.GetTableResponse(clocks=clocks, score_sheet=scores)
            return _table_answer(seen, viewer, rest)

    async def GetScores(self, request: pb.GetScoresRequest, call: Call) -> pb.GetScoresResponse:
        async with self._viewed(request, call) as (seen, game, viewer):
            scores = scores_at(seen, game, viewer, call.language)
            return pb.GetScoresResponse(version=seen.version, score_sheet=scores)

    @asynccontextmanager
    async def _viewed(self, request: _PastView, call: Call) -> AsyncIterator[tuple[Game | GameAtVersion, Game, int]]:
        """Yield a game at the version that a request names, the game itself, and the caller's view of it.

        Without a version, both are the game as it is now, which is locked meanwhile.
        """
        id = await self._enter(request, call, WATCH)
        if request.HasField("version"):
            viewer = await self._authorizer.find_viewer(call, await self._registry.get(id))
            seen = await self._registry.moment_at(id, request.version)
            yield seen, (await self._registry.get(id)).game, viewer
            return
        async with self._registry.lock(id) as live:
            yield live.game, live.game, await self._authorizer.find_viewer(call, live)

    async def WatchGame(self, request: pb.WatchGameRequest, call: Call) -> None:
        game = validation.parse_game_id(request.game_id)
        position = validation.parse_version(request.after_version, "after_version")
        call.note_game(game)
        await self._authorizer.authorize(call, game, WATCH)
        call.notes["after"] = position
        viewer = await self._authorizer.find_viewer(call, await self._registry.get(game))

        async def write(answer: StreamAnswer | bytes, version: int) -> None:
            call.notes["until"] = version
            await write_in_time(call, answer, version, self._patience)

        await self._watched.send(game, position, viewer, call, write)

    async def Play(self, requests: AsyncIterator[pb.PlayRequest], call: Call) -> None:
        await PlayStream(self._handler, call, self._updates, self._patience).run(requests)

    async def _enter(self, request: _View, call: Call, scope: str, seat: int | None = None) -> UUID:
        """Return the game that a request names, once it has the request's ``min_version``; see :meth:`Call.enter`."""
        game = await self._authorizer.authorize_request(call, request.game_id, scope, seat)
        if request.HasField("min_version"):
            if any(field.name == "version" for field, _ in request.ListFields()):
                raise invalid("min_version", "not_together", other="version")
            await self._reach(game, request.min_version)
        return game

    async def _reach(self, game: UUID, version: int) -> None:
        await self._registry.wait_for_version(game, validation.parse_version(version, "min_version"), self._wait)


def _rpc_of(action: type[SeatAction]) -> Callable[[GamesServicer, SeatRequest, Call], Awaitable[bytes]]:
    """Return the RPC that carries out an action of a seat."""
    message = getattr(pb, f"{action.__name__}Response")
    embedded = Embedded(message, "events")

    async def rpc(self: GamesServicer, request: SeatRequest, call: Call) -> bytes:
        call.notes = {"game": request.game_id, "seat": request.seat, "command": request.command_id[:64]}
        outcome = await carry_out(self._handler, self._authorizer, request, call)
        # Step 7: answer.
        answer = message(first_version=outcome.first_version, version=outcome.version, repeated=outcome.repeated)
        events = [encode_event(outcome.live, it, request.seat, call.language) for it in outcome.events]
        return b"".join([serialized(answer), *map(embedded, events)])

    rpc.__name__, rpc.__doc__ = action.__name__, action.__doc__
    return rpc


for _action in REQUESTED:
    setattr(GamesServicer, _action.__name__, _rpc_of(_action))


def _plans(seats: Sequence[pb.SeatRequest]) -> list[SeatPlan]:
    if not 1 <= len(seats) <= validation.MOST_SEATS:
        raise invalid("seats", "between", least=1, most=validation.MOST_SEATS)
    plans = [_plan(seat, f"seats[{at}]") for at, seat in enumerate(seats)]
    for at, plan in enumerate(plans):
        validation.check_name_differs(plan.name, (other.name for other in plans[:at]), f"seats[{at}].name")
    return plans


def _terms(request: pb.CreateGameRequest | pb.ForkGameRequest, call: Call) -> GameTerms:
    """What a request says of a new game beside its rules."""
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
    return GameTerms(access, players, control)


def _plan(seat: pb.SeatRequest, field: str) -> SeatPlan:
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


def _board(game: Game | GameAtVersion, viewer: int) -> board_pb2.Board | None:
    if game.play is None:
        return None
    return board_to_message(game.created.title, game.play.board(viewer))


def _table_answer(game: Game | GameAtVersion, viewer: int, rest: pb.GetTableResponse) -> bytes:
    """Return a serialized answer with the table and the other fields."""
    version = pb.GetTableResponse(version=game.version)
    return serialized(version) + _table(encode_table(visible_table(game.table, viewer))) + serialized(rest)
