"""Changes of games other than actions of seats: creation, removal, and rows that are not events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from uuid import UUID

from boardkeeper.game.events import GameEvent
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.game_writer import GameWriter, StaleGameError, check_stored
from boardkeeper.service.games.projections import project_new
from boardkeeper.service.games.quotas import Quotas
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.changes import RemoveGame
from boardkeeper.service.storage.clock_expiries import put_expiry, read_clocks
from boardkeeper.service.storage.invitations import EraseInvitations
from boardkeeper.service.storage.players import ErasePlayer
from boardkeeper.service.storage.quotas import SpendQuota
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.writer import FinalOutcome

_NO_GAME = UUID(int=0)
_ERASED_PER_CHANGE = 100


class GameChanges:
    """Creates, changes and removes games. ``clock`` returns milliseconds since 1970."""

    def __init__(self, registry: GameRegistry, writer: GameWriter, clock: Callable[[], int]) -> None:
        self._registry = registry
        self._writer = writer
        self._clock = clock
        self.quotas = Quotas(registry.application, clock)

    async def create(self, live: LiveGame, events: Sequence[GameEvent], changes: Sequence[Change]) -> None:
        """Store a new game with all its events, and add it to the games in memory.

        Raises ``StaleGameError`` if the request was already carried out, ``LimitError`` if a quota of its platform
        is used up, ``OVERLOADED`` or ``STORAGE_FAILED``.
        """

        def finish(result: FinalOutcome) -> None:
            check_stored(result)
            self._registry.add(live)

        changes = [*changes, *self.quotas.new_game_spends(changes)]
        derived, items = project_new(live.game, events, self._clock())
        try:
            await self._writer.append(live.id, finish, [*changes, *derived], live, events, items=items)
        except StaleGameError:
            await self.quotas.check([it for it in changes if isinstance(it, SpendQuota)])
            raise

    async def store_locked(
        self, live: LiveGame, changes: Sequence[Change], apply: Callable[[], None] = lambda: None
    ) -> None:
        """Store changes of a locked game that are not events; ``apply`` is called after the commit.

        This releases the lock and is completed even if the caller is cancelled. Raises ``StaleGameError``, or
        ``STORAGE_FAILED``; the changes may still be stored after this error.
        """

        def finish(result: FinalOutcome) -> None:
            try:
                check_stored(result)
            except Exception:
                self._writer.abandon(live)  # the next reader loads what is stored now
                raise
            apply()
            live.lock.release()

        live.keep_locked()
        try:
            future = self._writer.append(live.id, finish, changes)
        except BaseException:
            live.lock.release()
            raise
        await future

    async def store(self, changes: Sequence[Change]) -> None:
        """Store changes of games that are not locked. The caller must reload copies of these games in memory.

        Raises ``CONTENDED``, or the errors of an action.
        """
        self._writer.check_ready()
        try:
            await self._writer.append(_NO_GAME, check_stored, changes)
        except StaleGameError as error:
            raise ApiError("CONTENDED") from error

    async def erase_player(self, platform: str, player: str) -> tuple[int, int]:
        """Erase the ids, names, tokens and invitations of a player; return the numbers of seats and invitations.

        Seats are erased in several transactions: after an error or an interruption, erase the player again. Raises
        ``STORAGE_FAILED``, or the errors of an action.
        """
        registry = self._registry
        database = registry.application.database
        find = partial(database.players.seats_of_player, platform, player, _ERASED_PER_CHANGE)
        invitations = await registry.read(partial(database.invitations.count_for, platform, player))
        await self.store([EraseInvitations(platform, player, self._clock())])
        erased = 0
        while seats := await registry.read(find):
            await self.store([ErasePlayer(game, seat, platform, player) for game, seat in seats])
            erased += len(seats)
            for game, _ in seats:
                with suppress(ApiError):  # a removed or unreadable game has no names in memory
                    await registry.reload_seats_if_loaded(game)
        return erased, invitations

    async def correct_stored_expiry(self, game: UUID) -> None:
        """Store when the next clock of a game expires, in place of a stored time that is wrong."""
        stored = await self._registry.read(partial(self._registry.application.database.expiries.expiry, game))
        # Lock afterwards: if another process writes another time in between, the change conflicts with it.
        async with self._registry.lock(game, fresh=True) as live:
            expiry = put_expiry(game, read_clocks(live.game), stored)
            await self.store_locked(live, [expiry] if stored is not None else [])

    async def remove(self, game: UUID) -> int:
        """Remove a game permanently and return the time of its removal (milliseconds since 1970), which can be earlier.

        The server notifies the watchers of the game. Raises ``GAME_NOT_FOUND``, or the errors of an action.
        """
        self._writer.check_ready()
        tables = self._registry.application.game_tables
        removed, is_known = await self._registry.read(lambda: (tables.removal_time(game), tables.is_known(game)))
        if removed is not None:
            return removed
        if not is_known:
            raise ApiError("GAME_NOT_FOUND", game=game)
        # Wait for an action that is being carried out, but do not load the game: it may be too damaged to read.
        live = self._registry.peek(game)
        if live is not None:
            await live.lock.acquire()
        time = self._clock()

        def finish(result: FinalOutcome) -> int:
            if live is not None:
                live.lock.release()
            check_stored(result)
            self._registry.forget_removed(game, time)
            self.quotas.forget_exhausted()
            self._writer.count_feed_items(1)
            if live is not None:
                self._registry.drop(live)
            return time

        try:
            future = self._writer.append(game, finish, [RemoveGame(game, time)])
        except BaseException:
            if live is not None:
                live.lock.release()
            raise
        try:
            return await future
        except StaleGameError as error:
            raise ApiError("CONTENDED") from error
