"""The same client for asyncio: every method of :class:`~boardkeeper.client.client.Client`, awaited.

Example::

    async with AsyncClient("localhost:8050") as client:
        new = await client.create_game(title, [person("Anna"), bot(), bot()])
        async for event in client.watch(new.game.game_id):
            print(event.sentence)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

import grpc
import grpc.aio
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from boardkeeper.client import requests
from boardkeeper.client.connection import OPTIONS, Contact, Manners, own_key
from boardkeeper.client.errors import BoardkeeperError, Closed, Overloaded, Rejected, Unavailable, from_rpc_error
from boardkeeper.client.feed import Bookmark
from boardkeeper.client.moments import moment
from boardkeeper.client.own_writes import OwnWrites
from boardkeeper.client.proxies import proxy_options
from boardkeeper.client.requests import PAGE_SIZE, Command
from boardkeeper.client.resuming import Answer, Item, Question, Reader, ended_early
from boardkeeper.client.tls import Line, Tls
from boardkeeper.client.watching import Cursor, OnClocks
from boardkeeper.client.whole_records import put_together
from boardkeeper.v1 import (
    catalog_pb2,
    catalog_pb2_grpc,
    event_pb2,
    feed_pb2,
    feed_pb2_grpc,
    game_pb2,
    games_pb2,
    games_pb2_grpc,
    history_pb2,
    history_pb2_grpc,
    players_pb2,
    players_pb2_grpc,
    scores_pb2,
    table_pb2,
)

_FAILURES = (grpc.RpcError, grpc.aio.UsageError, asyncio.CancelledError)
"""What a call raises that did not succeed; a closed channel cancels calls under way and refuses others as misuse."""


async def _nothing() -> None:
    pass


async def _never() -> bool:
    return False


@dataclass(frozen=True)
class NewGame:
    """A game that was just made, and its seats that belong to the maker."""

    game: game_pb2.Game
    seats: tuple[AsyncSeat, ...]


class _Stubs:
    """A channel and the stubs over it. gRPC binds them to the event loop that runs when they are made."""

    def __init__(self, line: Line) -> None:
        self._loop = asyncio.get_running_loop()
        target, credentials = line.address.target, line.credentials
        options = [*OPTIONS, *proxy_options(line.address)]
        if credentials is None:
            self.channel = grpc.aio.insecure_channel(target, options=options)
        else:
            self.channel = grpc.aio.secure_channel(target, credentials, options=options)
        self.catalog = catalog_pb2_grpc.CatalogStub(self.channel)
        self.games = games_pb2_grpc.GamesStub(self.channel)
        self.history = history_pb2_grpc.HistoryStub(self.channel)
        self.players = players_pb2_grpc.PlayersStub(self.channel)
        self.feed = feed_pb2_grpc.FeedStub(self.channel)

    def on_this_loop(self) -> Self:
        """Return itself. Raises ``RuntimeError`` on another event loop than its own."""
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError(
                "this AsyncClient was first used on another event loop, to which its connection belongs:"
                " make a client for each loop (every asyncio.run has its own), or use boardkeeper.client.Client"
            )
        return self


class AsyncClient:
    """A connection to one service; see :class:`~boardkeeper.client.client.Client`.

    It can be made anywhere, and belongs to the event loop on which it is used first. On another one every method raises
    ``RuntimeError``.
    """

    def __init__(
        self,
        address: str = "localhost:8050",
        *,
        language: str = "en",
        timeout: float = 10.0,
        patience: float = 30.0,
        key: str | None = None,
        tls: Tls | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        on_connection: Callable[[BoardkeeperError | None], None] | None = None,
    ) -> None:
        self._contact = Contact(on_connection)
        self._own_writes = OwnWrites()
        self._manners = Manners(language, timeout, patience, own_key(key))
        self._closed = False
        self._line = Line(address, tls, credentials)
        self._bound: _Stubs | None = None
        self._titles = requests.KnownTitles()

    async def close(self) -> None:
        """Close the connection; calls under way, and any later ones, raise ``Closed``."""
        self._closed = True
        if self._bound is not None:
            await self._bound.on_this_loop().channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def _stubs(self) -> _Stubs:
        """The stubs of all services; they belong to the loop of the first call."""
        if self._closed:
            raise Closed
        if self._bound is None:
            self._bound = _Stubs(self._line)
        return self._bound.on_this_loop()

    async def titles(self) -> Sequence[catalog_pb2.Title]:
        """What can be played."""
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
        """One title with its editions, options and readings, and an edition's components and rules.

        What lies where on a table is told for so many ``players`` (0: the most) and what they chose beside defaults.
        """
        return await self._call(
            self._stubs.catalog.GetTitle, requests.title(title, edition, players, options, readings)
        )

    async def schema(self, title: str) -> FileDescriptorSet:
        """The message types of a title: what ``outside`` contains in commands, events and boards of other packages."""
        return (await self._call(self._stubs.catalog.GetSchema, catalog_pb2.GetSchemaRequest(title=title))).schema

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
        """Make a game; seats are numbered from 1 in the given order. It starts when no seat is open.

        ``position`` is a whole table to begin from, as :meth:`table` returns it to an operator. The request gets a
        ``request_id`` of its own, so that it makes one game however often it is sent; to be safe across a crash of the
        caller as well, make the id first, write it down and give it here. ``spectators`` says whether anybody may
        watch, or only who has a seat or the platform's key. ``time_control`` says what time people have
        (:func:`~boardkeeper.client.requests.per_move`, :func:`~boardkeeper.client.requests.per_game`). With
        ``by_invitation`` open seats are taken with an invitation only; ``seat_token_lifetime`` is how long tokens of
        its seats hold.
        """
        request = requests.create_game(
            title,
            seats,
            edition,
            options,
            readings,
            position,
            request_id,
            spectators,
            time_control,
            by_invitation,
            seat_token_lifetime,
        )
        answer = await self._call(self._stubs.games.CreateGame, request)
        held = tuple(self._held(answer.game, token, seats[token.seat - 1].entropy) for token in answer.seat_tokens)
        return NewGame(answer.game, held)

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
        """Make a game from another one's table, at a version or at present; see :meth:`Client.fork`."""
        request = requests.fork(
            game_id, seats, version, request_id, spectators, time_control, by_invitation, seat_token_lifetime
        )
        answer = await self._call(self._stubs.games.ForkGame, request, token)
        held = tuple(self._held(answer.game, token, seats[token.seat - 1].entropy) for token in answer.seat_tokens)
        return NewGame(answer.game, held)

    async def reissue(self, game_id: str, seat: int, *, token: str = "", lifetime: timedelta | None = None) -> str:
        """Give a seat another token; see :meth:`Client.reissue`."""
        request = games_pb2.ReissueSeatTokenRequest(game_id=game_id, seat=seat, lifetime=requests.lasting(lifetime))
        return (await self._call(self._stubs.games.ReissueSeatToken, request, token)).seat_token.token

    async def set_player(self, game_id: str, seat: int, player_id: str, *, token: str = "") -> game_pb2.Game:
        """Say who has a seat of a game, by the platform's own id of him; empty: nobody that it tells of.

        It takes the platform's key, or the operator's ``token``.
        """
        request = players_pb2.SetSeatPlayerRequest(game_id=game_id, seat=seat, player_id=player_id)
        return (await self._call(self._stubs.players.SetSeatPlayer, request, token)).game

    async def erase_player(
        self, player_id: str, *, platform: str = "", token: str = ""
    ) -> players_pb2.ErasePlayerResponse:
        """Erase a player from all of a platform's games: ids, names, tokens, invitations; the games still verify.

        It takes the platform's key with the scope ``operate``, or the operator's ``token`` and a ``platform``.
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
        """Make a code with which somebody takes a free seat, once: :meth:`join` with ``invitation``; 0 is any seat.

        It takes the ``token`` of a seat of the game, the platform's key, or the operator's token.
        """
        request = players_pb2.CreateInvitationRequest(
            game_id=game_id, seat=seat, lifetime=requests.lasting(lifetime), player_id=player_id
        )
        return await self._call(self._stubs.players.CreateInvitation, request, token)

    async def invitations(self, game_id: str, *, token: str = "") -> Sequence[players_pb2.Invitation]:
        """The invitations of a game, the oldest first, without their codes."""
        request = players_pb2.ListInvitationsRequest(game_id=game_id)
        return (await self._call(self._stubs.players.ListInvitations, request, token)).invitations

    async def revoke_invitation(self, game_id: str, invitation_id: str, *, token: str = "") -> players_pb2.Invitation:
        """End an invitation; one that was used stays as it is, which ``used_seat`` tells."""
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
        """A page of a platform's games that have ended; its ``next_cursor`` goes on from there, now or later.

        Each result comes once behind a cursor, however often and from whichever process one asks. ``platform`` is for
        operators, with their ``token``.
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
        """What players of a platform have reached in a title: those that are named, or all, in the order of their ids.

        With ``people_only`` games with bots, or an opponent that the rules play, do not count.
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
        """Remove a game for good; see :meth:`Client.remove`."""
        answer = await self._call(self._stubs.games.RemoveGame, games_pb2.RemoveGameRequest(game_id=game_id), token)
        return moment(answer.remove_time)

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
        """Take an open seat, any of them if ``seat`` is 0; see :meth:`boardkeeper.client.client.Client.join`."""
        request = requests.join(game_id, name, seat, entropy, request_id, player_id, invitation)
        answer = await self._call(self._stubs.games.JoinGame, request)
        taken = answer.seat_token
        return self.seat(game_id, taken.seat, taken.token, request.entropy, answer.game.title)

    def seat(self, game_id: str, seat: int, token: str, entropy: bytes = b"", title: str = "") -> AsyncSeat:
        """A seat that one holds already; the token is what its game or joining gave, ``entropy`` what was sent then.

        The ``title`` of the game need not be said: it is asked for when a command is sent that several titles have.
        """
        if title:
            self._titles.keep(game_id, title)
        return AsyncSeat(self, game_id, seat, token, entropy)

    def _held(self, game: game_pb2.Game, token: games_pb2.SeatToken, entropy: bytes) -> AsyncSeat:
        return self.seat(game.game_id, token.seat, token.token, entropy, game.title)

    async def game(
        self, game_id: str, *, min_version: int | None = None, wait: timedelta | None = None, token: str = ""
    ) -> game_pb2.Game:
        """Return the state of a game; see :meth:`Client.game`."""
        request = games_pb2.GetGameRequest(game_id=game_id, min_version=min_version, wait=requests.lasting(wait))
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
        """All games of the service, the newest first, or those that fit; pages are fetched as needed.

        ``id_prefix``, 4 characters or more, asks for those whose ids begin so. With ``player_id`` they are those of a
        platform's player, with ``deciding`` those in which that player has to decide, and with ``outcome`` such that
        ended so for him. Times need a time zone; ``platform`` is for operators, and ``token`` is theirs.
        """
        times = {
            "created_after": created_after,
            "created_before": created_before,
            "updated_after": updated_after,
            "updated_before": updated_before,
            "ended_after": ended_after,
            "ended_before": ended_before,
        }
        request = requests.games(title, status, id_prefix, player_id, deciding, outcome, times, platform)
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
        """The board as the token's seat sees it, or as a spectator does, also at a past version."""
        request = games_pb2.GetBoardRequest(game_id=game_id, version=version, min_version=min_version)
        return await self._call(self._stubs.games.GetBoard, request, token)

    async def table(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> games_pb2.GetTableResponse:
        """The title-neutral table as the token's seat sees it, or as a spectator does, also at a past version."""
        request = games_pb2.GetTableRequest(game_id=game_id, version=version, min_version=min_version)
        return await self._call(self._stubs.games.GetTable, request, token)

    async def scores(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> scores_pb2.ScoreSheet | None:
        """Return the score as far as the token's seat can know it; see :meth:`Client.scores`."""
        request = games_pb2.GetScoresRequest(game_id=game_id, version=version, min_version=min_version)
        answer = await self._call(self._stubs.games.GetScores, request, token)
        return answer.score_sheet if answer.HasField("score_sheet") else None

    async def legal_commands(
        self, seat: AsyncSeat, *, version: int | None = None, min_version: int | None = None, with_effects: bool = False
    ) -> games_pb2.ListLegalCommandsResponse:
        """Everything the seat can do now, or could at a past version; empty if it has nothing to decide."""
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
        """Why the seat cannot do something; see :meth:`boardkeeper.client.client.Client.explain_refusals`."""
        request = games_pb2.ExplainRefusalsRequest(
            game_id=seat.game_id, seat=seat.number, subjects=subjects, min_version=min_version
        )
        return await self._call(self._stubs.games.ExplainRefusals, request, seat.token)

    async def _title_for(self, game_id: str, commands: Sequence[Command]) -> str:
        """The title of a game, asked for once, if the commands need it told."""
        title = self._titles.of(game_id, commands)
        if title is None:
            game = await self.game(game_id)
            self._titles.keep(game_id, game.title)
            title = game.title
        return title

    async def submit(
        self, seat: AsyncSeat, *commands: Command, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.SubmitCommandsResponse:
        """Carry out commands, all or nothing; see :meth:`boardkeeper.client.client.Client.submit`."""
        title = await self._title_for(seat.game_id, commands)
        request = requests.submit(seat.game_id, seat.number, title, commands, expected_version, command_id)
        return await self._call(self._stubs.games.SubmitCommands, request, seat.token)

    async def check(
        self,
        seat: AsyncSeat,
        *commands: Command,
        expected_version: int | None = None,
        min_version: int | None = None,
    ) -> Rejected | None:
        """Why the commands would be rejected, or ``None``; see :meth:`boardkeeper.client.client.Client.check`."""
        title = await self._title_for(seat.game_id, commands)
        request = requests.check(seat.game_id, seat.number, title, commands, expected_version, min_version)
        try:
            await self._call(self._stubs.games.CheckCommand, request, seat.token)
        except Rejected as rejected:
            return rejected
        return None

    async def request_undo(
        self, seat: AsyncSeat, *, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.RequestUndoResponse:
        """Take back the seat's last commands; see :meth:`boardkeeper.client.client.Client.request_undo`."""
        request = requests.request_undo(seat.game_id, seat.number, expected_version, command_id)
        return await self._call(self._stubs.games.RequestUndo, request, seat.token)

    async def answer_undo(
        self, seat: AsyncSeat, request_version: int, *, consent: bool, command_id: str = ""
    ) -> games_pb2.AnswerUndoResponse:
        """Consent to an undo, or decline; see :meth:`boardkeeper.client.client.Client.answer_undo`."""
        request = requests.answer_undo(seat.game_id, seat.number, request_version, consent, command_id)
        return await self._call(self._stubs.games.AnswerUndo, request, seat.token)

    async def resign(self, seat: AsyncSeat, *, command_id: str = "") -> games_pb2.ResignSeatResponse:
        """Give up for the seat, for good: it ranks behind all who did not, and a bot plays on if the game does.

        The call is idempotent.
        """
        request = requests.resign(seat.game_id, seat.number, command_id)
        return await self._call(self._stubs.games.ResignSeat, request, seat.token)

    async def hand_to_bot(
        self, seat: AsyncSeat, bot: str = "", *, command_id: str = ""
    ) -> games_pb2.HandSeatToBotResponse:
        """Have a bot of that kind (empty: the title's best) play the seat until it is taken back. Idempotent."""
        request = requests.hand_to_bot(seat.game_id, seat.number, bot, command_id)
        return await self._call(self._stubs.games.HandSeatToBot, request, seat.token)

    async def take_back(self, seat: AsyncSeat, *, command_id: str = "") -> games_pb2.TakeSeatBackResponse:
        """Play the seat again that was handed to a bot. Idempotent."""
        request = requests.take_back(seat.game_id, seat.number, command_id)
        return await self._call(self._stubs.games.TakeSeatBack, request, seat.token)

    async def events(
        self, game_id: str, *, after_version: int = 0, min_version: int | None = None, token: str = ""
    ) -> AsyncIterator[event_pb2.Event]:
        """The events stored so far, after a version; ends at the present one."""
        page_token = ""
        while True:
            request = requests.events(game_id, after_version, min_version, page_token)
            page = await self._call(self._stubs.history.ListEvents, request, token)
            for event in page.events:
                yield event
            page_token = page.next_page_token
            if not page_token:
                return

    async def watch(
        self, game_id: str, *, after_version: int = 0, token: str = "", on_clocks: OnClocks | None = None
    ) -> AsyncGenerator[event_pb2.Event, None]:
        """The events after a version, then live ones, without a gap or a repetition, until the game is over.

        ``on_clocks`` as in :meth:`Client.watch`.
        """
        cursor = Cursor(game_id, after_version, on_clocks)

        async def look() -> bool:
            return cursor.is_behind(await self._probe(cursor, token))

        resumed = self._resumed(self._stubs.games.WatchGame, cursor, token, look, lambda: self._listen(cursor))
        async with aclosing(resumed) as events:
            async for event in events:
                yield event

    async def watch_games(
        self,
        *,
        after_cursor: str = "",
        from_now: bool = False,
        title: str = "",
        game_id: str = "",
        kinds: Collection[str] = (),
        token: str = "",
    ) -> AsyncGenerator[feed_pb2.FeedItem, None]:
        """What happens in all games of the platform; see :meth:`Client.watch_games`."""
        bookmark = Bookmark(after_cursor, from_now, title, game_id, kinds)
        async with aclosing(self._resumed(self._stubs.feed.WatchGames, bookmark, token, _never, _nothing)) as items:
            async for item in items:
                yield item

    async def _resumed(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[Question, Answer],
        reader: Reader[Question, Answer, Item],
        token: str,
        look: Callable[[], Awaitable[bool]],
        broken: Callable[[], Awaitable[None]],
    ) -> AsyncGenerator[Item, None]:
        """As :func:`boardkeeper.client.resuming.resumed`."""
        waits = self._manners.waits()
        while True:
            stream = None
            try:
                request = reader.request()
                stream = method(request, metadata=self._manners.metadata(token, request))
                async for answer in stream:
                    self._contact.answered()
                    waits = self._manners.waits()
                    item = reader.take(answer)
                    if item is not None:
                        yield item
                    if reader.is_over:
                        return
                if await look():
                    return
                error: BaseException = ended_early()
            except _FAILURES as failure:
                error = self._failure(failure)
            finally:
                if stream is not None:
                    stream.cancel()
            await self._pause(error, waits)
            await broken()

    async def _probe(self, cursor: Cursor, token: str) -> game_pb2.Game:
        """How far the game is that is watched, if there is an answer now."""
        request = cursor.probe()
        metadata = self._manners.metadata(token, request)
        return (await self._stubs.games.GetGame(request, timeout=self._manners.timeout, metadata=metadata)).game

    async def _listen(self, cursor: Cursor) -> None:
        """Find out by a call whether the service answers again, if somebody waits to hear of it."""
        if not self._contact.is_missed:
            return
        try:
            await self._probe(cursor, "")
        except _FAILURES as error:
            failure = self._failure(error)
            if isinstance(failure, Unavailable):
                return
            if not isinstance(failure, BoardkeeperError) or isinstance(failure, Closed):
                raise failure from None
        self._contact.answered()

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Question, Answer], request: Question, token: str = ""
    ) -> Answer:
        manners = self._manners
        waits = manners.waits(request)
        self._own_writes.ask(request)
        while True:
            try:
                metadata = manners.metadata(token, request)
                answer = await method(request, timeout=manners.deadline(request), metadata=metadata)
            except _FAILURES as error:
                await self._pause(self._failure(error), waits)
            else:
                self._contact.answered()
                self._own_writes.note(request, answer)
                return answer

    def _failure(self, error: BaseException) -> BaseException:
        """What to raise for one of the ``_FAILURES``."""
        task = asyncio.current_task()
        cancelled = isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling()
        if self._closed and not cancelled:
            return Closed()
        return self._line.explained(from_rpc_error(error)) if isinstance(error, grpc.RpcError) else error

    async def _pause(self, error: BaseException, waits: Iterator[float]) -> None:
        """Wait before the next attempt; raises the error if there is to be none."""
        if self._line.wants_asking(error):
            asked = await asyncio.to_thread(self._line.asked)
            error = error if asked is None else asked
        wait = self._manners.until_next(waits, error) if isinstance(error, Unavailable | Overloaded) else None
        if wait is None:
            raise error from None
        if isinstance(error, Unavailable):
            self._contact.lost(error)
        await asyncio.sleep(wait)

    async def record(self, game_id: str, *, min_version: int | None = None, token: str = "") -> bytes:
        """The record of a game, as a file to keep; see :meth:`boardkeeper.client.client.Client.record`."""
        request = history_pb2.GetRecordRequest(game_id=game_id, min_version=min_version)
        manners = self._manners
        waits = manners.waits()
        self._own_writes.ask(request)
        while True:
            try:
                pieces = self._stubs.history.GetRecord(
                    request, timeout=manners.long_timeout, metadata=manners.metadata(token, request)
                )
                record = put_together([piece async for piece in pieces])
            except (*_FAILURES, Unavailable) as error:
                await self._pause(self._failure(error), waits)
            else:
                self._contact.answered()
                return record

    async def import_record(self, record: bytes) -> history_pb2.ImportRecordResponse:
        """Bring a game that was played elsewhere; see :meth:`boardkeeper.client.client.Client.import_record`."""
        manners = self._manners
        pieces = requests.record_pieces(record)
        try:
            return await self._stubs.history.ImportRecord(
                pieces, timeout=manners.long_timeout, metadata=manners.metadata()
            )
        except _FAILURES as error:
            raise self._failure(error) from None

    async def verify_game(
        self, game_id: str, *, min_version: int | None = None, token: str = ""
    ) -> history_pb2.Verification:
        """What the service finds when it checks the record that :meth:`record` answers."""
        request = history_pb2.VerifyGameRequest(game_id=game_id, min_version=min_version)
        return (await self._call(self._stubs.history.VerifyGame, request, token)).verification

    async def record_keys(self) -> Sequence[history_pb2.RecordKey]:
        """The public keys with which the service signs records."""
        return (await self._call(self._stubs.history.ListKeys, history_pb2.ListKeysRequest())).keys


@dataclass(frozen=True)
class AsyncSeat:
    """One's seat in a game; see :class:`~boardkeeper.client.client.Seat`."""

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
        """The board as this seat sees it; see :meth:`AsyncClient.board`."""
        return await self.client.board(self.game_id, version=version, min_version=min_version, token=self.token)

    async def table(self, *, version: int | None = None, min_version: int | None = None) -> games_pb2.GetTableResponse:
        """The title-neutral table as this seat sees it; see :meth:`AsyncClient.table`."""
        return await self.client.table(self.game_id, version=version, min_version=min_version, token=self.token)

    async def scores(
        self, *, version: int | None = None, min_version: int | None = None
    ) -> scores_pb2.ScoreSheet | None:
        """Return the score as far as this seat can know it; see :meth:`AsyncClient.scores`."""
        return await self.client.scores(self.game_id, version=version, min_version=min_version, token=self.token)

    def events(self, *, after_version: int = 0, min_version: int | None = None) -> AsyncIterator[event_pb2.Event]:
        """The history as this seat may know it; see :meth:`AsyncClient.events`."""
        return self.client.events(self.game_id, after_version=after_version, min_version=min_version, token=self.token)

    async def record(self, *, min_version: int | None = None) -> bytes:
        """The record as this seat may know it."""
        return await self.client.record(self.game_id, min_version=min_version, token=self.token)

    def watch(
        self, *, after_version: int = 0, on_clocks: OnClocks | None = None
    ) -> AsyncGenerator[event_pb2.Event, None]:
        """The game as this seat may see it; see :meth:`AsyncClient.watch`."""
        return self.client.watch(self.game_id, after_version=after_version, token=self.token, on_clocks=on_clocks)
