"""The lobby: lists of games, and single games, with the data that the caller can know."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from boardkeeper.game.game import ENDED, RUNNING, Game
from boardkeeper.service.api import message_limits
from boardkeeper.service.api.game_messages import OUTCOMES, STATUSES, default_seat_names, game_message
from boardkeeper.service.api.page_tokens import PageTokens
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.storage.players import GameSearch, ListCursor, PlayerTables, TimeRange
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import game_pb2
from boardkeeper.v1 import games_pb2 as pb

DEFAULT_PAGE = 50
MAX_PAGE_SIZE = 200


_status_names = {number: name for name, number in STATUSES.items()}
_outcome_names = {number: name for name, number in OUTCOMES.items()}


class _Page(NamedTuple):
    """Rows of a list of games, the places of the rows in the list, and the place after which the next page begins."""

    rows: Sequence[LobbyRow]
    places: Mapping[UUID, tuple[int, ...]]
    after: tuple[int, ...]
    list_key: Sequence[str]


class Lobby:
    """Returns games as messages, with the data that a caller can know."""

    def __init__(self, registry: GameRegistry, time: Callable[[], ServiceTime]) -> None:
        """``time`` returns the present time."""
        self._registry = registry
        self._time = time
        self._page_tokens = PageTokens(registry.application.database.key)

    async def message(self, game: UUID, call: Call) -> game_pb2.Game:
        """Return the present game. Raises ``GAME_NOT_FOUND``, ``GAME_REMOVED`` or ``GAME_DAMAGED``."""
        row = await self._registry.read_game(game, partial(self._registry.application.game_tables.lobby_row, game))
        if row is None:
            await self._registry.get(game)  # raises, unless only the row is lost
            raise await self._registry.not_found_error(game)
        await self._registry.wait_for_versions((row,))
        try:
            present = (await self._registry.get(game)).game
        except ApiError as error:
            if error.reason != "GAME_DAMAGED":
                raise
            present = None  # the game cannot be read
        players = {}
        if await call.caller.is_platform_of(game):
            players = (await self._registry.read_game(game, partial(self._players.players_of, [game]))).get(game, {})
        return game_message(
            row,
            present,
            time=self._time(),
            damaged_version=self._damaged_version(row),
            players=players,
            names=self._names(row, present, call),
        )

    async def messages(self, rows: Sequence[LobbyRow], call: Call) -> list[game_pb2.Game]:
        """Return the games of rows, without the fields that need the loaded game.

        The rows are those that :meth:`Caller.listed_platform` permits.
        """
        players = {}
        platform = call.caller.listed_platform()
        if rows and (platform is None or call.caller.acts_for_platform(platform)):
            players = await self._registry.read(partial(self._players.players_of, [row.game_id for row in rows]))
        running = [row.game_id for row in rows if row.status == RUNNING]
        find = self._registry.application.database.expiries.readings
        clocks = await self._registry.read(partial(find, running)) if running else {}
        time = self._time()
        return [
            game_message(
                row,
                time=time,
                readings=clocks.get(row.game_id),
                damaged_version=self._damaged_version(row),
                players=players.get(row.game_id),
                names=self._names(row, None, call),
            )
            for row in rows
        ]

    async def page(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        """Return a page of games, newest first."""
        size = validation.parse_page_size(request.page_size, DEFAULT_PAGE, MAX_PAGE_SIZE)
        search = _parse_search(request, call)
        is_search = search.player_id or search.created or search.updated
        read_page = self._search_page if is_search else self._newest_page
        rows, places, after, listed = await read_page(search, size, request.page_token)
        await self._registry.wait_for_versions(rows)
        games = await self.messages(rows, call)
        count = message_limits.page_count(game.ByteSize() for game in games)
        answer = pb.ListGamesResponse(games=games[:count])
        if count < len(games):
            after = places[rows[count - 1].game_id]
        if after:
            answer.next_page_token = self._page_tokens.write(listed, *after)
        return answer

    async def _newest_page(self, search: GameSearch, size: int, token: str) -> _Page:
        """Return a page of all games with simple filters, by their numbers."""
        platform = "*" if search.platform is None else f"={search.platform}"
        listed = ("games", search.title, search.status, search.id_prefix, platform)
        find = partial(
            self._registry.application.game_tables.lobby_page,
            before=self._page_tokens.number(token, listed),
            limit=size + 1,
            status=search.status,
            title=search.title,
            id_prefix=search.id_prefix,
            platform=search.platform,
        )
        rows = await self._registry.read(find)
        places = {row.game_id: (row.number,) for row in rows}
        return _Page(rows[:size], places, (rows[size - 1].number,) if len(rows) > size else (), listed)

    async def _search_page(self, search: GameSearch, size: int, token: str) -> _Page:
        """Return a page of search results. Pages before the last one can be short or empty too."""
        listed = ("search", hashlib.sha256(msgspec.json.encode(search)).hexdigest())
        numbers = self._page_tokens.numbers(token, listed)
        before = ListCursor(*numbers) if numbers else None
        found = await self._registry.read(partial(self._players.search, search, before=before, limit=size + 1))
        places = {game: place for place, game in found.games[:size]}
        find_rows = partial(self._registry.application.game_tables.lobby_rows, list(places))
        rows = (
            sorted(await self._registry.read(find_rows), key=lambda row: places[row.game_id], reverse=True)
            if places
            else []
        )
        after = found.games[size - 1][0] if len(found.games) > size else found.next_cursor
        return _Page(rows, places, after or (), listed)

    @property
    def _players(self) -> PlayerTables:
        return self._registry.application.database.players

    def _names(self, row: LobbyRow, game: Game | None, call: Call) -> tuple[str, ...]:
        return default_seat_names(row, game, self._registry.application.find_title, call.language)

    def _damaged_version(self, row: LobbyRow) -> int:
        """Return the first damaged version of a game, or 0."""
        damage = self._registry.application.damages.get(row.game_id)
        return damage.version if damage is not None else 0


def _parse_search(request: pb.ListGamesRequest, call: Call) -> GameSearch:
    """Return the filters of a request. Raises ``InvalidRequestError``, ``PLATFORM_ONLY`` or ``OPERATOR_ONLY``."""
    title = validation.parse_id(request.title, "title")
    if request.status and request.status not in _status_names:
        raise invalid("status", "value_of", enum="GameStatus")
    if request.outcome and request.outcome not in _outcome_names:
        raise invalid("outcome", "value_of", enum="GameOutcome")
    player = validation.parse_player_id(request.player_id)
    if request.outcome and not player:
        raise invalid("outcome", "needs", other="player_id")
    status = _status_names.get(request.status, "")
    ended = _between(request, "ended")
    if request.deciding:
        if status not in ("", RUNNING) or request.outcome or ended:
            raise invalid("deciding", "selects_games_in_progress")
        status = RUNNING
    if ended or request.outcome:
        if status not in ("", ENDED):
            raise invalid("status", "status_not_ended")
        status = ENDED
    platform = call.caller.listed_platform()
    if player:
        platform = call.caller.player_platform(request.platform)
    elif request.platform:
        if platform is not None and platform != request.platform:
            raise ApiError("OPERATOR_ONLY")
        platform = validation.parse_id(request.platform, "platform")
    updated = _between(request, "updated")
    if ended:  # the last event of a game has ended it
        updated = TimeRange(
            max((time for time in (updated.after, ended.after) if time is not None), default=None),
            min((time for time in (updated.before, ended.before) if time is not None), default=None),
        )
    return GameSearch(
        platform=platform,
        player_id=player,
        deciding=bool(player and request.deciding),
        outcome=_outcome_names.get(request.outcome, ""),
        status=status,
        title=title,
        id_prefix=validation.parse_id_prefix(request.id_prefix),
        created=_between(request, "created"),
        updated=updated,
    )


def _between(request: pb.ListGamesRequest, what: str) -> TimeRange:
    times = {field.name: time for field, time in request.ListFields() if field.name.startswith(what)}
    return TimeRange(
        *(_parse_time(times[field], field) if field in times else None for field in (f"{what}_after", f"{what}_before"))
    )


def _parse_time(time: Timestamp, field: str) -> int:
    """Return a time in milliseconds since 1970, rounded up, because times in messages have whole milliseconds."""
    if not (-62135596800 <= time.seconds <= 253402300799 and 0 <= time.nanos < 1_000_000_000):
        raise invalid(field, "time")
    return time.seconds * 1000 - -time.nanos // 1_000_000
