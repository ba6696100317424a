"""Handles the actions of seats: decides each action and stores its events, or raises its error.

A game carries out one action at a time. The action holds the game's lock until its events are committed, even if its
client has disconnected, because deciding has already changed the table. Readers take the same lock, so they never see
uncommitted changes. After a failure the game is dropped from memory and read again from the log.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from uuid import UUID

from boardkeeper.game.seat_actions import SeatAction
from boardkeeper.service.cache.committed_events import make_command_key
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.games.decider import Decider
from boardkeeper.service.games.game_changes import GameChanges
from boardkeeper.service.games.game_writer import GameWriter, Outcome, StaleGameError
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.wall_clock import wall_milliseconds

_RANDOM = random.Random()  # a private generator: the module-level one belongs to the host program
_MAX_TRIES = 8
_FIRST_BACK_OFF_SECONDS = 0.002
_MAX_DOUBLINGS = 5


class CommandHandler:
    """Carries out the actions of seats in the games of a registry.

    ``clock`` returns milliseconds since 1970, ``random_number`` numbers in [0, 1).
    """

    def __init__(
        self,
        registry: GameRegistry,
        *,
        clock: Callable[[], int] = wall_milliseconds,
        random_number: Callable[[], float] = _RANDOM.random,
    ) -> None:
        self.registry = registry
        self.clock = clock
        self.writer = GameWriter(registry)
        self.decider = Decider(registry, clock)
        self.changes = GameChanges(registry, self.writer, clock)
        self._random_number = random_number

    async def act(
        self,
        game: UUID,
        seat: int,
        action: SeatAction,
        command_id: str,
        expected_version: int | None = None,
    ) -> Outcome:
        """Carry out and store an action of a seat, or return the outcome that it had before under this id.

        If another process stores events of the game first, the action is decided again on the new board. Raises
        ``RejectedError``, ``VERSION_CONFLICT``, ``GAME_NOT_FOUND``, ``GAME_DAMAGED``, ``OVERLOADED``, ``CONTENDED``,
        ``STORAGE_FAILED`` or ``SHUTTING_DOWN``. Nothing has changed then, except that after ``STORAGE_FAILED`` the
        commit may still have happened: repeat the action to find out.
        """
        self.writer.check_ready()
        key = make_command_key(seat, command_id)
        registry, decider = self.registry, self.decider
        for attempt in range(_MAX_TRIES):
            async with registry.lock(game) as live:
                decided = await decider.decide(live, seat, action, key, expected_version)
                # The error may be due to an outdated board.
                if isinstance(decided, ApiError) and await registry.peer_sync.catch_up(live) and not live.is_dropped:
                    decided = await decider.decide(live, seat, action, key, expected_version)
                if isinstance(decided, list):
                    try:
                        return await self.writer.store(live, decided)
                    except StaleGameError:
                        await self._back_off(attempt)
                        continue
            if live.is_dropped:  # our copy is inconsistent with the stored events: reload it
                continue
            if isinstance(decided, Outcome):
                return decided
            try:
                raise decided
            finally:
                del decided  # break the cycle between the error and this frame, which refers to the game
        raise ApiError("CONTENDED")

    async def _back_off(self, attempt: int) -> None:
        """Sleep with exponential back-off and jitter."""
        await asyncio.sleep(self._random_number() * _FIRST_BACK_OFF_SECONDS * (1 << min(attempt, _MAX_DOUBLINGS)))
