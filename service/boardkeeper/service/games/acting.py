"""Acting on games: the one way in which commands, and whatever else changes a game, become stored events.

For each game one command at a time: decide, hand over to the writer, and only after the commit let the game
count the events, tell the watchers and answer. The lock stays with the command until then, even if its
client has gone in between, because deciding has already changed the table; so readers, who take the same
lock, never see anything uncommitted. Whenever something goes wrong on that way the game is dropped from
memory and read again from the log.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from typing import TypeVar
from uuid import UUID

import structlog
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.game.giving_up import kinds_after
from boardkeeper.game.seats import PERSON
from boardkeeper.service.feed.items import told, told_of_new
from boardkeeper.service.games.game_clock import ServiceTime, wall_milliseconds
from boardkeeper.service.games.hub import Hub, Runs
from boardkeeper.service.games.live import CommittedEvent, LiveGame, asked, veiled
from boardkeeper.service.games.quotas import Quotas
from boardkeeper.service.requests.refusals import (
    ContendedError,
    GameDamagedError,
    OverloadError,
    Refusal,
    RejectedError,
    ShuttingDownError,
    StorageFailedError,
    StorageLostError,
    UnknownGameError,
    VersionConflictError,
)
from boardkeeper.service.storage.appender import OverloadedError
from boardkeeper.service.storage.changes import Change, Progress, PutSeat, RemoveGame, progress
from boardkeeper.service.storage.database import Conflict, Failed, Stored
from boardkeeper.service.storage.database import FinalOutcome as Appended
from boardkeeper.service.storage.expiries import put_expiry, readings_of
from boardkeeper.service.storage.failures import FilesLostError
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.lobby import end_of
from boardkeeper.service.storage.quotas import Spend
from boardkeeper.table.effects import Effect
from boardkeeper.table.previews import preview
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Play, Standing, Title

_T = TypeVar("_T")

_CHANCE = random.Random()  # the numbers of the module are those of the program that we run in
_TRIES = 8
NOBODYS_GAME = UUID(int=0)
_SHORTEST_WAIT = 0.002
_MOST_DOUBLINGS = 5
_PREVIEWS_AT_ONCE = 50
"""So many take a millisecond or two; then others have their turn, who find the table as it was."""
_log = structlog.get_logger()


class OvertakenError(Exception):
    """Somebody else was first with what was to be stored; nothing of it was."""


class _Question(Struct, frozen=True):
    """What a game is to decide, as :meth:`Acting._act` is asked it."""

    key: str
    expected_version: int | None
    decide: Callable[[Game, Sequence[GameEvent], int], list[GameEvent] | Rejection]
    since: Callable[[Game], Runs] | None


class Outcome:
    """What a command did: its events; ``repeated`` if an earlier call with its id did it."""

    __slots__ = ("events", "repeated", "version")

    def __init__(self, version: int, events: Sequence[CommittedEvent], *, repeated: bool = False) -> None:
        self.version = version
        self.events = events
        self.repeated = repeated

    @property
    def first_version(self) -> int:
        """The version of the first of its events."""
        return self.events[0].event.originator_version if self.events else self.version


class Acting:
    """Acts on the games of a hub. ``clock`` gives milliseconds since 1970, ``chance`` numbers in [0, 1).

    ``on_commit`` is called on the loop after each commit, ``on_news`` after each that has something new for the feed.
    """

    def __init__(
        self,
        hub: Hub,
        *,
        clock: Callable[[], int] = wall_milliseconds,
        chance: Callable[[], float] = _CHANCE.random,
    ) -> None:
        self.hub = hub
        self.clock = clock
        self.chance = chance
        self.quotas = Quotas(hub.application, clock)
        self.on_commit: Callable[[LiveGame], None] | None = None
        self.expiries_count_from = 0
        """Before this time, accept commands from seats whose clock has expired, and declare no expiry."""
        self.on_news: Callable[[], None] | None = None
        self.news = 0

    def time(self) -> ServiceTime:
        """Return the present time, and until when certainly no clock expires."""
        now = self.clock()  # first: it may notice that clocks have a grace period
        # Other processes declare expiries too, and may have no grace period.
        return ServiceTime(now, 0 if self.hub.application.database.is_shared else self.expiries_count_from)

    async def submit(
        self,
        game: UUID,
        seat: int,
        commands: Sequence[Struct],
        command_id: str,
        expected_version: int | None = None,
        *,
        by_bot: bool = False,
    ) -> Outcome:
        """Carry out a batch of commands of one seat, durably, or repeat the answer to it.

        They are a person's, who does not act for a seat that a bot plays, unless a bot gave them.

        Raises ``RejectedError``, ``VersionConflictError``, ``UnknownGameError``, ``GameDamagedError``,
        ``OverloadError``, ``StorageFailedError`` or ``ShuttingDownError``; nothing has changed then, except that after
        ``StorageFailedError`` the commit may still have happened, which repeating the command tells.
        """
        key = command_key(seat, command_id)

        def decide(it: Game, _past: Sequence[GameEvent], now: int) -> list[GameEvent] | Rejection:
            refused = None if by_bot else it.refused_to_person(seat) or self._too_late(it, seat, now)
            return refused or it.decide(seat, commands, key, now)

        return await self._act(game, key, expected_version, decide, None)

    async def request_undo(
        self, game: UUID, seat: int, command_id: str, expected_version: int | None = None
    ) -> Outcome:
        """Take back a seat's last commands, or ask the others whether it may. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)

        def since(it: Game) -> Runs:
            first = it.undo_from(seat)
            return [] if isinstance(first, Rejection) else it.in_force_since(first)

        def decide(it: Game, past: Sequence[GameEvent], now: int) -> list[GameEvent] | Rejection:
            refused = it.refused_to_person(seat) or self._too_late(it, seat, now)
            return refused or it.request_undo(seat, past, key, now)

        return await self._act(game, key, expected_version, decide, since)

    async def answer_undo(self, game: UUID, seat: int, request_version: int, consent: bool, command_id: str) -> Outcome:
        """A seat's vote on an undo that another one requested. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)

        def decide(it: Game, past: Sequence[GameEvent], now: int) -> list[GameEvent] | Rejection:
            return self._too_late(it, seat, now) or it.answer_undo(seat, request_version, consent, past, key, now)

        return await self._act(
            game,
            key,
            None,
            decide,
            lambda it: it.in_force_since(it.vote.first_version) if it.vote is not None else [],
        )

    async def hand_to_bot(self, game: UUID, seat: int, bot: str, command_id: str) -> Outcome:
        """Have a bot play a person's seat: of a kind that the title has. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)

        def decide(it: Game, _past: Sequence[GameEvent], now: int) -> list[GameEvent] | Rejection:
            return self._too_late(it, seat, now) or it.hand_to_bot(seat, bot, key, now)

        return await self._act(game, key, None, decide, None)

    async def take_back(self, game: UUID, seat: int, command_id: str) -> Outcome:
        """Have the person of a seat play it again. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)
        return await self._act(game, key, None, lambda it, _past, now: it.take_back(seat, key, now), None)

    async def resign(self, game: UUID, seat: int, command_id: str) -> Outcome:
        """A person's seat gives up; the title's best bot plays on. Raises as :meth:`submit` does."""
        key = command_key(seat, command_id)

        def decide(it: Game, _past: Sequence[GameEvent], now: int) -> list[GameEvent] | Rejection:
            return it.resign(seat, best_bot(it.title), key, now)

        return await self._act(game, key, None, decide, None)

    async def expire(self, game: UUID, seat: int, version: int) -> Outcome:
        """The time of a seat has run out at that version. Raises as :meth:`submit` does."""
        key = command_key(seat, f"time-{version}")

        def decide(it: Game, _past: Sequence[GameEvent], now: int) -> list[GameEvent] | Rejection:
            if now < self.expiries_count_from:  # a pause or a jump was noticed after the caller looked
                return Rejection("NOT_EXPIRED", "table.time_control", {"seat": str(seat)})
            return it.expire(seat, best_bot(it.title), key, now)

        return await self._act(game, key, version, decide, None)

    async def correct_expiry(self, game: UUID) -> None:
        """Store when the next clock of a game runs out, in place of what is stored, which is wrong."""
        was = await self.hub.read(partial(self.hub.application.database.expiries.expiry, game))
        live = await self.hub.locked(game, fresh=True)  # after that: whatever others do now writes something else
        expiry = put_expiry(game, readings_of(live.game), was)
        await self.change(live, [expiry] if was is not None else [], lambda: None)

    def _too_late(self, game: Game, seat: int, now: int) -> Rejection | None:
        """Whether the time of a seat has run out, be it declared yet or not."""
        is_late = game.clocks is not None and now >= self.expiries_count_from and game.clocks.is_expired(seat, now)
        return Rejection("TIME_EXPIRED", "table.time_control", {"seat": str(seat)}) if is_late else None

    async def _act(
        self,
        game: UUID,
        key: str,
        expected_version: int | None,
        decide: Callable[[Game, Sequence[GameEvent], int], list[GameEvent] | Rejection],
        since: Callable[[Game], Runs] | None,
    ) -> Outcome:
        """Let a locked game decide at the present time, and store that, unless it was done before under this key.

        ``since`` says which of the game's events deciding needs. What other processes do meanwhile leads to another
        decision, on the board as it is then; nothing is refused because of an old one.
        """
        self.check_ready()
        question = _Question(key, expected_version, decide, since)
        for attempt in range(_TRIES):
            live = await self.hub.locked(game)
            try:
                decided = await self._decided(live, question)
                if isinstance(decided, Refusal) and await self.hub.others.catch_up(live) and not live.dropped:
                    decided = await self._decided(live, question)
            except BaseException:
                live.lock.release()
                raise
            if not isinstance(decided, list):
                live.lock.release()
                if live.dropped:  # what there is here does not go on as it should: it is read anew
                    continue
                if isinstance(decided, Outcome):
                    return decided
                try:
                    raise decided
                finally:
                    del decided  # or it would hold the frame that holds it, and both the game
            try:
                return await self.store(live, decided)
            except OvertakenError:
                await self._step_back(attempt)
        raise ContendedError

    async def _decided(self, live: LiveGame, question: _Question) -> Outcome | Refusal | list[GameEvent]:
        """What is to be stored, what was done before, or why nothing is done. The lock stays with the caller."""
        candidates = live.game.seen.find(question.key)
        if candidates:
            first = await self._first_outcome(live, question.key, candidates)
            if first is not None:
                return first
        live.check_sound()
        expected = question.expected_version
        if expected is not None and expected != live.game.version:
            return VersionConflictError(expected, live.game.version)
        past = await self.hub.stored(live, question.since(live.game)) if question.since is not None else ()
        try:
            decided = question.decide(live.game, past, self.clock())
        except BaseException:
            self.hub.drop(live)  # the rules failed halfway: its table cannot be trusted any more
            raise
        if isinstance(decided, Rejection):
            return RejectedError(decided, live.game.title, live.game.created.setup.edition, live.called)
        return decided

    async def _step_back(self, attempt: int) -> None:
        """Let others go first for a moment, a longer one each time."""
        await asyncio.sleep(self.chance() * _SHORTEST_WAIT * (1 << min(attempt, _MOST_DOUBLINGS)))

    async def create(self, live: LiveGame, events: Sequence[GameEvent], changes: Sequence[Change]) -> None:
        """Store a game that nobody else knows yet and take it in.

        Raises ``OvertakenError`` for a known request, ``LimitError`` if its platform may have no more,
        ``OverloadError`` or ``StorageFailedError``.
        """
        changes = [*changes, *self.quotas.of_new_game(changes)]
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finish(appended: Appended) -> None:
            if isinstance(appended, Failed | Conflict):
                _fail(answer, live.id, _error_of(appended))
                return
            self.hub.add(live)
            if not answer.done():
                answer.set_result(None)
            self.hub.snapshots.note(live, events)
            if self.on_commit is not None:
                self.on_commit(live)

        after = _after(live.game, events)
        news = told_of_new(live.game, events, after.deciding, after.standings, self.clock())
        self._append(events, finish, [*changes, *end_of(live.game, events)], news=news)
        try:
            await answer
        except OvertakenError:
            await self.quotas.check([it for it in changes if isinstance(it, Spend)])
            raise

    async def remove(self, game: UUID) -> int:
        """Remove a game for good, and tell when it was (milliseconds since 1970); it may have been before.

        Whoever watches it is told. Raises ``UnknownGameError``, or what a command may raise.
        """
        self.check_ready()
        removed, is_known = await self.hub.read(
            lambda: (self.hub.application.companions.removed(game), self.hub.application.companions.is_known(game))
        )
        if removed is not None:
            return removed
        if not is_known:
            raise UnknownGameError(game)
        # A command that is under way is seen through first. The game is not loaded for this: it may be beyond reading.
        live = self.hub.in_memory(game)
        if live is not None:
            await live.lock.acquire()
        time = self.clock()
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def finish(appended: Appended) -> None:
            if live is not None:
                live.lock.release()
            if isinstance(appended, Failed | Conflict):
                _fail(answer, game, _error_of(appended))
                return
            self.hub.forget(game, time)
            self.quotas.game_removed()
            self._tell_of_news(1)
            if live is not None:
                self.hub.drop(live)
            if not answer.done():
                answer.set_result(time)

        try:
            self._append((), finish, [RemoveGame(game, time)])
        except BaseException:
            if live is not None:
                live.lock.release()
            raise
        try:
            return await answer
        except OvertakenError as error:
            raise ContendedError from error

    async def put(self, changes: Sequence[Change]) -> None:
        """Store what is about no game that is held; whoever has one of its games in memory has to look again.

        Raises ``ContendedError``, or what a command may raise.
        """
        self.check_ready()
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finish(appended: Appended) -> None:
            if isinstance(appended, Failed | Conflict):
                _fail(answer, NOBODYS_GAME, _error_of(appended))
            elif not answer.done():
                answer.set_result(None)

        self._append((), finish, changes)
        try:
            await answer
        except OvertakenError as error:
            raise ContendedError from error

    async def change(self, live: LiveGame, changes: Sequence[Change], apply: Callable[[], None]) -> None:
        """Store of a locked game what is no event; ``apply`` is called once that is stored.

        The lock is released in any case, and it is seen through whoever waits for it. Raises ``OvertakenError``, or
        ``StorageFailedError``; then it may have been stored all the same.
        """
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finish(appended: Appended) -> None:
            if isinstance(appended, Failed | Conflict):
                self._abandon(live)  # what is stored now is read when somebody asks for the game
                _fail(answer, live.id, _error_of(appended))
                return
            apply()
            live.lock.release()
            if not answer.done():
                answer.set_result(None)

        try:
            self._append((), finish, changes)
        except BaseException:
            live.lock.release()
            raise
        await answer

    async def join(
        self,
        live: LiveGame,
        seats: Sequence[int],
        entropy: bytes,
        changes: Sequence[Change],
        apply: Callable[[], None],
    ) -> Outcome:
        """Take seats of a locked game; ``apply`` is called once that is stored. The lock is released in any case."""
        try:
            live.check_sound()
        except GameDamagedError:
            live.lock.release()
            raise
        try:
            events = live.game.join(seats, entropy, "", self.clock())
        except BaseException:
            self._abandon(live)
            raise
        return await self.store(live, events, changes, apply)

    def check_ready(self) -> None:
        """Raises if nothing new can be stored now."""
        if self.hub.draining:
            raise ShuttingDownError
        if isinstance(self.hub.application.trouble, FilesLostError):
            raise StorageLostError
        if self.hub.application.is_full:
            raise OverloadError

    async def store(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        changes: Sequence[Change] = (),
        apply: Callable[[], None] | None = None,
    ) -> Outcome:
        """Append what a locked game decided and let it count; releases the lock.

        If the caller is cancelled while it waits, the append is seen through all the same: what follows the
        commit runs as the writer's callback, not in the caller's task.
        """
        if not events:
            live.lock.release()
            return Outcome(live.game.version, ())
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        try:
            after = _after(live.game, events)
            line = lobby_line(live.game, events, after)
            news = told(live.game, events, live.deciding, after.deciding, after.standings)
            finish = partial(self._settle, live, events, after, apply, answer)
            more = (*seat_changes(live, after), *end_of(live.game, events), *expiry_changes(live.game, events))
            self._append(events, finish, (*changes, *more), line, news)
        except BaseException:
            self._abandon(live)
            raise
        return await answer

    def _append(
        self,
        events: Sequence[GameEvent],
        finish: Callable[[Appended], None],
        changes: Sequence[Change],
        line: Progress | None = None,
        news: Sequence[FeedItem] = (),
    ) -> None:
        """Every append goes this way: the queue may have filled up since :meth:`check_ready`."""
        context = copy_context()  # so that the log says in which call it was

        def done(appended: Appended) -> None:
            context.run(finish, appended)
            if news and isinstance(appended, Stored):
                self._tell_of_news(len(news))

        try:
            self.hub.application.append(events, done, changes=changes, progress=line, news=news)
        except OverloadedError as error:
            raise OverloadError from error

    def _tell_of_news(self, count: int) -> None:
        self.news += count
        if self.on_news is not None:
            self.on_news()

    def _settle(
        self,
        live: LiveGame,
        events: Sequence[GameEvent],
        after: After,
        apply: Callable[[], None] | None,
        answer: asyncio.Future[Outcome],
        appended: Appended,
    ) -> None:
        """After the commit, or after it failed: this runs exactly once for every append."""
        try:
            if isinstance(appended, Conflict) and self.hub.others.are_possible:
                live.game.give_up(events)
                live.stale = True  # what is there in its place is read before it decides again
                live.lock.release()
                _fail(answer, live.id, OvertakenError(appended.problem))
                return
            if not isinstance(appended, Stored):
                raise _error_of(appended)
            if apply is not None:
                apply()
            outcome = Outcome(events[-1].originator_version, live.commit(events, after.deciding))
        except Exception as error:  # noqa: BLE001  # whatever it was, the lock must not stay with it
            self._abandon(live)
            _fail(answer, live.id, OvertakenError(appended.problem) if isinstance(appended, Conflict) else error)
            return
        live.lock.release()
        if not answer.done():
            answer.set_result(outcome)
        self.hub.snapshots.note(live, events)
        if self.on_commit is not None:
            self.on_commit(live)

    def _abandon(self, live: LiveGame) -> None:
        """Forget a locked game whose table may hold what is not stored."""
        self.hub.drop(live)
        live.lock.release()

    async def _first_outcome(self, live: LiveGame, key: str, candidates: Sequence[int]) -> Outcome | None:
        """The outcome of a command that was accepted before, if one of the candidates is indeed its first version."""
        for version in candidates:
            last = live.game.end_of_command(version)
            events = await self.hub.stored(live, [(version, last)])
            if events[0].command_id == key:
                return Outcome(last, veiled(live.veils, events), repeated=True)
        return None

    def check(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Whether a held game would carry out a batch of commands of a person; changes nothing."""
        live.check_sound()
        refused = live.game.refused_to_person(seat) or self._too_late(live.game, seat, self.clock())
        if refused is not None:
            return refused
        try:
            return live.game.check(seat, commands)
        except BaseException:
            self.hub.drop(live)  # the rules failed halfway: its table cannot be trusted any more
            raise

    async def previews(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> list[tuple[Effect, ...]]:
        """What each of the commands that a seat can give in a held game would change; changes nothing."""
        try:
            return await previews(live.game.play, seat, commands)
        except Exception:
            self.hub.drop(live)  # the rules failed halfway: its table cannot be trusted any more
            raise


async def previews(play: Play | None, seat: int, commands: Sequence[Struct]) -> list[tuple[Effect, ...]]:
    """What each of a seat's commands would change on a table that nobody else looks at meanwhile, and that stays so."""
    found: list[tuple[Effect, ...]] = []
    for at, command in enumerate(commands if play is not None else (), 1):
        assert play is not None
        found.append(preview(play, seat, command))
        if at % _PREVIEWS_AT_ONCE == 0:
            await asyncio.sleep(0)
    return found


def _error_of(appended: Failed | Conflict) -> Exception:
    return appended.error if isinstance(appended, Failed) else OvertakenError(appended.problem)


def _fail(answer: asyncio.Future[_T], game: UUID, error: Exception) -> None:
    """Tell whoever waits that an append failed; only a conflict is something they can act upon."""
    if not isinstance(error, OvertakenError):
        _log.error("append failed", game=str(game), error=repr(error))
    if answer.done():
        return
    match error:
        case OvertakenError():
            answer.set_exception(error)
        case FilesLostError():
            answer.set_exception(StorageLostError())
        case _:
            answer.set_exception(StorageFailedError())


def command_key(seat: int, command_id: str) -> str:
    """The name under which a command is stored: clients of different seats may choose the same ids."""
    return f"{seat}:{command_id}"


def client_command_id(key: str) -> str:
    """What the client called its command."""
    return key.partition(":")[2]


def seat_of(key: str) -> int:
    """The seat whose command it is; -2 for what is nobody's."""
    seat = key.partition(":")[0]
    return int(seat) if seat.isascii() and seat.isdecimal() else -2


class After(Struct, frozen=True):
    """How a game will stand when events are stored: who plays each seat, its status, its result, who has to decide."""

    kinds: tuple[str, ...]
    status: str
    standings: Sequence[Standing] = ()
    deciding: tuple[int, ...] = ()


def lobby_line(game: Game, events: Sequence[GameEvent], after: After) -> Progress:
    """The lobby's line for a game that is about to have these events."""
    last = events[-1]
    bots_wait = game.holds_bots(game.waiting_after(last), after.kinds)
    bot_decides = not bots_wait and bool([seat for seat in after.deciding if after.kinds[seat - 1] != PERSON])
    return progress(
        game.id,
        last.originator_version,
        last.time,
        after.status,
        game.table.decisions[1:],
        after.standings,
        bot_decides=bot_decides,
    )


def seat_changes(live: LiveGame, after: After) -> list[Change]:
    """What is to be stored of the seats of a game whose events are about to be stored: who plays them."""
    if after.kinds == live.game.kinds:
        return []
    return [
        PutSeat(live.id, replace(row, kind=kind))
        for row, kind in zip(live.seats, after.kinds, strict=True)
        if row.kind != kind
    ]


def expiry_changes(game: Game, events: Sequence[GameEvent] = ()) -> list[Change]:
    """What is to be stored of the clocks of a game that is about to have these events, if it has clocks."""
    if game.clocks is None:
        return []
    return [put_expiry(game.id, readings_of(game, events))]


def best_bot(title: Title) -> str:
    """The kind of bot of a title that plays best; empty if it has none."""
    return title.meta.bots[0].id if title.meta.bots else ""


def _after(game: Game, events: Sequence[GameEvent]) -> After:
    """How a game will stand that has had the effects of these events, which are about to be stored."""
    kinds = kinds_after(game.kinds, events)
    if type(events[-1].detail) is GameEnded:
        return After(kinds, ENDED, game.standings(events))
    return After(kinds, OPEN) if game.play is None else After(kinds, RUNNING, (), asked(game))
