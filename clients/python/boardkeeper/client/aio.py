"""The asyncio client: the calls of the API in :class:`AsyncClient`, and seats as :class:`AsyncSeat`.

A client can be created anywhere and belongs to the event loop that uses it first. On another event loop every method
raises ``RuntimeError``. Requests and responses are the generated messages of ``boardkeeper.v1``, which are documented
in the ``.proto`` files. Commands may also be structs of a title (``boardkeeper.titles.<title>.commands``).
"""

from __future__ import annotations

import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from boardkeeper.client.aio_connection import AsyncConnection, AsyncStubs
from boardkeeper.client.connection import CallHeaders, ConnectionMonitor, RetryPolicy
from boardkeeper.client.cursors import FeedCursor, GameCursor, OnClocks
from boardkeeper.client.errors import BoardkeeperError, Rejected
from boardkeeper.client.records import join_record, split_record
from boardkeeper.client.requests import (
    PAGE_SIZE,
    Command,
    KnownTitles,
    entropy_or_random,
    id_or_new,
    to_duration,
    to_messages,
)
from boardkeeper.client.timestamps import to_datetime
from boardkeeper.client.tls import Endpoint, Tls
from boardkeeper.v1 import (
    catalog_pb2,
    event_pb2,
    feed_pb2,
    game_pb2,
    games_pb2,
    history_pb2,
    players_pb2,
    scores_pb2,
    table_pb2,
)


@dataclass(frozen=True)
class NewGame:
    """A new game, and those of its seats whose tokens the creator received."""

    game: game_pb2.Game
    seats: tuple[AsyncSeat, ...]


class AsyncClient:
    """A connection to one server.

    Example::

        async with AsyncClient("localhost:8050") as client:
            new = await client.create_game(title, [person("Anna"), bot(), bot()])
            seat = new.seats[0]
            legal = await seat.legal_commands()
            await seat.submit(legal.commands[0])

    ``address`` is ``host:port`` (not encrypted), ``https://host:port`` (TLS) or ``unix:path``. ``language`` is that of
    all sentences. ``timeout`` limits one attempt of a call and ``retry_timeout`` all its retries, in seconds; calls
    without a response are retried. ``key`` is a platform's API key: by default that of the variable
    ``BOARDKEEPER_KEY``, and ``""`` for none. With a key of scope ``play``, calls for the platform's seats need no seat
    tokens. ``tls`` sets trusted authorities and a client certificate; ``credentials`` replace it with other gRPC
    credentials. ``on_connection`` is called with an error when the server stops responding and calls are retried, and
    with ``None`` when it responds again; the call happens in the thread that uses the client.

    Raises ``ValueError`` or ``OSError`` for an unusable address or file. Every method raises a
    :class:`~boardkeeper.client.errors.BoardkeeperError` if it fails.
    """

    def __init__(
        self,
        address: str = "localhost:8050",
        *,
        language: str = "en",
        timeout: float = 10.0,
        retry_timeout: float = 30.0,
        key: str | None = None,
        tls: Tls | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        on_connection: Callable[[BoardkeeperError | None], None] | None = None,
        patience: float | None = None,
    ) -> None:
        """``patience`` is a deprecated name of ``retry_timeout``."""
        if patience is not None:
            warnings.warn("patience is deprecated: use retry_timeout", DeprecationWarning, stacklevel=2)
            retry_timeout = patience
        self._connection = AsyncConnection(
            Endpoint(address, tls, credentials),
            CallHeaders.create(language, key),
            RetryPolicy(timeout, retry_timeout),
            ConnectionMonitor(on_connection),
        )
        self._call = self._connection.call
        self._titles = KnownTitles()

    async def close(self) -> None:
        """Close the connection. Running and later calls raise ``Closed``."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def _stubs(self) -> AsyncStubs:
        return self._connection.stubs

    # --- the catalogue -------------------------------------------------------------------------------------

    async def titles(self) -> Sequence[catalog_pb2.Title]:
        """Return the titles that the server has."""
        return (await self._call(self._stubs.catalog.ListTitles, catalog_pb2.ListTitlesRequest())).titles

    async def title(
        self,
        title: str,
        edition: str = "",
        *,
        players: int = 0,
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> catalog_pb2.GetTitleResponse:
        """Return a title with its editions, options and readings, and the components and rules of an edition.

        The zones and markers are those of a game with that number of ``players`` (0: the maximum), ``options`` and
        ``readings`` (missing ones: the defaults).
        """
        request = catalog_pb2.GetTitleRequest(
            title=title, edition=edition, players=players, options=options, readings=readings
        )
        return await self._call(self._stubs.catalog.GetTitle, request)

    async def schema(self, title: str) -> FileDescriptorSet:
        """Return the message types of a title; see :mod:`boardkeeper.client.message_types`."""
        return (await self._call(self._stubs.catalog.GetSchema, catalog_pb2.GetSchemaRequest(title=title))).schema

    # --- games ---------------------------------------------------------------------------------------------

    async def create_game(
        self,
        title: str,
        seats: Sequence[games_pb2.SeatRequest],
        *,
        edition: str = "",
        options: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        position: table_pb2.Table | None = None,
        request_id: str = "",
        spectators: bool | None = None,
        time_control: event_pb2.TimeControl | None = None,
        by_invitation: bool = False,
        seat_token_lifetime: timedelta | None = None,
    ) -> NewGame:
        """Create a game with these seats, which are numbered from 1. It starts when no seat is open.

        Args:
            title: the id of the title.
            seats: see :mod:`boardkeeper.client.requests`: ``person``, ``bot``, ``automa`` and ``open_seat``.
            edition: the id of the edition; by default the first one.
            options: the options that differ from their defaults.
            readings: the rules interpretations that differ from their defaults.
            position: a table to begin from, as :meth:`table` returns it to an operator.
            request_id: identifies retries, so that they create one game. By default a new id. To be safe if this
                program crashes, create the id yourself and store it before the call.
            spectators: whether anyone may watch, or only the seats and the platform.
            time_control: the turn timer; see :func:`~boardkeeper.client.requests.per_move`.
            by_invitation: whether joining needs an invitation.
            seat_token_lifetime: how long seat tokens are valid.
        """
        request = games_pb2.CreateGameRequest(
            title=title,
            edition=edition,
            options=options,
            readings=readings,
            seats=seats,
            request_id=id_or_new(request_id),
            position=position,
            spectators=spectators,
            time_control=time_control,
            by_invitation=by_invitation,
            seat_token_lifetime=to_duration(seat_token_lifetime),
        )
        response = await self._call(self._stubs.games.CreateGame, request)
        return self._new_game(response.game, response.seat_tokens, seats)

    async def fork(
        self,
        game_id: str,
        seats: Sequence[games_pb2.SeatRequest],
        *,
        version: int | None = None,
        token: str = "",
        request_id: str = "",
        spectators: bool | None = None,
        time_control: event_pb2.TimeControl | None = None,
        by_invitation: bool = False,
        seat_token_lifetime: timedelta | None = None,
    ) -> NewGame:
        """Create a game from the table of another game, at ``version`` or by default the newest one.

        Cards that the token's seat (without a token: a spectator) cannot see are shuffled and dealt again; with the
        operator's token the table is exact. The other arguments are as in :meth:`create_game`.
        """
        request = games_pb2.ForkGameRequest(
            game_id=game_id,
            version=version,
            seats=seats,
            request_id=id_or_new(request_id),
            spectators=spectators,
            time_control=time_control,
            by_invitation=by_invitation,
            seat_token_lifetime=to_duration(seat_token_lifetime),
        )
        response = await self._call(self._stubs.games.ForkGame, request, token)
        return self._new_game(response.game, response.seat_tokens, seats)

    def _new_game(
        self, game: game_pb2.Game, tokens: Sequence[games_pb2.SeatToken], seats: Sequence[games_pb2.SeatRequest]
    ) -> NewGame:
        return NewGame(
            game,
            tuple(
                self.seat(game.game_id, token.seat, token.token, seats[token.seat - 1].entropy, game.title)
                for token in tokens
            ),
        )

    async def reissue(self, game_id: str, seat: int, *, token: str = "", lifetime: timedelta | None = None) -> str:
        """Replace the token of a seat and return the new one. The old token is invalid at once.

        Needs the platform's key, the operator's ``token`` or the seat's current ``token``.
        """
        request = games_pb2.ReissueSeatTokenRequest(game_id=game_id, seat=seat, lifetime=to_duration(lifetime))
        return (await self._call(self._stubs.games.ReissueSeatToken, request, token)).seat_token.token

    async def set_player(self, game_id: str, seat: int, player_id: str, *, token: str = "") -> game_pb2.Game:
        """Set the platform's id of the player in a seat; an empty id removes it.

        Needs the platform's key, or the operator's ``token``.
        """
        request = players_pb2.SetSeatPlayerRequest(game_id=game_id, seat=seat, player_id=player_id)
        return (await self._call(self._stubs.players.SetSeatPlayer, request, token)).game

    async def erase_player(
        self, player_id: str, *, platform: str = "", token: str = ""
    ) -> players_pb2.ErasePlayerResponse:
        """Erase a player's ids, names, tokens and invitations from all games of a platform. Records still verify.

        Needs the platform's key with the scope ``operate``, or the operator's ``token`` and a ``platform``.
        """
        request = players_pb2.ErasePlayerRequest(player_id=player_id, platform=platform)
        return await self._call(self._stubs.players.ErasePlayer, request, token)

    async def invite(
        self,
        game_id: str,
        seat: int = 0,
        *,
        lifetime: timedelta | None = None,
        player_id: str = "",
        token: str = "",
    ) -> players_pb2.CreateInvitationResponse:
        """Create an invitation to an open seat (0: any), which :meth:`join` accepts once.

        Needs the ``token`` of a seat of the game, the platform's key, or the operator's ``token``.
        """
        request = players_pb2.CreateInvitationRequest(
            game_id=game_id, seat=seat, lifetime=to_duration(lifetime), player_id=player_id
        )
        return await self._call(self._stubs.players.CreateInvitation, request, token)

    async def invitations(self, game_id: str, *, token: str = "") -> Sequence[players_pb2.Invitation]:
        """Return the invitations of a game without their codes, the oldest first."""
        request = players_pb2.ListInvitationsRequest(game_id=game_id)
        return (await self._call(self._stubs.players.ListInvitations, request, token)).invitations

    async def revoke_invitation(self, game_id: str, invitation_id: str, *, token: str = "") -> players_pb2.Invitation:
        """Revoke an invitation. If it was used before, it does not change, and its ``used_seat`` is set."""
        request = players_pb2.RevokeInvitationRequest(game_id=game_id, invitation_id=invitation_id)
        return (await self._call(self._stubs.players.RevokeInvitation, request, token)).invitation

    async def results(
        self,
        *,
        cursor: str = "",
        title: str = "",
        newest_first: bool = False,
        platform: str = "",
        page_size: int = 0,
        token: str = "",
    ) -> players_pb2.ListResultsResponse:
        """Return a page of a platform's finished games. Its ``next_cursor`` continues from there, now or later.

        Pages that continue from a cursor contain each result once. ``platform`` needs an operator's ``token``.
        """
        request = players_pb2.ListResultsRequest(
            cursor=cursor, title=title, newest_first=newest_first, platform=platform, page_size=page_size
        )
        return await self._call(self._stubs.players.ListResults, request, token)

    async def standings(
        self,
        title: str,
        player_ids: Sequence[str] = (),
        *,
        people_only: bool = False,
        platform: str = "",
        token: str = "",
    ) -> AsyncIterator[players_pb2.PlayerStanding]:
        """Yield the standings of a platform's players (by default of all) in a title, ordered by player id.

        With ``people_only``, games with bots or with seats that the rules play do not count.
        """
        request = players_pb2.GetStandingsRequest(
            title=title, player_ids=player_ids, people_only=people_only, platform=platform, page_size=PAGE_SIZE
        )
        while True:
            page = await self._call(self._stubs.players.GetStandings, request, token)
            for standing in page.standings:
                yield standing
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def remove(self, game_id: str, *, token: str) -> datetime:
        """Remove a game permanently, and return when it was removed (UTC). Needs the operator's token. Idempotent."""
        request = games_pb2.RemoveGameRequest(game_id=game_id)
        return to_datetime((await self._call(self._stubs.games.RemoveGame, request, token)).remove_time)

    async def join(
        self,
        game_id: str,
        name: str,
        *,
        seat: int = 0,
        entropy: bytes | None = None,
        request_id: str = "",
        player_id: str = "",
        invitation: str = "",
    ) -> AsyncSeat:
        """Take an open seat (0: any), if necessary with the code of an invitation.

        ``entropy`` and ``player_id`` are as in :func:`~boardkeeper.client.requests.person`, ``request_id`` as in
        :meth:`create_game`.
        """
        request = games_pb2.JoinGameRequest(
            game_id=game_id,
            seat=seat,
            name=name,
            entropy=entropy_or_random(entropy),
            request_id=id_or_new(request_id),
            player_id=player_id,
            invitation=invitation,
        )
        response = await self._call(self._stubs.games.JoinGame, request)
        taken = response.seat_token
        return self.seat(game_id, taken.seat, taken.token, request.entropy, response.game.title)

    def seat(self, game_id: str, seat: int, token: str, entropy: bytes = b"", title: str = "") -> AsyncSeat:
        """Return a seat whose token you have, for example from an earlier program.

        ``entropy`` is the random bytes that were sent for the dice when the seat was taken. Without ``title`` the
        client reads the title from the server when a command needs it.
        """
        if title:
            self._titles.add(game_id, title)
        return AsyncSeat(self, game_id, seat, token, entropy)

    async def game(
        self, game_id: str, *, min_version: int | None = None, wait: timedelta | None = None, token: str = ""
    ) -> game_pb2.Game:
        """Return the state of a game: its title, seats and version, and the seats that have to decide.

        With ``wait`` the server waits up to that time (at most 30 seconds) for ``min_version``, and then returns the
        game in any version. To wait longer, use :meth:`watch`.
        """
        request = games_pb2.GetGameRequest(game_id=game_id, min_version=min_version, wait=to_duration(wait))
        return (await self._call(self._stubs.games.GetGame, request, token)).game

    async def games(
        self,
        *,
        title: str = "",
        status: game_pb2.GameStatus.ValueType = game_pb2.GAME_STATUS_UNSPECIFIED,
        id_prefix: str = "",
        player_id: str = "",
        deciding: bool = False,
        outcome: game_pb2.GameOutcome.ValueType = game_pb2.GAME_OUTCOME_UNSPECIFIED,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        updated_after: datetime | None = None,
        updated_before: datetime | None = None,
        ended_after: datetime | None = None,
        ended_before: datetime | None = None,
        platform: str = "",
        token: str = "",
    ) -> AsyncIterator[game_pb2.Game]:
        """Yield the games that match all arguments, the newest first. Pages are fetched when needed.

        ``id_prefix`` has at least 4 characters. ``player_id`` selects games of a platform's player; with it,
        ``deciding`` selects games in which the player has to decide, and ``outcome`` those with that outcome for the
        player. Times need a time zone. ``platform`` needs an operator's ``token``.
        """
        times = {
            "created_after": created_after,
            "created_before": created_before,
            "updated_after": updated_after,
            "updated_before": updated_before,
            "ended_after": ended_after,
            "ended_before": ended_before,
        }
        request = games_pb2.ListGamesRequest(
            page_size=PAGE_SIZE,
            title=title,
            status=status,
            id_prefix=id_prefix,
            player_id=player_id,
            deciding=deciding,
            outcome=outcome,
            platform=platform,
            **{name: time for name, time in times.items() if time is not None},  # type: ignore[arg-type]
        )
        while True:
            page = await self._call(self._stubs.games.ListGames, request, token)
            for game in page.games:
                yield game
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def board(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> games_pb2.GetBoardResponse:
        """Return the board as the token's seat (without a token: a spectator) sees it.

        ``version`` selects the board at that version; ``min_version`` requires a board that is at least as new.
        """
        request = games_pb2.GetBoardRequest(game_id=game_id, version=version, min_version=min_version)
        return await self._call(self._stubs.games.GetBoard, request, token)

    async def table(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> games_pb2.GetTableResponse:
        """Return the board in the form that is the same for all titles, to which effects of events apply.

        The arguments are as in :meth:`board`.
        """
        request = games_pb2.GetTableRequest(game_id=game_id, version=version, min_version=min_version)
        return await self._call(self._stubs.games.GetTable, request, token)

    async def scores(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> scores_pb2.ScoreSheet | None:
        """Return the score sheet as far as the token's seat can know it, also while the game is in progress.

        Returns ``None`` before the start, and during the game if the title computes scores only at the end. The
        arguments are as in :meth:`board`.
        """
        request = games_pb2.GetScoresRequest(game_id=game_id, version=version, min_version=min_version)
        response = await self._call(self._stubs.games.GetScores, request, token)
        return response.score_sheet if response.HasField("score_sheet") else None

    # --- a seat --------------------------------------------------------------------------------------------

    async def legal_commands(
        self, seat: AsyncSeat, *, version: int | None = None, min_version: int | None = None, with_effects: bool = False
    ) -> games_pb2.ListLegalCommandsResponse:
        """Return the legal commands of a seat with their sentences; none if the seat has nothing to decide.

        ``version`` and ``min_version`` are as in :meth:`board`. ``with_effects`` adds to each command its immediate
        effects, as far as the seat can know them.
        """
        request = games_pb2.ListLegalCommandsRequest(
            game_id=seat.game_id,
            seat=seat.number,
            min_version=min_version,
            version=version,
            with_effects=with_effects,
        )
        return await self._call(self._stubs.games.ListLegalCommands, request, seat.token)

    async def explain_refusals(
        self, seat: AsyncSeat, *subjects: str, min_version: int | None = None
    ) -> games_pb2.ExplainRefusalsResponse:
        """Explain why a seat has no legal command with these zones, markers and components, the best reason first.

        ``legal`` contains the legal commands with them. If the seat cannot act at all, the only reason says why.
        """
        request = games_pb2.ExplainRefusalsRequest(
            game_id=seat.game_id, seat=seat.number, subjects=subjects, min_version=min_version
        )
        return await self._call(self._stubs.games.ExplainRefusals, request, seat.token)

    async def _title_for(self, game_id: str, commands: Sequence[Command]) -> str:
        """Return the title of a game if converting the commands needs it, else an empty string."""
        title = self._titles.get(game_id, commands)
        if title is None:
            title = (await self.game(game_id)).title
            self._titles.add(game_id, title)
        return title

    async def submit(
        self, seat: AsyncSeat, *commands: Command, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.SubmitCommandsResponse:
        """Carry out one or several commands, all or none, and return their events.

        Retries have the same ``command_id``, so the commands are carried out once. By default it is a new id. To be
        safe if this program crashes, create the id yourself and store it before the call.

        Raises:
            Rejected: the rules reject a command; nothing has changed.
            VersionConflict: the game is not at ``expected_version``.
        """
        request = games_pb2.SubmitCommandsRequest(
            game_id=seat.game_id,
            seat=seat.number,
            commands=to_messages(commands, await self._title_for(seat.game_id, commands)),
            command_id=id_or_new(command_id),
            expected_version=expected_version,
        )
        return await self._call(self._stubs.games.SubmitCommands, request, seat.token)

    async def check(
        self,
        seat: AsyncSeat,
        *commands: Command,
        expected_version: int | None = None,
        min_version: int | None = None,
    ) -> Rejected | None:
        """Return why the rules would reject the commands now, or ``None`` if they are legal. Nothing changes.

        Raises:
            VersionConflict: the game is not at ``expected_version``.
        """
        request = games_pb2.CheckCommandRequest(
            game_id=seat.game_id,
            seat=seat.number,
            commands=to_messages(commands, await self._title_for(seat.game_id, commands)),
            expected_version=expected_version,
            min_version=min_version,
        )
        try:
            await self._call(self._stubs.games.CheckCommand, request, seat.token)
        except Rejected as rejected:
            return rejected
        return None

    async def request_undo(
        self, seat: AsyncSeat, *, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.RequestUndoResponse:
        """Undo the last commands of a seat, with all later events.

        The undo happens at once if no other seat acted since, no dice were used and no seat saw anything new. Otherwise
        the response contains an open vote, in which every other person has to consent (:meth:`answer_undo`).
        """
        request = games_pb2.RequestUndoRequest(
            game_id=seat.game_id,
            seat=seat.number,
            command_id=id_or_new(command_id),
            expected_version=expected_version,
        )
        return await self._call(self._stubs.games.RequestUndo, request, seat.token)

    async def answer_undo(
        self, seat: AsyncSeat, request_version: int, *, consent: bool, command_id: str = ""
    ) -> games_pb2.AnswerUndoResponse:
        """Consent to an undo or decline it. ``request_version`` is that of its request (see ``Game.undo_vote``).

        The seat that requested the undo can decline to withdraw its request.
        """
        request = games_pb2.AnswerUndoRequest(
            game_id=seat.game_id,
            seat=seat.number,
            request_version=request_version,
            consent=consent,
            command_id=id_or_new(command_id),
        )
        return await self._call(self._stubs.games.AnswerUndo, request, seat.token)

    async def resign(self, seat: AsyncSeat, *, command_id: str = "") -> games_pb2.ResignSeatResponse:
        """Resign a seat permanently: it ranks last, and if the game continues, a bot plays it. Idempotent."""
        request = games_pb2.ResignSeatRequest(game_id=seat.game_id, seat=seat.number, command_id=id_or_new(command_id))
        return await self._call(self._stubs.games.ResignSeat, request, seat.token)

    async def hand_to_bot(
        self, seat: AsyncSeat, bot: str = "", *, command_id: str = ""
    ) -> games_pb2.HandSeatToBotResponse:
        """Let a bot play a seat until :meth:`take_back`; by default the title's best bot. Idempotent."""
        request = games_pb2.HandSeatToBotRequest(
            game_id=seat.game_id, seat=seat.number, bot=bot, command_id=id_or_new(command_id)
        )
        return await self._call(self._stubs.games.HandSeatToBot, request, seat.token)

    async def take_back(self, seat: AsyncSeat, *, command_id: str = "") -> games_pb2.TakeSeatBackResponse:
        """Take a seat back from a bot. Idempotent."""
        request = games_pb2.TakeSeatBackRequest(
            game_id=seat.game_id, seat=seat.number, command_id=id_or_new(command_id)
        )
        return await self._call(self._stubs.games.TakeSeatBack, request, seat.token)

    # --- history -------------------------------------------------------------------------------------------

    async def events(
        self, game_id: str, *, after_version: int = 0, min_version: int | None = None, token: str = ""
    ) -> AsyncIterator[event_pb2.Event]:
        """Yield the stored events after a version. :meth:`watch` continues with live events.

        With ``min_version`` the server waits until the game has that version.
        """
        request = history_pb2.ListEventsRequest(
            game_id=game_id, page_size=PAGE_SIZE, after_version=after_version, min_version=min_version
        )
        while True:
            page = await self._call(self._stubs.history.ListEvents, request, token)
            for event in page.events:
                yield event
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def watch(
        self, game_id: str, *, after_version: int = 0, token: str = "", on_clocks: OnClocks | None = None
    ) -> AsyncGenerator[event_pb2.Event]:
        """Yield each event after a version once and in order: stored events first, then live ones.

        A broken stream continues after the last event. The iterator ends after the last event of the game; close it to
        stop earlier. In games with a turn timer, ``on_clocks`` receives the clocks before the newest event and at
        intervals (:class:`boardkeeper.client.clocks.Countdown`).
        """
        cursor = GameCursor(game_id, after_version, on_clocks)

        async def is_at_end(token: str) -> bool:
            request = games_pb2.GetGameRequest(game_id=game_id)
            response = await self._connection.probe(self._stubs.games.GetGame, request, token)
            return cursor.is_at_end_of(response.game)

        return self._connection.read_stream(lambda stubs: stubs.games.WatchGame, cursor, token, is_at_end)

    def watch_games(
        self,
        *,
        after_cursor: str = "",
        from_now: bool = False,
        title: str = "",
        game_id: str = "",
        kinds: Collection[str] = (),
        token: str = "",
    ) -> AsyncGenerator[feed_pb2.FeedItem]:
        """Yield each item of the platform's event feed once and in order, without end; close the iterator to stop.

        A broken stream continues after the last item. Raises ``BadRequest`` with the reason ``FEED_CURSOR_EXPIRED`` or
        ``FEED_CURSOR_LOST`` if the feed cannot continue from ``after_cursor``: list the games, and start without a
        cursor.

        Args:
            after_cursor: the ``cursor`` of the last item that you processed; by default the feed starts with its oldest
                item.
            from_now: start with new items.
            title: only items of games of this title.
            game_id: only items of this game.
            kinds: only items of these kinds (:data:`boardkeeper.client.feed.KINDS`); by default all, also kinds of
                newer servers (:func:`boardkeeper.client.feed.name_of`).
            token: an operator's token, for the games of all platforms.
        """
        cursor = FeedCursor(after_cursor, from_now, title, game_id, kinds)
        return self._connection.read_stream(lambda stubs: stubs.feed.WatchGames, cursor, token)

    # --- records -------------------------------------------------------------------------------------------

    async def record(self, game_id: str, *, min_version: int | None = None, token: str = "") -> bytes:
        """Return the game record: complete if the game has ended, else as the token's seat may see it.

        ``boardkeeper verify`` checks a record without a server (``docs/record.md``). With ``min_version`` the record
        has at least that number of events.
        """
        request = history_pb2.GetRecordRequest(game_id=game_id, min_version=min_version)
        return await self._connection.read_all(self._stubs.history.GetRecord, request, join_record, token)

    async def import_record(self, record: bytes) -> history_pb2.ImportRecordResponse:
        """Import the record of a game from another server.

        Raises:
            BadRequest: the record does not verify; ``values`` contain ``level``, ``line``, ``version`` and ``problem``.
            AlreadyExists: the server has a game with this id.
        """
        return await self._connection.upload(self._stubs.history.ImportRecord, split_record(record))

    async def verify_game(
        self, game_id: str, *, min_version: int | None = None, token: str = ""
    ) -> history_pb2.Verification:
        """Let the server verify the record that :meth:`record` returns."""
        request = history_pb2.VerifyGameRequest(game_id=game_id, min_version=min_version)
        return (await self._call(self._stubs.history.VerifyGame, request, token)).verification

    async def record_keys(self) -> Sequence[history_pb2.RecordKey]:
        """Return the public keys with which the server signs records."""
        return (await self._call(self._stubs.history.ListKeys, history_pb2.ListKeysRequest())).keys


@dataclass(frozen=True)
class AsyncSeat:
    """A seat of a game, to play from. Keep its ``token`` secret: the token proves that the seat is yours.

    ``entropy`` is the random bytes that this client sent for the dice when it took the seat. The event ``SeatJoined``
    contains them.
    """

    client: AsyncClient
    game_id: str
    number: int
    token: str
    entropy: bytes = field(default=b"", compare=False)

    def __repr__(self) -> str:
        return f"AsyncSeat({self.game_id!r}, {self.number})"

    async def game(self, *, min_version: int | None = None, wait: timedelta | None = None) -> game_pb2.Game:
        """See :meth:`AsyncClient.game`."""
        return await self.client.game(self.game_id, min_version=min_version, wait=wait, token=self.token)

    async def legal_commands(
        self, *, version: int | None = None, min_version: int | None = None, with_effects: bool = False
    ) -> games_pb2.ListLegalCommandsResponse:
        """See :meth:`AsyncClient.legal_commands`."""
        return await self.client.legal_commands(
            self, version=version, min_version=min_version, with_effects=with_effects
        )

    async def explain_refusals(
        self, *subjects: str, min_version: int | None = None
    ) -> games_pb2.ExplainRefusalsResponse:
        """See :meth:`AsyncClient.explain_refusals`."""
        return await self.client.explain_refusals(self, *subjects, min_version=min_version)

    async def submit(
        self, *commands: Command, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.SubmitCommandsResponse:
        """See :meth:`AsyncClient.submit`."""
        return await self.client.submit(self, *commands, expected_version=expected_version, command_id=command_id)

    async def check(
        self, *commands: Command, expected_version: int | None = None, min_version: int | None = None
    ) -> Rejected | None:
        """See :meth:`AsyncClient.check`."""
        return await self.client.check(self, *commands, expected_version=expected_version, min_version=min_version)

    async def request_undo(
        self, *, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.RequestUndoResponse:
        """See :meth:`AsyncClient.request_undo`."""
        return await self.client.request_undo(self, expected_version=expected_version, command_id=command_id)

    async def answer_undo(
        self, request_version: int, *, consent: bool, command_id: str = ""
    ) -> games_pb2.AnswerUndoResponse:
        """See :meth:`AsyncClient.answer_undo`."""
        return await self.client.answer_undo(self, request_version, consent=consent, command_id=command_id)

    async def resign(self, *, command_id: str = "") -> games_pb2.ResignSeatResponse:
        """See :meth:`AsyncClient.resign`."""
        return await self.client.resign(self, command_id=command_id)

    async def hand_to_bot(self, bot: str = "", *, command_id: str = "") -> games_pb2.HandSeatToBotResponse:
        """See :meth:`AsyncClient.hand_to_bot`."""
        return await self.client.hand_to_bot(self, bot, command_id=command_id)

    async def take_back(self, *, command_id: str = "") -> games_pb2.TakeSeatBackResponse:
        """See :meth:`AsyncClient.take_back`."""
        return await self.client.take_back(self, command_id=command_id)

    async def board(self, *, version: int | None = None, min_version: int | None = None) -> games_pb2.GetBoardResponse:
        """See :meth:`AsyncClient.board`."""
        return await self.client.board(self.game_id, version=version, min_version=min_version, token=self.token)

    async def table(self, *, version: int | None = None, min_version: int | None = None) -> games_pb2.GetTableResponse:
        """See :meth:`AsyncClient.table`."""
        return await self.client.table(self.game_id, version=version, min_version=min_version, token=self.token)

    async def scores(
        self, *, version: int | None = None, min_version: int | None = None
    ) -> scores_pb2.ScoreSheet | None:
        """See :meth:`AsyncClient.scores`."""
        return await self.client.scores(self.game_id, version=version, min_version=min_version, token=self.token)

    def events(self, *, after_version: int = 0, min_version: int | None = None) -> AsyncIterator[event_pb2.Event]:
        """See :meth:`AsyncClient.events`."""
        return self.client.events(self.game_id, after_version=after_version, min_version=min_version, token=self.token)

    async def record(self, *, min_version: int | None = None) -> bytes:
        """See :meth:`AsyncClient.record`."""
        return await self.client.record(self.game_id, min_version=min_version, token=self.token)

    def watch(self, *, after_version: int = 0, on_clocks: OnClocks | None = None) -> AsyncGenerator[event_pb2.Event]:
        """See :meth:`AsyncClient.watch`."""
        return self.client.watch(self.game_id, after_version=after_version, token=self.token, on_clocks=on_clocks)
