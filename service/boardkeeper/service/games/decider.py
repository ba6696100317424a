"""Decides the actions of seats by the rules of a locked game, and previews the effects of commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.game.seat_actions import SeatAction, decide, needed_versions, rejection_for_person
from boardkeeper.service.cache.committed_events import to_committed
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.games.game_writer import Outcome
from boardkeeper.service.requests.errors import ApiError, RejectedError
from boardkeeper.table.effects import Effect
from boardkeeper.table.rejections import Rejection
from boardkeeper.titlekit.previews import preview
from boardkeeper.titlekit.title import Play

_PREVIEWS_AT_ONCE = 50
"""Yield to the event loop after this many previews (about 2 ms)."""


class Decider:
    """Calls the rules of locked games. A game whose rules fail is dropped, because its table cannot be trusted.

    ``clock`` returns milliseconds since 1970.
    """

    def __init__(self, registry: GameRegistry, clock: Callable[[], int]) -> None:
        self._registry = registry
        self._clock = clock
        self.grace_until = 0
        """Before this time, accept actions of seats whose clock has expired, and declare no expiry."""

    def current_time(self) -> ServiceTime:
        """Return the present time, and the time before which certainly no clock expires."""
        now = self._clock()  # first: it may begin a grace period
        # Other processes declare expiries too, and may have no grace period.
        return ServiceTime(now, 0 if self._registry.application.database.is_shared else self.grace_until)

    async def decide(
        self, live: LiveGame, seat: int, action: SeatAction, key: str, expected_version: int | None
    ) -> Outcome | ApiError | list[GameEvent]:
        """Step 5: return the events to store, the outcome of an earlier call, or the error for the caller.

        The caller keeps the lock.
        """
        game = live.game
        candidates = game.seen.find(key)
        if candidates:
            first = await self._find_first_outcome(live, key, candidates)
            if first is not None:
                return first
        live.check_sound()
        if expected_version is not None and expected_version != game.version:
            return ApiError("VERSION_CONFLICT", expected=expected_version, version=game.version)
        versions = needed_versions(game, seat, action)
        past = await self._registry.read_stored(live, versions) if versions else ()
        try:
            decided = decide(game, seat, action, past, key, self._clock(), self.grace_until)
        except BaseException:
            self._registry.drop(live)
            raise
        if isinstance(decided, Rejection):
            return RejectedError(decided, game.title, game.created.setup.edition, live.seat_names)
        return decided

    async def _find_first_outcome(self, live: LiveGame, key: str, candidates: Sequence[int]) -> Outcome | None:
        """Return the outcome of an earlier call; ``candidates`` are versions at which its events may begin."""
        for version in candidates:
            last = live.game.end_of_command(version)
            events = await self._registry.read_stored(live, [(version, last)])
            if events[0].command_id == key:
                return Outcome(live, last, to_committed(live.visibility_history, events), repeated=True)
        return None

    def find_rejection(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> Rejection | None:
        """Return why a locked game would reject a person's batch of commands, if it would; changes nothing."""
        live.check_sound()
        rejection = rejection_for_person(live.game, seat, self._clock(), self.grace_until)
        if rejection is not None:
            return rejection
        try:
            return live.game.check(seat, commands)
        except BaseException:
            self._registry.drop(live)
            raise

    async def previews(self, live: LiveGame, seat: int, commands: Sequence[Struct]) -> list[tuple[Effect, ...]]:
        """Return the effects that each of a seat's legal commands would have in a locked game; changes nothing."""
        try:
            return await previews(live.game.play, seat, commands)
        except Exception:
            self._registry.drop(live)
            raise


async def previews(play: Play | None, seat: int, commands: Sequence[Struct]) -> list[tuple[Effect, ...]]:
    """Return the effects that each of a seat's commands would have. No other code may use the table during the call."""
    if play is None:
        return []
    found: list[tuple[Effect, ...]] = []
    for count, command in enumerate(commands, 1):
        found.append(preview(play, seat, command))
        if count % _PREVIEWS_AT_ONCE == 0:
            await asyncio.sleep(0)
    return found
