"""Making games and taking seats, each idempotent by the id of the request."""

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
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Fork, Game
from boardkeeper.game.seats import AUTOMA, BOT, PERSON, seat_names
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.auth.seat_tokens import derive_token, hash_token, new_token
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_writer import StaleGameError
from boardkeeper.service.games.invitations import USABLE, invited, state_of
from boardkeeper.service.limits.long_work import GoOn, LongWork
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
_AT_ONCE = 1
_TRIES = 8
_MOST_WAITING = 32
_POSITIONS = "positions"
"""For whom positions take their turns: all of them together, beside the games that are forked."""


class SeatPlan(Struct, frozen=True):
    """Who shall have a seat: a bot of a kind, whoever joins (``open``), or the person that asks for the game.

    Where the rules play a seat, the kind of bot is ``automa``.
    """

    name: str = ""
    bot: str = ""
    open: bool = False
    entropy: bytes = b""


class GameTerms(Struct, frozen=True):
    """What is said of a new game beside what is played: whose it is, the ids of its players by seat, and its clocks.

    ``players`` are the platform's own, empty for those that it does not tell of. But for the ``time_control`` nothing
    of it goes into the events.
    """

    access: GameAccess = UNOWNED
    players: tuple[str, ...] = ()
    time_control: TimeControl | None = None

    def said(self) -> tuple[object, ...]:
        """What of it belongs to the content of a request; nothing as in requests of earlier releases."""
        access = self.access
        return (
            *(() if access.spectators is None else (access.spectators,)),
            *([self.players] if any(self.players) else ()),
            *(() if self.time_control is None else (self.time_control,)),
            *([f"token_seconds {access.token_seconds}"] if access.token_seconds else ()),
            *(["by_invitation"] if access.by_invitation else ()),
        )

    def changes(self, game: UUID) -> list[Change]:
        """How it is kept of a new game."""
        players = [PutPlayer(game, seat, player) for seat, player in enumerate(self.players, 1) if player]
        return [*owner_changes(game, self.access), *players]


NOTHING_SAID = GameTerms()


class Seated(Struct, frozen=True):
    """A game and the tokens of the seats that the request was given, by seat."""

    game: UUID
    tokens: dict[int, str]


class SeatManager:
    """Creates and joins games. ``titles`` gives a title or raises ``KeyError``."""

    def __init__(
        self,
        handler: CommandHandler,
        titles: TitleLookup,
        server_build: str,
        *,
        new_id: Callable[[], UUID] = uuid.uuid4,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        server_key: str = "",
        room_for_bots: Callable[[UUID], AbstractContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        """A game of bots alone is made within ``room_for_bots``, which may refuse it.

        ``server_key`` is the id of the key that signs the records of the games.
        """
        self._handler = handler
        self._registry = handler.registry
        self._titles = titles
        self._server_build = server_build
        self._new_id = new_id
        self._random_bytes = random_bytes
        self._server_key = server_key
        self._room_for_bots = room_for_bots
        self._work = LongWork(self._registry.application, _AT_ONCE, _MOST_WAITING)

    async def create(
        self,
        title_id: str,
        setup: Setup,
        plans: Sequence[SeatPlan],
        request_id: str,
        position: Callable[[], VisibleTable] | None = None,
        terms: GameTerms = NOTHING_SAID,
    ) -> Seated:
        """Make a game, from a position if there is one; one seat is a game against the rules, if the title has it.

        Reading a position and checking it takes tenths of a second if somebody wants it to, so ``position`` is called
        in a reader thread, and its table is checked there too.

        Raises ``InvalidRequestError``, ``TITLE_NOT_FOUND``, ``SEAT_PLAYED_BY_RULES``, ``SEAT_NOT_PLAYED_BY_RULES``,
        ``NOBODY_TO_PLAY_AGAINST``, ``REQUEST_ID_REUSED`` or ``OVERLOADED``, and what ``position`` raises.
        """
        self._handler.writer.check_ready()

        def understood(_: GoOn) -> tuple[VisibleTable | None, _Request]:
            table = position() if position is not None else None
            return table, _Request(
                _by("create", terms.access), request_id, (title_id, setup, tuple(plans), table, *terms.said())
            )

        table, request = await self._do(_POSITIONS if position is not None else None, understood)
        seen = await self._seen(request)
        if seen is not None:
            return seen
        id = self._new_id()
        with self._room(id, plans):
            return await self._make(id, request, title_id, setup, plans, terms, position=table)

    async def fork(
        self,
        game: UUID,
        version: int | None,
        viewer: int,
        plans: Sequence[SeatPlan],
        request_id: str,
        terms: GameTerms = NOTHING_SAID,
    ) -> Seated:
        """Make a game from another one's table as a viewer knows it, at a version or at present (``None``).

        Raises ``GAME_NOT_FOUND``, ``VERSION_OUT_OF_RANGE``, ``RejectedError``, ``InvalidRequestError``,
        ``SEAT_PLAYED_BY_RULES``, ``SEAT_NOT_PLAYED_BY_RULES`` or ``REQUEST_ID_REUSED``.
        """
        self._handler.writer.check_ready()
        content = (version, viewer, tuple(plans), *terms.said())
        request = _Request(_by(f"fork {game}", terms.access), request_id, content)
        seen = await self._seen(request)
        if seen is not None:
            return seen
        present = (await self._registry.get(game)).game.version
        past = await self._registry.load_fork_point(game, present if version is None else version)
        setup = past.created.setup
        with _translated_errors():
            add_automata(past.title, past.title.meta.with_legacy_choices(setup), _kinds(past.title, plans))
        chance = self._random_bytes(SECRET_BYTES)
        fork = await self._work.do(game, lambda _: past.fork(viewer, chance))
        if isinstance(fork, Rejection):
            raise RejectedError(fork, past.title, setup.edition)
        id = self._new_id()
        with self._room(id, plans):
            return await self._make(id, request, past.created.title, setup, plans, terms, fork=fork)

    async def _do(self, given_by: Hashable | None, function: Callable[[GoOn], _T]) -> _T:
        """Carry out what has a table at hand that somebody gave, in a reader thread; and at once if nobody did."""
        return function(_go_on) if given_by is None else await self._work.do(given_by, function)

    def _room(self, game: UUID, plans: Sequence[SeatPlan]) -> AbstractContextManager[None]:
        return self._room_for_bots(game) if all(plan.bot for plan in plans) else nullcontext()

    async def _make(
        self,
        id: UUID,
        request: _Request,
        title_id: str,
        setup: Setup,
        plans: Sequence[SeatPlan],
        terms: GameTerms,
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
        asked_for = _kinds(title, plans)
        build, key, control = self._server_build, self._server_key, terms.time_control

        def begun(_: GoOn) -> tuple[Game, list[GameEvent]]:
            with _translated_errors():
                return Game.create(id, title, setup, asked_for, secret, build, "", now, position, fork, key, control)

        given_by = fork.game if fork is not None else _POSITIONS if position is not None else None
        game, events = await self._do(given_by, begun)
        game.commit(events)
        kinds = game.created.seats
        plans = [*plans, *(SeatPlan(bot=kind.removeprefix(BOT)) for kind in kinds[len(plans) :])]
        for seat, plan in enumerate(plans, 1):
            validation.check_name_differs(plan.name, _called_by_the_rules(game, seat), f"seats[{seat - 1}].name")
            if not (plan.bot or plan.open):
                joined = game.join([seat], plan.entropy, "", now)
                game.commit(joined)
                events += joined

        salt = self._random_bytes(_SALT_BYTES)
        expires = _expiry(terms.access.token_seconds, now)
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
        new: list[Change] = [NewGame(build_lobby_row(game, events, rows), secret), *terms.changes(game.id)]
        changes = [*new, *request.changes(salt, game.id, given, now)]
        live = LiveGame(game, rows, VisibilityHistory(events))
        try:
            await self._handler.changes.create(live, events, changes)
        except StaleGameError as error:
            return await self._overtaken(request, error)
        return Seated(game.id, tokens)

    async def join(
        self, game: UUID, seat: int, name: str, entropy: bytes, request_id: str, player: str = "", invitation: str = ""
    ) -> Seated:
        """Take an open seat, or any (0). Raises ``GAME_NOT_FOUND``, ``REQUEST_ID_REUSED`` or ``ApiError``.

        ``player`` is the platform's id of who joins; ``invitation`` is the code of one.
        """
        self._handler.writer.check_ready()
        more = (*([player] if player else ()), *([hash_token(invitation)] if invitation else ()))
        request = _Request(f"join {game}", request_id, (seat, name, entropy, *more))
        for _ in range(_TRIES):
            seated = await self._join(game, seat, name, entropy, player, request, invitation)
            if seated is not None:
                return seated
        raise ApiError("CONTENDED")

    async def _join(
        self, game: UUID, seat: int, name: str, entropy: bytes, player: str, request: _Request, code: str
    ) -> Seated | None:
        """One try; ``None`` if another process went on with the game meanwhile."""
        access = await self._registry.read_game(
            game, partial(self._registry.application.database.access.game_access, game)
        )
        access = access or UNOWNED
        async with self._registry.lock(game) as live:
            await self._registry.peer_sync.catch_up(live)
            if live.is_dropped:
                return None
            # With the lock held: if a request comes twice at once, the second finds what the first has done.
            seen = await self._seen(request)
            if seen is not None:
                return seen
            now = self._handler.clock()
            invitation = None
            if code:
                invitation = await self._invitation(game, code, now)
                seat, player = invited(invitation, seat, player)
            elif access.by_invitation:
                raise ApiError("INVITATION_MISSING")
            taken = _free_seat(live.game, seat)
            validation.check_name_differs(name, (row.name for row in live.seats if row.seat != taken), "name")
            validation.check_name_differs(name, _called_by_the_rules(live.game), "name")
            if player:
                await self._check_alone(game, taken, player)
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
                return await self._seen(request)
            return Seated(game, {taken: token})

    def _decide_join(self, live: LiveGame, seat: int, entropy: bytes) -> list[GameEvent]:
        try:
            return live.game.join([seat], entropy, "", self._handler.clock())
        except BaseException:
            self._registry.drop(live)
            raise

    async def _invitation(self, game: UUID, code: str, now: int) -> InvitationRow:
        """The invitation with that code; raises unless it can be used in the game."""
        row = await self._registry.read(
            partial(self._registry.application.database.invitations.invitation, hash_token(code))
        )
        if row is None or row.game != game:
            raise ApiError("INVITATION_WRONG")
        if state_of(row, now) != USABLE:
            state = state_of(row, now)
            raise ApiError("INVITATION_ENDED", state=state, ended=problem(f"invitation_{state}"))
        return row

    async def reissue(self, game: UUID, seat: int, may: Callable[[LiveGame], Awaitable[None]], seconds: int = 0) -> str:
        """Give a seat another token; ``may`` raises unless the caller may have it.

        It holds so many seconds, or as long as the game says. Of several at once, in whatever processes, one is
        answered. Raises ``GAME_NOT_FOUND``, ``NO_PERSON``, ``CONTENDED`` or ``STORAGE_FAILED``.
        """
        self._handler.writer.check_ready()
        access = await self._registry.read_game(
            game, partial(self._registry.application.database.access.game_access, game)
        )
        seconds = seconds or (access.token_seconds if access is not None else 0)
        async with self._registry.lock(game) as live:
            if self._registry.peer_sync.is_enabled:  # whose tokens may have been replaced elsewhere
                live.seats = await self._registry.read_game(
                    game, partial(self._registry.application.game_tables.seats, game)
                )
            await may(live)
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

    async def set_player(self, game: UUID, seat: int, player: str, may: Callable[[LiveGame], None]) -> None:
        """Say who has a seat that a person has, by the platform's id; empty: nobody that it tells of.

        ``may`` raises unless the caller may say it. Raises ``GAME_NOT_FOUND``, ``NO_PERSON``,
        ``InvalidRequestError``, ``CONTENDED`` or ``STORAGE_FAILED``.
        """
        self._handler.writer.check_ready()
        for _ in range(_TRIES):
            async with self._registry.lock(game, fresh=True) as live:
                may(live)
                _row_of_person(live, seat)
                if player:
                    await self._check_alone(game, seat, player)
                try:
                    return await self._handler.changes.store_locked(live, [PutPlayer(game, seat, player)])
                except StaleGameError:
                    continue  # the player took another seat of the game at the same time
        raise ApiError("CONTENDED")

    async def _check_alone(self, game: UUID, seat: int, player: str) -> None:
        """Raises ``InvalidRequestError`` if a player has another seat of the game."""
        players = await self._registry.read_game(
            game, partial(self._registry.application.database.players.players_of, [game])
        )
        other = next((at for at, id in players.get(game, {}).items() if id == player and at != seat), 0)
        if other:
            raise invalid("player_id", "has_seat_already", seat=other)

    async def _seen(self, request: _Request) -> Seated | None:
        """What the request did when it came the first time. Raises ``REQUEST_ID_REUSED``."""
        if not request.id:
            return None
        row = await self._registry.read(partial(self._registry.application.game_tables.request, request.key))
        if row is None:
            return None
        if row.content != request.content:
            raise ApiError("REQUEST_ID_REUSED")
        return Seated(row.game_id, {seat: request.token(row.salt, seat) for seat in row.seats})

    async def _overtaken(self, request: _Request, error: StaleGameError) -> Seated:
        """The same request came twice at once, and the other one was first."""
        seen = await self._seen(request)
        if seen is None:
            raise ApiError("STORAGE_FAILED") from error
        return seen


class _Request:
    """An idempotent request; without an id every call is a new one."""

    def __init__(self, kind: str, id: str, content: object) -> None:
        self.id = id
        self.key = hash_token(f"{kind}:{id}")
        # A map goes over the wire in any order, also when the same request is sent again.
        self.content = hashlib.sha256(msgspec.json.encode(content, order="deterministic")).digest()

    def token(self, salt: bytes, seat: int) -> str:
        return derive_token(salt, self.id, seat) if self.id else new_token()

    def changes(self, salt: bytes, game: UUID, seats: Sequence[int], time: int) -> list[Change]:
        if not self.id:
            return []
        return [NewRequest(RequestRow(self.key, self.content, salt, game, tuple(seats)), time)]


def _by(kind: str, owner: GameAccess) -> str:
    """Platforms do not get in each other's way with the ids of their requests."""
    return f"{kind} {owner.platform}" if owner.platform else kind


def _expiry(seconds: int, now: int) -> int | None:
    """Until when a token holds that is given now; ``None``: for ever."""
    return now + 1000 * seconds if seconds else None


def _go_on() -> None:
    """What is done at once is not given up."""


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Raise ``InvalidRequestError`` for what is wrong with a new game."""
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
    """Who is to play each seat, as a game writes it down; raises ``InvalidRequestError`` for an unknown bot."""
    kinds = [BOT + plan.bot if plan.bot else PERSON for plan in plans]
    bots = [bot.id for bot in title.meta.bots]
    known = {PERSON, AUTOMA, *(BOT + bot for bot in bots)}
    wrong = problem("bot_unknown", offered=", ".join(bots))
    unknown = {f"seats[{at}].bot": wrong for at, kind in enumerate(kinds) if kind not in known}
    if unknown:
        raise InvalidRequestError(unknown)
    return kinds


def _called_by_the_rules(game: Game, but: int = 0) -> set[str]:
    """What the seats that the rules play are called without a name, in every language; but for one seat."""
    kinds = game.created.seats
    unnamed = [""] * len(kinds)
    called = (enumerate(seat_names(it, game.title, kinds, unnamed), 1) for it in LANGUAGES if AUTOMA in kinds)
    return {name for names in called for seat, name in names if kinds[seat - 1] == AUTOMA and seat != but}


def _free_seat(game: Game, seat: int) -> int:
    free = game.free_seats()
    if seat and seat > len(game.created.seats):
        raise invalid("seat", "no_such_seat", least=0, most=len(game.created.seats))
    if not free:
        raise ApiError("NO_FREE_SEAT")
    if seat and seat not in free:
        raise ApiError("SEAT_TAKEN", seat=seat)
    return seat or free[0]


def _row_of_person(live: LiveGame, seat: int) -> SeatRow:
    """Return the row of a seat that a person has, also if a bot plays for the person now. Raises ``NO_PERSON``."""
    row = live.seats[seat - 1]
    if live.game.created.seats[seat - 1] != PERSON or not row.taken:
        raise ApiError("NO_PERSON", seat=seat)
    return row


def _set_row(live: LiveGame, row: SeatRow) -> None:
    live.seats = [row if each.seat == row.seat else each for each in live.seats]
