"""The client: every call of the service as a method, and a seat as an object that plays.

Requests and answers are the generated messages of ``boardkeeper.v1``; they are typed, documented in the ``.proto``
files, and there is no third form of them to learn. Commands may also be given as the structs of a title
(``boardkeeper.titles.<title>.commands``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from boardkeeper.client import feed, requests
from boardkeeper.client.connection import Connection, Contact, Manners, own_key
from boardkeeper.client.errors import BoardkeeperError, Rejected
from boardkeeper.client.moments import moment
from boardkeeper.client.requests import PAGE_SIZE, Command
from boardkeeper.client.tls import Line, Tls
from boardkeeper.client.watching import OnClocks, watch
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


@dataclass(frozen=True)
class NewGame:
    """A game that was just made, and its seats that belong to the maker."""

    game: game_pb2.Game
    seats: tuple[Seat, ...]


class Client:
    """A connection to one service.

    Example::

        with Client("localhost:8050") as client:
            new = client.create_game(title, [person("Anna"), bot(), bot()])
            seat = new.seats[0]
            seat.submit(seat.legal_commands().commands[0])

    Every method raises a :class:`~boardkeeper.client.errors.BoardkeeperError` if it fails. Calls without an answer
    are repeated (see :class:`~boardkeeper.client.connection.Manners` for ``timeout`` and ``patience``, both in
    seconds). ``on_connection`` is called with the error when no answer comes and a call is sent again, once, and with
    ``None`` when there are answers again; it may be called from any thread that uses the client, of which there may be
    several.

    ``key`` is that of a platform; without one that of the variable ``BOARDKEEPER_KEY`` is sent, and with an empty one
    none. With the scope ``play`` no tokens of its seats are needed.

    ``address`` is ``host:port``, in the clear, ``https://host:port`` with TLS, or ``unix:path``. ``tls`` says whom to
    trust there and what certificate to show; ``credentials`` of one's own making stand in its place, also for gRPC's
    other kinds. Raises ``ValueError`` or ``OSError`` for an address or files that cannot be used.
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
        contact = Contact(on_connection)
        self._connection = Connection(
            Line(address, tls, credentials), Manners(language, timeout, patience, own_key(key)), contact
        )
        channel = self._connection.channel
        self._catalog = catalog_pb2_grpc.CatalogStub(channel)
        self._titles = requests.KnownTitles()
        self._games = games_pb2_grpc.GamesStub(channel)
        self._history = history_pb2_grpc.HistoryStub(channel)
        self._players = players_pb2_grpc.PlayersStub(channel)
        self._feed = feed_pb2_grpc.FeedStub(channel)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- the catalogue -------------------------------------------------------------------------------------

    def titles(self) -> Sequence[catalog_pb2.Title]:
        """What can be played."""
        return self._connection.call(self._catalog.ListTitles, catalog_pb2.ListTitlesRequest()).titles

    def title(
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
        return self._connection.call(self._catalog.GetTitle, requests.title(title, edition, players, options, readings))

    def schema(self, title: str) -> FileDescriptorSet:
        """The message types of a title: what ``outside`` contains in commands, events and boards of other packages."""
        return self._connection.call(self._catalog.GetSchema, catalog_pb2.GetSchemaRequest(title=title)).schema

    # --- games ---------------------------------------------------------------------------------------------

    def create_game(
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
        answer = self._connection.call(self._games.CreateGame, request)
        held = tuple(self._held(answer.game, token, seats[token.seat - 1].entropy) for token in answer.seat_tokens)
        return NewGame(answer.game, held)

    def fork(
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
        """Make a game that begins from the table of another one, at a version or at present.

        With the token of a seat (without one: as a spectator) what it cannot know is dealt anew; with the operator's
        the position is exact. ``request_id``, ``spectators`` and ``time_control`` are as in
        :meth:`create_game`.
        """
        request = requests.fork(
            game_id, seats, version, request_id, spectators, time_control, by_invitation, seat_token_lifetime
        )
        answer = self._connection.call(self._games.ForkGame, request, token)
        held = tuple(self._held(answer.game, token, seats[token.seat - 1].entropy) for token in answer.seat_tokens)
        return NewGame(answer.game, held)

    def reissue(self, game_id: str, seat: int, *, token: str = "", lifetime: timedelta | None = None) -> str:
        """Give a seat another token, which is returned; the one before is dead at once.

        It takes the platform's key, the operator's token, or that which the seat has.
        """
        request = games_pb2.ReissueSeatTokenRequest(game_id=game_id, seat=seat, lifetime=requests.lasting(lifetime))
        return self._connection.call(self._games.ReissueSeatToken, request, token).seat_token.token

    def set_player(self, game_id: str, seat: int, player_id: str, *, token: str = "") -> game_pb2.Game:
        """Say who has a seat of a game, by the platform's own id of him; empty: nobody that it tells of.

        It takes the platform's key, or the operator's ``token``.
        """
        request = players_pb2.SetSeatPlayerRequest(game_id=game_id, seat=seat, player_id=player_id)
        return self._connection.call(self._players.SetSeatPlayer, request, token).game

    def erase_player(self, player_id: str, *, platform: str = "", token: str = "") -> players_pb2.ErasePlayerResponse:
        """Erase a player from all of a platform's games: ids, names, tokens, invitations; the games still verify.

        It takes the platform's key with the scope ``operate``, or the operator's ``token`` and a ``platform``.
        """
        request = players_pb2.ErasePlayerRequest(player_id=player_id, platform=platform)
        return self._connection.call(self._players.ErasePlayer, request, token)

    def invite(
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
        return self._connection.call(self._players.CreateInvitation, request, token)

    def invitations(self, game_id: str, *, token: str = "") -> Sequence[players_pb2.Invitation]:
        """The invitations of a game, the oldest first, without their codes."""
        request = players_pb2.ListInvitationsRequest(game_id=game_id)
        return self._connection.call(self._players.ListInvitations, request, token).invitations

    def revoke_invitation(self, game_id: str, invitation_id: str, *, token: str = "") -> players_pb2.Invitation:
        """End an invitation; one that was used stays as it is, which ``used_seat`` tells."""
        request = players_pb2.RevokeInvitationRequest(game_id=game_id, invitation_id=invitation_id)
        return self._connection.call(self._players.RevokeInvitation, request, token).invitation

    def results(
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
        return self._connection.call(self._players.ListResults, request, token)

    def standings(
        self,
        title: str,
        player_ids: Sequence[str] = (),
        *,
        people_only: bool = False,
        platform: str = "",
        token: str = "",
    ) -> Iterator[players_pb2.PlayerStanding]:
        """What players of a platform have reached in a title: those that are named, or all, in the order of their ids.

        With ``people_only`` games with bots, or an opponent that the rules play, do not count.
        """
        request = players_pb2.GetStandingsRequest(
            title=title, player_ids=player_ids, people_only=people_only, platform=platform, page_size=PAGE_SIZE
        )
        while True:
            page = self._connection.call(self._players.GetStandings, request, token)
            yield from page.standings
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def remove(self, game_id: str, *, token: str) -> datetime:
        """Remove a game for good, and tell when it was (UTC); it may have been before. Needs the operator's token."""
        answer = self._connection.call(self._games.RemoveGame, games_pb2.RemoveGameRequest(game_id=game_id), token)
        return moment(answer.remove_time)

    def join(
        self,
        game_id: str,
        name: str,
        *,
        seat: int = 0,
        entropy: bytes | None = None,
        request_id: str = "",
        player_id: str = "",
        invitation: str = "",
    ) -> Seat:
        """Take an open seat, any of them if ``seat`` is 0.

        ``entropy`` is mixed into the game's dice and ``player_id`` is a platform's own id, as in
        :func:`~boardkeeper.client.requests.person`; ``request_id`` is as in :meth:`create_game`.
        """
        request = requests.join(game_id, name, seat, entropy, request_id, player_id, invitation)
        answer = self._connection.call(self._games.JoinGame, request)
        taken = answer.seat_token
        return self.seat(game_id, taken.seat, taken.token, request.entropy, answer.game.title)

    def seat(self, game_id: str, seat: int, token: str, entropy: bytes = b"", title: str = "") -> Seat:
        """A seat that one holds already; the token is what its game or joining gave, ``entropy`` what was sent then.

        The ``title`` of the game need not be said: it is asked for when a command is sent that several titles have.
        """
        if title:
            self._titles.keep(game_id, title)
        return Seat(self, game_id, seat, token, entropy)

    def _held(self, game: game_pb2.Game, token: games_pb2.SeatToken, entropy: bytes) -> Seat:
        return self.seat(game.game_id, token.seat, token.token, entropy, game.title)

    def game(
        self, game_id: str, *, min_version: int | None = None, wait: timedelta | None = None, token: str = ""
    ) -> game_pb2.Game:
        """Return the state of a game: title, seats, version and the seats that have to decide.

        With ``wait`` the service waits up to that time (at most 30 seconds) for ``min_version``, and then returns the
        game as it is. Programs that can read a stream use :meth:`watch` instead.
        """
        request = games_pb2.GetGameRequest(game_id=game_id, min_version=min_version, wait=requests.lasting(wait))
        return self._connection.call(self._games.GetGame, request, token).game

    def games(
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
    ) -> Iterator[game_pb2.Game]:
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
            page = self._connection.call(self._games.ListGames, request, token)
            yield from page.games
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def board(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> games_pb2.GetBoardResponse:
        """The board as the token's seat sees it, or as a spectator does.

        ``version`` asks for the board after that many events; ``min_version`` for one that is at least as new.
        """
        request = games_pb2.GetBoardRequest(game_id=game_id, version=version, min_version=min_version)
        return self._connection.call(self._games.GetBoard, request, token)

    def table(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> games_pb2.GetTableResponse:
        """The title-neutral table as the token's seat sees it, or as a spectator does: where folding effects can begin.

        ``version`` asks for the table after that many events; ``min_version`` for one that is at least as new.
        """
        request = games_pb2.GetTableRequest(game_id=game_id, version=version, min_version=min_version)
        return self._connection.call(self._games.GetTable, request, token)

    def scores(
        self, game_id: str, *, version: int | None = None, min_version: int | None = None, token: str = ""
    ) -> scores_pb2.ScoreSheet | None:
        """Return the score line by line, also while the game is running, as far as the token's seat can know it.

        ``None`` before the start, and while the game is running if its title has no score sheet.
        """
        request = games_pb2.GetScoresRequest(game_id=game_id, version=version, min_version=min_version)
        answer = self._connection.call(self._games.GetScores, request, token)
        return answer.score_sheet if answer.HasField("score_sheet") else None

    # --- a seat --------------------------------------------------------------------------------------------

    def legal_commands(
        self, seat: Seat, *, version: int | None = None, min_version: int | None = None, with_effects: bool = False
    ) -> games_pb2.ListLegalCommandsResponse:
        """Everything the seat can do now, each with a sentence; empty if it has nothing to decide.

        ``version`` asks what it could do after that many events; ``min_version`` for an answer at least as new;
        ``with_effects`` what each command would change at once, as far as the seat can know.
        """
        request = games_pb2.ListLegalCommandsRequest(
            game_id=seat.game_id,
            seat=seat.number,
            min_version=min_version,
            version=version,
            with_effects=with_effects,
        )
        return self._connection.call(self._games.ListLegalCommands, request, seat.token)

    def explain_refusals(
        self, seat: Seat, *subjects: str, min_version: int | None = None
    ) -> games_pb2.ExplainRefusalsResponse:
        """Why the seat cannot do now what it may mean with these zones, markers and components, the most telling first.

        What it can do after all comes before that (``legal``); where it cannot do anything, the only answer says why.
        """
        request = games_pb2.ExplainRefusalsRequest(
            game_id=seat.game_id, seat=seat.number, subjects=subjects, min_version=min_version
        )
        return self._connection.call(self._games.ExplainRefusals, request, seat.token)

    def _title_for(self, game_id: str, commands: Sequence[Command]) -> str:
        """The title of a game, asked for once, if the commands need it told."""
        title = self._titles.of(game_id, commands)
        if title is None:
            game = self.game(game_id)
            self._titles.keep(game_id, game.title)
            title = game.title
        return title

    def submit(
        self,
        seat: Seat,
        *commands: Command,
        expected_version: int | None = None,
        command_id: str = "",
    ) -> games_pb2.SubmitCommandsResponse:
        """Carry out one command, or several, all or nothing; returns the events that they had.

        The call gets a ``command_id`` of its own unless one is given, and is repeated with the same id while no
        answer comes, so a command is never carried out twice. To be safe across a crash of the caller as well,
        make the id first, write it down and give it here. ``expected_version`` refuses to act on an old board.

        Raises:
            Rejected: the rules forbid it; nothing has changed.
            VersionConflict: the game is not at ``expected_version``.
        """
        title = self._title_for(seat.game_id, commands)
        request = requests.submit(seat.game_id, seat.number, title, commands, expected_version, command_id)
        return self._connection.call(self._games.SubmitCommands, request, seat.token)

    def check(
        self,
        seat: Seat,
        *commands: Command,
        expected_version: int | None = None,
        min_version: int | None = None,
    ) -> Rejected | None:
        """Why the commands would be rejected, or ``None`` if they would be carried out; changes nothing.

        They are judged on the present board: ``expected_version`` refuses any other than the one of that version,
        ``min_version`` waits for one that is at least as new.

        Raises:
            VersionConflict: the game is not at ``expected_version``.
        """
        title = self._title_for(seat.game_id, commands)
        request = requests.check(seat.game_id, seat.number, title, commands, expected_version, min_version)
        try:
            self._connection.call(self._games.CheckCommand, request, seat.token)
        except Rejected as rejected:
            return rejected
        return None

    def request_undo(
        self, seat: Seat, *, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.RequestUndoResponse:
        """Take back the seat's last commands that are in force, with whatever came after them.

        That is free, and done at once, while nothing came after them, no chance was used and nobody saw anything new.
        Otherwise the answer is an open vote: every other person has to consent (:meth:`answer_undo`). The call is
        repeated while no answer comes, as :meth:`submit` is.
        """
        request = requests.request_undo(seat.game_id, seat.number, expected_version, command_id)
        return self._connection.call(self._games.RequestUndo, request, seat.token)

    def answer_undo(
        self, seat: Seat, request_version: int, *, consent: bool, command_id: str = ""
    ) -> games_pb2.AnswerUndoResponse:
        """Consent to the undo that was requested at that version (the game's ``undo_vote`` tells it), or decline it.

        The seat that requested it may decline, which takes the request back.
        """
        request = requests.answer_undo(seat.game_id, seat.number, request_version, consent, command_id)
        return self._connection.call(self._games.AnswerUndo, request, seat.token)

    def resign(self, seat: Seat, *, command_id: str = "") -> games_pb2.ResignSeatResponse:
        """Give up for the seat, for good: it ranks behind all who did not, and a bot plays on if the game does.

        The call is idempotent.
        """
        request = requests.resign(seat.game_id, seat.number, command_id)
        return self._connection.call(self._games.ResignSeat, request, seat.token)

    def hand_to_bot(self, seat: Seat, bot: str = "", *, command_id: str = "") -> games_pb2.HandSeatToBotResponse:
        """Have a bot of that kind (empty: the title's best) play the seat until it is taken back. Idempotent."""
        request = requests.hand_to_bot(seat.game_id, seat.number, bot, command_id)
        return self._connection.call(self._games.HandSeatToBot, request, seat.token)

    def take_back(self, seat: Seat, *, command_id: str = "") -> games_pb2.TakeSeatBackResponse:
        """Play the seat again that was handed to a bot. Idempotent."""
        request = requests.take_back(seat.game_id, seat.number, command_id)
        return self._connection.call(self._games.TakeSeatBack, request, seat.token)

    # --- history -------------------------------------------------------------------------------------------

    def events(
        self, game_id: str, *, after_version: int = 0, min_version: int | None = None, token: str = ""
    ) -> Iterator[event_pb2.Event]:
        """The events stored so far, after a version; ends at the present one. To go on live, :meth:`watch`.

        ``min_version`` waits until there are at least so many.
        """
        page_token = ""
        while True:
            request = requests.events(game_id, after_version, min_version, page_token)
            page = self._connection.call(self._history.ListEvents, request, token)
            yield from page.events
            page_token = page.next_page_token
            if not page_token:
                return

    def watch(
        self, game_id: str, *, after_version: int = 0, token: str = "", on_clocks: OnClocks | None = None
    ) -> Generator[event_pb2.Event]:
        """The events after a version, then live ones as they happen, without a gap or a repetition.

        A broken connection is taken up again after the last event. The iterator ends after the last event of a
        game that is over; close it (``.close()``) to stop watching before. ``on_clocks`` is told the clocks of a game
        that has some (:class:`boardkeeper.client.clocks.Countdown`): with the newest event, before that comes, and in
        quiet times.
        """
        return watch(self._connection, self._games, game_id, after_version, token, on_clocks)

    def watch_games(
        self,
        *,
        after_cursor: str = "",
        from_now: bool = False,
        title: str = "",
        game_id: str = "",
        kinds: Collection[str] = (),
        token: str = "",
    ) -> Generator[feed_pb2.FeedItem]:
        """What happens in all games of the platform, each item once and in order, for ever; close it to stop.

        Goes on behind ``after_cursor``, the ``cursor`` of the last item that was dealt with; without one it begins with
        the oldest item that is kept, or with what happens ``from_now`` on. Of ``kinds``
        (:data:`boardkeeper.client.feed.KINDS` has them) none means all, also those that a later service adds:
        :func:`boardkeeper.client.feed.name_of` gives the number of one that is not known here. A broken connection is
        taken up again. A ``BadRequest`` with the reason ``FEED_CURSOR_EXPIRED`` or ``FEED_CURSOR_LOST`` says that the
        feed does not go on from that cursor: list the games, and begin without one. ``token`` is an operator's, who
        sees the games of all.
        """
        return feed.watch(
            self._connection, self._feed, feed.Bookmark(after_cursor, from_now, title, game_id, kinds), token
        )

    # --- records -------------------------------------------------------------------------------------------

    def record(self, game_id: str, *, min_version: int | None = None, token: str = "") -> bytes:
        """The record of a game, as a file to keep: whole if it has ended, else in the form for the token's seat.

        ``boardkeeper verify`` checks one without a service; ``docs/record.md`` says what is in it. ``min_version``
        asks for one that has at least so many events.
        """
        request = history_pb2.GetRecordRequest(game_id=game_id, min_version=min_version)
        return self._connection.collect(self._history.GetRecord, request, put_together, token)

    def import_record(self, record: bytes) -> history_pb2.ImportRecordResponse:
        """Bring a game that was played elsewhere to this service. It is only taken in if it holds on every level.

        Raises:
            BadRequest: it does not; ``values`` name the ``level``, ``line``, ``version`` and ``problem``.
            AlreadyExists: a game of that id is there.
        """
        return self._connection.send(self._history.ImportRecord, requests.record_pieces(record))

    def verify_game(self, game_id: str, *, min_version: int | None = None, token: str = "") -> history_pb2.Verification:
        """What the service finds when it checks the record that :meth:`record` answers."""
        request = history_pb2.VerifyGameRequest(game_id=game_id, min_version=min_version)
        return self._connection.call(self._history.VerifyGame, request, token).verification

    def record_keys(self) -> Sequence[history_pb2.RecordKey]:
        """The public keys with which the service signs records."""
        return self._connection.call(self._history.ListKeys, history_pb2.ListKeysRequest()).keys


@dataclass(frozen=True)
class Seat:
    """One's seat in a game: the place to play from. ``token`` is what proves it; keep it secret.

    ``entropy`` is what this client sent for the dice when it took the seat; the seat's event ``SeatJoined`` shows it.
    """

    client: Client
    game_id: str
    number: int
    token: str
    entropy: bytes = field(default=b"", compare=False)

    def __repr__(self) -> str:
        return f"Seat({self.game_id!r}, {self.number})"

    def game(self, *, min_version: int | None = None, wait: timedelta | None = None) -> game_pb2.Game:
        """See :meth:`Client.game`."""
        return self.client.game(self.game_id, min_version=min_version, wait=wait, token=self.token)

    def legal_commands(
        self, *, version: int | None = None, min_version: int | None = None, with_effects: bool = False
    ) -> games_pb2.ListLegalCommandsResponse:
        """See :meth:`Client.legal_commands`."""
        return self.client.legal_commands(self, version=version, min_version=min_version, with_effects=with_effects)

    def explain_refusals(self, *subjects: str, min_version: int | None = None) -> games_pb2.ExplainRefusalsResponse:
        """See :meth:`Client.explain_refusals`."""
        return self.client.explain_refusals(self, *subjects, min_version=min_version)

    def submit(
        self, *commands: Command, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.SubmitCommandsResponse:
        """See :meth:`Client.submit`."""
        return self.client.submit(self, *commands, expected_version=expected_version, command_id=command_id)

    def check(
        self, *commands: Command, expected_version: int | None = None, min_version: int | None = None
    ) -> Rejected | None:
        """See :meth:`Client.check`."""
        return self.client.check(self, *commands, expected_version=expected_version, min_version=min_version)

    def request_undo(
        self, *, expected_version: int | None = None, command_id: str = ""
    ) -> games_pb2.RequestUndoResponse:
        """See :meth:`Client.request_undo`."""
        return self.client.request_undo(self, expected_version=expected_version, command_id=command_id)

    def answer_undo(self, request_version: int, *, consent: bool, command_id: str = "") -> games_pb2.AnswerUndoResponse:
        """See :meth:`Client.answer_undo`."""
        return self.client.answer_undo(self, request_version, consent=consent, command_id=command_id)

    def resign(self, *, command_id: str = "") -> games_pb2.ResignSeatResponse:
        """See :meth:`Client.resign`."""
        return self.client.resign(self, command_id=command_id)

    def hand_to_bot(self, bot: str = "", *, command_id: str = "") -> games_pb2.HandSeatToBotResponse:
        """See :meth:`Client.hand_to_bot`."""
        return self.client.hand_to_bot(self, bot, command_id=command_id)

    def take_back(self, *, command_id: str = "") -> games_pb2.TakeSeatBackResponse:
        """See :meth:`Client.take_back`."""
        return self.client.take_back(self, command_id=command_id)

    def board(self, *, version: int | None = None, min_version: int | None = None) -> games_pb2.GetBoardResponse:
        """The board as this seat sees it; see :meth:`Client.board`."""
        return self.client.board(self.game_id, version=version, min_version=min_version, token=self.token)

    def table(self, *, version: int | None = None, min_version: int | None = None) -> games_pb2.GetTableResponse:
        """The title-neutral table as this seat sees it; see :meth:`Client.table`."""
        return self.client.table(self.game_id, version=version, min_version=min_version, token=self.token)

    def scores(self, *, version: int | None = None, min_version: int | None = None) -> scores_pb2.ScoreSheet | None:
        """Return the score as far as this seat can know it; see :meth:`Client.scores`."""
        return self.client.scores(self.game_id, version=version, min_version=min_version, token=self.token)

    def events(self, *, after_version: int = 0, min_version: int | None = None) -> Iterator[event_pb2.Event]:
        """The history as this seat may know it; see :meth:`Client.events`."""
        return self.client.events(self.game_id, after_version=after_version, min_version=min_version, token=self.token)

    def record(self, *, min_version: int | None = None) -> bytes:
        """The record as this seat may know it; see :meth:`Client.record`."""
        return self.client.record(self.game_id, min_version=min_version, token=self.token)

    def watch(self, *, after_version: int = 0, on_clocks: OnClocks | None = None) -> Generator[event_pb2.Event]:
        """The game as this seat may see it; see :meth:`Client.watch`."""
        return self.client.watch(self.game_id, after_version=after_version, token=self.token, on_clocks=on_clocks)
