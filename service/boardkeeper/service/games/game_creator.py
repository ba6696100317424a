"""Creates and forks games. A request with an id is idempotent."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar
from uuid import UUID

from msgspec import Struct

from boardkeeper.game.automata import AutomaSeatError, NoOpponentError, SeatCountError, add_automata
from boardkeeper.game.choices import ChoiceError
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.game.seats import AUTOMA, BOT, PERSON, seat_names
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.auth.seat_tokens import hash_token
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_writer import StaleGameError
from boardkeeper.service.games.idempotency import SALT_BYTES, IdempotentRequest, Seated, token_expiry
from boardkeeper.service.limits.long_work import CancelCheck, LongWork
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, RejectedError, invalid, problem
from boardkeeper.service.storage.access import UNOWNED, GameAccess, owner_changes
from boardkeeper.service.storage.application import TitleLookup
from boardkeeper.service.storage.changes import NewGame
from boardkeeper.service.storage.players import PutPlayer
from boardkeeper.service.storage.projections import build_lobby_row
from boardkeeper.service.storage.rows import SeatRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.table.dice import SECRET_BYTES
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.bots import bots_of
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import PositionError, Setup, Title

_T = TypeVar("_T")

_WORK_AT_ONCE = 1
_MAX_WAITING = 32
_POSITIONS = "positions"
"""The subject under which all positions wait for their turns; forks wait under their game."""


class SeatPlan(Struct, frozen=True):
    """The player of a seat: a bot of a kind, a player who joins later (``open``), or the person who creates the game.

    The kind of bot is ``automa`` if the rules play the seat.
    """

    name: str = ""
    bot: str = ""
    open: bool = False
    entropy: bytes = b""


class GameSettings(Struct, frozen=True):
    """The settings of a new game in addition to its title and setup: access, player ids by seat, and time control.

    ``players`` are ids of the platform, or empty. Only the ``time_control`` becomes part of the events.
    """

    access: GameAccess = UNOWNED
    players: tuple[str, ...] = ()
    time_control: TimeControl | None = None

    def request_content(self) -> tuple[object, ...]:
        """Return the values that a repeated request must have too; empty for the defaults, as in earlier releases."""
        access = self.access
        return (
            *(() if access.spectators is None else (access.spectators,)),
            *([self.players] if any(self.players) else ()),
            *(() if self.time_control is None else (self.time_control,)),
            *([f"token_seconds {access.token_seconds}"] if access.token_seconds else ()),
            *(["by_invitation"] if access.by_invitation else ()),
        )

    def changes(self, game: UUID) -> list[Change]:
        """Return the changes that store the settings of a new game."""
        players = [PutPlayer(game, seat, player) for seat, player in enumerate(self.players, 1) if player]
        return [*owner_changes(game, self.access), *players]


DEFAULT_SETTINGS = GameSettings()


class GameCreator:
    """Creates and forks games. ``titles`` returns a title or raises ``KeyError``."""

    def __init__(
        self,
        handler: CommandHandler,
        titles: TitleLookup,
        server_build: str,
        *,
        new_id: Callable[[], UUID] = uuid.uuid4,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        server_key: str = "",
        reserve_bot_game: Callable[[UUID], AbstractContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        """``server_key`` is the id of the key that signs the records of the games.

        A game of bots alone is created within the context manager ``reserve_bot_game``, which may raise an error.
        """
        self._handler = handler
        self._registry = handler.registry
        self._titles = titles
        self._server_build = server_build
        self._new_id = new_id
        self._random_bytes = random_bytes
        self._server_key = server_key
        self._reserve_bot_game = reserve_bot_game
        self._work = LongWork(self._registry.application, _WORK_AT_ONCE, _MAX_WAITING)

    async def create(
        self,
        title_id: str,
        setup: Setup,
        plans: Sequence[SeatPlan],
        request_id: str,
        position: Callable[[], VisibleTable] | None = None,
        settings: GameSettings = DEFAULT_SETTINGS,
    ) -> Seated:
        """Create a game, from a position if there is one. With one seat, the rules play the opponent, if they can.

        A hostile position takes tenths of a second to read and to check, so ``position`` is called in a reader thread,
        and its table is checked there too.

        Raises ``InvalidRequestError``, ``TITLE_NOT_FOUND``, ``SEAT_PLAYED_BY_RULES``, ``SEAT_NOT_PLAYED_BY_RULES``,
        ``NOBODY_TO_PLAY_AGAINST``, ``REQUEST_ID_REUSED`` or ``OVERLOADED``, and the errors of ``position``.
        """
        self._handler.writer.check_ready()

        def read_request(_: CancelCheck) -> tuple[VisibleTable | None, IdempotentRequest]:
            table = position() if position is not None else None
            return table, IdempotentRequest(
                _request_kind("create", settings.access),
                request_id,
                (title_id, setup, tuple(plans), table, *settings.request_content()),
            )

        table, request = await self._run(_POSITIONS if position is not None else None, read_request)
        earlier = await request.find_earlier(self._registry)
        if earlier is not None:
            return earlier
        id = self._new_id()
        with self._reserve(id, plans):
            return await self._create(id, request, title_id, setup, plans, settings, position=table)

    async def fork(
        self,
        game: UUID,
        version: int | None,
        viewer: int,
        plans: Sequence[SeatPlan],
        request_id: str,
        settings: GameSettings = DEFAULT_SETTINGS,
    ) -> Seated:
        """Create a game from another game's table as a viewer knows it, at a version or at present (``None``).

        Raises ``GAME_NOT_FOUND``, ``VERSION_OUT_OF_RANGE``, ``RejectedError``, ``InvalidRequestError``,
        ``SEAT_PLAYED_BY_RULES``, ``SEAT_NOT_PLAYED_BY_RULES`` or ``REQUEST_ID_REUSED``.
        """
        self._handler.writer.check_ready()
        content = (version, viewer, tuple(plans), *settings.request_content())
        request = IdempotentRequest(_request_kind(f"fork {game}", settings.access), request_id, content)
        earlier = await request.find_earlier(self._registry)
        if earlier is not None:
            return earlier
        present = (await self._registry.get(game)).game.version
        past = await self._registry.load_fork_point(game, present if version is None else version)
        setup = past.created.setup
        with _translate_errors():
            add_automata(past.title, past.title.meta.with_legacy_choices(setup), _kinds(past.title, plans))
        chance = self._random_bytes(SECRET_BYTES)
        fork = await self._work.run(game, lambda _: fork_game(past, viewer, chance))
        if isinstance(fork, Rejection):
            raise RejectedError(fork, past.title, setup.edition)
        id = self._new_id()
        with self._reserve(id, plans):
            return await self._create(id, request, past.created.title, setup, plans, settings, fork=fork)

    async def _run(self, subject: Hashable | None, function: Callable[[CancelCheck], _T]) -> _T:
        """Call a function in a reader thread, in a turn of its subject; without a subject, call it at once here."""
        return function(_never_cancelled) if subject is None else await self._work.run(subject, function)

    def _reserve(self, game: UUID, plans: Sequence[SeatPlan]) -> AbstractContextManager[None]:
        return self._reserve_bot_game(game) if all(plan.bot for plan in plans) else nullcontext()

    async def _create(
        self,
        id: UUID,
        request: IdempotentRequest,
        title_id: str,
        setup: Setup,
        plans: Sequence[SeatPlan],
        settings: GameSettings,
        *,
        position: VisibleTable | None = None,
        fork: Fork | None = None,
    ) -> Seated:
        try:
            title = self._titles(title_id)
        except KeyError as error:
            raise ApiError("TITLE_NOT_FOUND", title=title_id) from error
        now = self._handler.clock()
        secret = self._random_bytes(SECRET_BYTES)
        wanted_kinds = _kinds(title, plans)
        build, key, control = self._server_build, self._server_key, settings.time_control

        def begin(_: CancelCheck) -> tuple[Game, list[GameEvent]]:
            with _translate_errors():
                return create_game(id, title, setup, wanted_kinds, secret, build, "", now, position, fork, key, control)

        subject = fork.game if fork is not None else _POSITIONS if position is not None else None
        game, events = await self._run(subject, begin)
        game.commit(events)
        kinds = game.created.seats
        plans = [*plans, *(SeatPlan(bot=kind.removeprefix(BOT)) for kind in kinds[len(plans) :])]
        for seat, plan in enumerate(plans, 1):
            validation.check_name_differs(plan.name, automaton_names(game, seat), f"seats[{seat - 1}].name")
            if not (plan.bot or plan.open):
                joined = game.join([seat], plan.entropy, "", now)
                game.commit(joined)
                events += joined

        salt = self._random_bytes(SALT_BYTES)
        expires = token_expiry(settings.access.token_seconds, now)
        taken = [seat for seat, plan in enumerate(plans, 1) if not (plan.bot or plan.open)]
        tokens = {seat: request.token(salt, seat) for seat in taken}
        rows = [
            SeatRow(
                seat,
                kinds[seat - 1],
                plan.name,
                not plan.open,
                hash_token(tokens[seat]) if seat in tokens else None,
                expires if seat in tokens else None,
            )
            for seat, plan in enumerate(plans, 1)
        ]
        new: list[Change] = [NewGame(build_lobby_row(game, events, rows), secret), *settings.changes(game.id)]
        changes = [*new, *request.changes(salt, game.id, taken, now)]
        live = LiveGame(game, rows, VisibilityHistory(events))
        try:
            await self._handler.changes.create(live, events, changes)
        except StaleGameError as error:
            # A simultaneous request with the same id may have been stored first.
            earlier = await request.find_earlier(self._registry)
            if earlier is None:
                raise ApiError("STORAGE_FAILED") from error
            return earlier
        return Seated(game.id, tokens)


def _request_kind(kind: str, owner: GameAccess) -> str:
    """Return the kind of a request, different for each platform, so that their request ids cannot collide."""
    return f"{kind} {owner.platform}" if owner.platform else kind


def _never_cancelled() -> None:
    """Do nothing: a function that runs at once cannot be cancelled."""


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise errors of the API for errors in the request of a new game."""
    try:
        yield
    except PositionError as error:
        raise validation.position_error(error) from error
    except ChoiceError as error:
        raise InvalidRequestError({error.field: error.problem}) from error
    except NoOpponentError as error:
        options = error.options
        raise ApiError("NOBODY_TO_PLAY_AGAINST", options=" ".join(options), chosen=", ".join(options)) from error
    except AutomaSeatError as error:
        if error.is_played:
            raise ApiError("SEAT_PLAYED_BY_RULES", seat=error.seat) from error
        raise ApiError("SEAT_NOT_PLAYED_BY_RULES", seat=error.seat) from error
    except SeatCountError as error:
        raise invalid("seats", "seat_count", seats=error.seats) from error
    except ValueError as error:
        raise InvalidRequestError({"title": str(error)}) from error


def _kinds(title: Title, plans: Sequence[SeatPlan]) -> list[str]:
    """Return the kind of player of each seat. Raises ``InvalidRequestError`` for an unknown bot."""
    kinds = [BOT + plan.bot if plan.bot else PERSON for plan in plans]
    bots = [bot.id for bot in bots_of(title.meta)]
    known = {PERSON, AUTOMA, *(BOT + bot for bot in bots)}
    wrong = problem("bot_unknown", offered=", ".join(bots))
    unknown = {f"seats[{at}].bot": wrong for at, kind in enumerate(kinds) if kind not in known}
    if unknown:
        raise InvalidRequestError(unknown)
    return kinds


def automaton_names(game: Game, except_seat: int = 0) -> set[str]:
    """Return the default names, in all languages, of the seats that the rules play, except ``except_seat``."""
    kinds = game.created.seats
    unnamed = [""] * len(kinds)
    called = (enumerate(seat_names(it, game.title, kinds, unnamed), 1) for it in LANGUAGES if AUTOMA in kinds)
    return {name for names in called for seat, name in names if kinds[seat - 1] == AUTOMA and seat != except_seat}
