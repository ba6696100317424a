"""Creating games and taking seats. Each request is idempotent by its id."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.game.automata import AutomaSeatError, NoOpponentError, SeatCountError, add_automata
from boardkeeper.game.choices import ChoiceError
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.game.seats import AUTOMA, BOT, PERSON, seat_names
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.auth.seat_tokens import derive_token, hash_token, new_token
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_writer import StaleGameError
from boardkeeper.service.games.invitations import USABLE, seat_and_player, state_of
from boardkeeper.service.limits.long_work import CancelCheck, LongWork
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, RejectedError, invalid, problem
from boardkeeper.service.storage.access import UNOWNED, GameAccess, ReplaceToken, owner_changes
from boardkeeper.service.storage.application import TitleLookup
from boardkeeper.service.storage.changes import NewGame, NewRequest, TakeSeat
from boardkeeper.service.storage.invitations import EndInvitation, InvitationRow
from boardkeeper.service.storage.players import PutPlayer
from boardkeeper.service.storage.projections import build_lobby_row
from boardkeeper.service.storage.rows import RequestRow, SeatRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.table.dice import SECRET_BYTES
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import PositionError, Setup, Title

_T = TypeVar("_T")

_SALT_BYTES = 32
_WORK_AT_ONCE = 1
_MOST_TRIES = 8
_MOST_WAITING = 32
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
    """The settings of a new game beside its title and setup: access, player ids by seat, and time control.

    ``players`` are ids of the platform, or empty. Only the ``time_control`` becomes part of the events.
    """

    access: GameAccess = UNOWNED
    players: tuple[str, ...] = ()
    time_control: TimeControl | None = None

    def request_content(self) -> tuple[object, ...]:
        """Return the values by which a repeated request is compared; empty for the defaults, as in earlier releases."""
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


class Seated(Struct, frozen=True):
    """A game, and the tokens of the seats that the request took, by seat."""

    game: UUID
    tokens: dict[int, str]


class SeatManager:
    """Creates and joins games. ``titles`` returns a title or raises ``KeyError``."""

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

        A game of bots alone is created within the context manager ``reserve_bot_game``, which may raise.
        """
        self._handler = handler
        self._registry = handler.registry
        self._titles = titles
        self._server_build = server_build
        self._new_id = new_id
        self._random_bytes = random_bytes
        self._server_key = server_key
        self._reserve_bot_game = reserve_bot_game
        self._work = LongWork(self._registry.application, _WORK_AT_ONCE, _MOST_WAITING)

    async def create(
        self,
        title_id: str,
        setup: Setup,
        plans: Sequence[SeatPlan],
        request_id: str,
        position: Callable[[], VisibleTable] | None = None,
        settings: GameSettings = DEFAULT_SETTINGS,
    ) -> Seated:
        """Create a game, from a position if one is given. A game with one seat is against the rules, if possible.

        A hostile position takes tenths of a second to read and to check, so ``position`` is called in a reader thread,
        and its table is checked there too.

        Raises ``InvalidRequestError``, ``TITLE_NOT_FOUND``, ``SEAT_PLAYED_BY_RULES``, ``SEAT_NOT_PLAYED_BY_RULES``,
        ``NOBODY_TO_PLAY_AGAINST``, ``REQUEST_ID_REUSED`` or ``OVERLOADED``, and the errors of ``position``.
        """
        self._handler.writer.check_ready()

        def read_request(_: CancelCheck) -> tuple[VisibleTable | None, _Request]:
            table = position() if position is not None else None
            return table, _Request(
                _request_kind("create", settings.access),
                request_id,
                (title_id, setup, tuple(plans), table, *settings.request_content()),
            )

        table, request = await self._run(_POSITIONS if position is not None else None, read_request)
        earlier = await self._find_earlier(request)
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
        request = _Request(_request_kind(f"fork {game}", settings.access), request_id, content)
        earlier = await self._find_earlier(request)
        if earlier is not None:
            return earlier
        present = (await self._registry.get(game)).game.version
        past = await self._registry.load_fork_point(game, present if version is None else version)
        setup = past.created.setup
        with _translated_errors():
            add_automata(past.title, past.title.meta.with_legacy_choices(setup), _kinds(past.title, plans))
        chance = self._random_bytes(SECRET_BYTES)
        fork = await self._work.run(game, lambda _: fork_game(past, viewer, chance))
        if isinstance(fork, Rejection):
            raise RejectedError(fork, past.title, setup.edition)
        id = self._new_id()
        with self._reserve(id, plans):
            return await self._create(id, request, past.created.title, setup, plans, settings, fork=fork)

    async def _run(self, subject: Hashable | None, function: Callable[[CancelCheck], _T]) -> _T:
        """Run work on a given table in a reader thread, in a turn of its subject; other work (``None``) at once."""
        return function(_never_cancelled) if subject is None else await self._work.run(subject, function)

    def _reserve(self, game: UUID, plans: Sequence[SeatPlan]) -> AbstractContextManager[None]:
        return self._reserve_bot_game(game) if all(plan.bot for plan in plans) else nullcontext()

    async def _create(
        self,
        id: UUID,
        request: _Request,
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
            with _translated_errors():
                return create_game(id, title, setup, wanted_kinds, secret, build, "", now, position, fork, key, control)

        subject = fork.game if fork is not None else _POSITIONS if position is not None else None
        game, events = await self._run(subject, begin)
        game.commit(events)
        kinds = game.created.seats
        plans = [*plans, *(SeatPlan(bot=kind.removeprefix(BOT)) for kind in kinds[len(plans) :])]
        for seat, plan in enumerate(plans, 1):
            validation.check_name_differs(plan.name, _automaton_names(game, seat), f"seats[{seat - 1}].name")
            if not (plan.bot or plan.open):
                joined = game.join([seat], plan.entropy, "", now)
                game.commit(joined)
                events += joined

        salt = self._random_bytes(_SALT_BYTES)
        expires = _expiry(settings.access.token_seconds, now)
        given = [seat for seat, plan in enumerate(plans, 1) if not (plan.bot or plan.open)]
        tokens = {seat: request.token(salt, seat) for seat in given}
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
        changes = [*new, *request.changes(salt, game.id, given, now)]
        live = LiveGame(game, rows, VisibilityHistory(events))
        try:
            await self._handler.changes.create(live, events, changes)
        except StaleGameError as error:
            return await self._find_simultaneous(request, error)
        return Seated(game.id, tokens)

    async def join(
        self, game: UUID, seat: int, name: str, entropy: bytes, request_id: str, player: str = "", invitation: str = ""
    ) -> Seated:
        """Take an open seat, or any open seat (0). Raises ``GAME_NOT_FOUND``, ``REQUEST_ID_REUSED`` or ``ApiError``.

        ``player`` is the platform's id of the player; ``invitation`` is the code of an invitation.
        """
        self._handler.writer.check_ready()
        more = (*([player] if player else ()), *([hash_token(invitation)] if invitation else ()))
        request = _Request(f"join {game}", request_id, (seat, name, entropy, *more))
        for _ in range(_MOST_TRIES):
            seated = await self._join(game, seat, name, entropy, player, request, invitation)
            if seated is not None:
                return seated
        raise ApiError("CONTENDED")

    async def _join(
        self, game: UUID, seat: int, name: str, entropy: bytes, player: str, request: _Request, code: str
    ) -> Seated | None:
        """Try to join once; return ``None`` if another process changed the game meanwhile."""
        access = await self._registry.read_game(
            game, partial(self._registry.application.database.access.game_access, game)
        )
        access = access or UNOWNED
        async with self._registry.lock(game) as live:
            await self._registry.peer_sync.catch_up(live)
            if live.is_dropped:
                return None
            # With the lock held, so that a simultaneous second request finds the result of the first.
            earlier = await self._find_earlier(request)
            if earlier is not None:
                return earlier
            now = self._handler.clock()
            invitation = None
            if code:
                invitation = await self._find_invitation(game, code, now)
                seat, player = seat_and_player(invitation, seat, player)
            elif access.by_invitation:
                raise ApiError("INVITATION_MISSING")
            taken = _find_open_seat(live.game, seat)
            validation.check_name_differs(name, (row.name for row in live.seats if row.seat != taken), "name")
            validation.check_name_differs(name, _automaton_names(live.game), "name")
            if player:
                await self._check_has_no_other_seat(game, taken, player)
            salt = self._random_bytes(_SALT_BYTES)
            token = request.token(salt, taken)
            row = SeatRow(taken, PERSON, name, True, hash_token(token), _expiry(access.token_seconds, now))
            changes = [
                TakeSeat(game, row),
                *([PutPlayer(game, taken, player)] if player else ()),
                *([EndInvitation(invitation.id, game, now, taken)] if invitation is not None else ()),
                *request.changes(salt, game, [taken], now),
            ]
            try:
                live.check_sound()
                await self._handler.writer.store(
                    live, self._decide_join(live, taken, entropy), changes, partial(_set_row, live, row)
                )
            except StaleGameError:
                return await self._find_earlier(request)
            return Seated(game, {taken: token})

    def _decide_join(self, live: LiveGame, seat: int, entropy: bytes) -> list[GameEvent]:
        try:
            return live.game.join([seat], entropy, "", self._handler.clock())
        except BaseException:
            self._registry.drop(live)
            raise

    async def _find_invitation(self, game: UUID, code: str, now: int) -> InvitationRow:
        """Return the invitation with that code. Raises ``INVITATION_WRONG`` or ``INVITATION_ENDED``."""
        row = await self._registry.read(
            partial(self._registry.application.database.invitations.invitation, hash_token(code))
        )
        if row is None or row.game != game:
            raise ApiError("INVITATION_WRONG")
        if state_of(row, now) != USABLE:
            state = state_of(row, now)
            raise ApiError("INVITATION_ENDED", state=state, ended=problem(f"invitation_{state}"))
        return row

    async def reissue(
        self, game: UUID, seat: int, authorize: Callable[[LiveGame], Awaitable[None]], seconds: int = 0
    ) -> str:
        """Return a new token for a seat; ``authorize`` raises unless the caller may have it.

        The token is valid for ``seconds``, or for the time in the game's settings (0). Of simultaneous calls only one
        succeeds, also in several processes. Raises ``GAME_NOT_FOUND``, ``NO_PERSON``, ``CONTENDED`` or
        ``STORAGE_FAILED``.
        """
        self._handler.writer.check_ready()
        access = await self._registry.read_game(
            game, partial(self._registry.application.database.access.game_access, game)
        )
        seconds = seconds or (access.token_seconds if access is not None else 0)
        async with self._registry.lock(game) as live:
            if self._registry.peer_sync.is_enabled:  # another process may have replaced a token
                live.seats = await self._registry.read_game(
                    game, partial(self._registry.application.game_tables.seats, game)
                )
            await authorize(live)
            row = _row_of_person(live, seat)
            token = new_token()
            expires = _expiry(seconds, self._handler.clock())
            given = msgspec.structs.replace(row, token_hash=hash_token(token), token_expires=expires)
            change = ReplaceToken(game, seat, hash_token(token), row.token_hash, expires)
            try:
                await self._handler.changes.store_locked(live, [change], partial(_set_row, live, given))
            except StaleGameError as error:
                raise ApiError("CONTENDED") from error
            return token

    async def set_player(self, game: UUID, seat: int, player: str, authorize: Callable[[LiveGame], None]) -> None:
        """Set the platform's id of the person who has a seat, or remove it (empty).

        ``authorize`` raises unless the caller may set it. Raises ``GAME_NOT_FOUND``, ``NO_PERSON``,
        ``InvalidRequestError``, ``CONTENDED`` or ``STORAGE_FAILED``.
        """
        self._handler.writer.check_ready()
        for _ in range(_MOST_TRIES):
            async with self._registry.lock(game, fresh=True) as live:
                authorize(live)
                _row_of_person(live, seat)
                if player:
                    await self._check_has_no_other_seat(game, seat, player)
                try:
                    return await self._handler.changes.store_locked(live, [PutPlayer(game, seat, player)])
                except StaleGameError:
                    continue  # the player took another seat of the game at the same time
        raise ApiError("CONTENDED")

    async def _check_has_no_other_seat(self, game: UUID, seat: int, player: str) -> None:
        """Raise ``InvalidRequestError`` if a player has another seat of the game."""
        players = await self._registry.read_game(
            game, partial(self._registry.application.database.players.players_of, [game])
        )
        other = next((at for at, id in players.get(game, {}).items() if id == player and at != seat), 0)
        if other:
            raise invalid("player_id", "has_seat_already", seat=other)

    async def _find_earlier(self, request: _Request) -> Seated | None:
        """Return the result of an earlier request with the same id. Raises ``REQUEST_ID_REUSED``."""
        if not request.id:
            return None
        row = await self._registry.read(partial(self._registry.application.game_tables.request, request.key))
        if row is None:
            return None
        if row.content != request.content:
            raise ApiError("REQUEST_ID_REUSED")
        return Seated(row.game_id, {seat: request.token(row.salt, seat) for seat in row.seats})

    async def _find_simultaneous(self, request: _Request, error: StaleGameError) -> Seated:
        """Return the result of a simultaneous request with the same id that was stored first."""
        earlier = await self._find_earlier(request)
        if earlier is None:
            raise ApiError("STORAGE_FAILED") from error
        return earlier


class _Request:
    """An idempotent request; without an id every call is a new one."""

    def __init__(self, kind: str, id: str, content: object) -> None:
        self.id = id
        self.key = hash_token(f"{kind}:{id}")
        # Deterministic: a repeated request may contain its maps in another order.
        self.content = hashlib.sha256(msgspec.json.encode(content, order="deterministic")).digest()

    def token(self, salt: bytes, seat: int) -> str:
        return derive_token(salt, self.id, seat) if self.id else new_token()

    def changes(self, salt: bytes, game: UUID, seats: Sequence[int], time: int) -> list[Change]:
        if not self.id:
            return []
        return [NewRequest(RequestRow(self.key, self.content, salt, game, tuple(seats)), time)]


def _request_kind(kind: str, owner: GameAccess) -> str:
    """Return the kind of a request, different for each platform, so that their request ids cannot collide."""
    return f"{kind} {owner.platform}" if owner.platform else kind


def _expiry(seconds: int, now: int) -> int | None:
    """Return when a token issued now expires; ``None``: never."""
    return now + 1000 * seconds if seconds else None


def _never_cancelled() -> None:
    """Do nothing: work that runs at once is not cancelled."""


@contextmanager
def _translated_errors() -> Iterator[None]:
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
    bots = [bot.id for bot in title.meta.bots]
    known = {PERSON, AUTOMA, *(BOT + bot for bot in bots)}
    wrong = problem("bot_unknown", offered=", ".join(bots))
    unknown = {f"seats[{at}].bot": wrong for at, kind in enumerate(kinds) if kind not in known}
    if unknown:
        raise InvalidRequestError(unknown)
    return kinds


def _automaton_names(game: Game, but: int = 0) -> set[str]:
    """Return the default names, in all languages, of the seats that the rules play, except seat ``but``."""
    kinds = game.created.seats
    unnamed = [""] * len(kinds)
    called = (enumerate(seat_names(it, game.title, kinds, unnamed), 1) for it in LANGUAGES if AUTOMA in kinds)
    return {name for names in called for seat, name in names if kinds[seat - 1] == AUTOMA and seat != but}


def _find_open_seat(game: Game, seat: int) -> int:
    free = game.seats.free()
    if seat and seat > len(game.created.seats):
        raise invalid("seat", "no_such_seat", least=0, most=len(game.created.seats))
    if not free:
        raise ApiError("NO_FREE_SEAT")
    if seat and seat not in free:
        raise ApiError("SEAT_TAKEN", seat=seat)
    return seat or free[0]


def _row_of_person(live: LiveGame, seat: int) -> SeatRow:
    """Return the row of a person's seat, also while a bot plays for the person. Raises ``NO_PERSON``."""
    row = live.seats[seat - 1]
    if live.game.created.seats[seat - 1] != PERSON or not row.taken:
        raise ApiError("NO_PERSON", seat=seat)
    return row


def _set_row(live: LiveGame, row: SeatRow) -> None:
    live.seats = [row if each.seat == row.seat else each for each in live.seats]
