"""A service in a process of its own whose clock a test sets: ``-m tests.service.clocked_process URL FOLDER NAME``.

The clock of its database is ahead by the milliseconds in ``FOLDER/NAME.ahead``, and there is no grace period. If
``FOLDER/NAME.stop`` exists, whose text is a number and a place, it declares that number of clocks expired and stops at
the next one: ``before`` anything of it is stored, while it is being stored (``during``), or ``after`` it. Then it makes
``FOLDER/NAME.stopped`` and does nothing any more, until it is killed.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn, cast
from uuid import UUID

from boardkeeper.game.seat_actions import ExpireSeat, SeatAction
from boardkeeper.service.config import Config
from boardkeeper.service.games import clock_expiry
from boardkeeper.service.games.clock_expiry import ClockExpiry
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_clock import GameClock
from boardkeeper.service.games.game_writer import GameWriter
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.server import serve
from boardkeeper.service.storage.clock_expiries import ExpiryTables

BEFORE, DURING, AFTER = "before", "during", "after"


def main(url: str, folder: Path, name: str) -> None:
    """Serve until killed; the address is printed once it serves."""
    ahead = folder / f"{name}.ahead"

    now = ExpiryTables.now

    def now_ahead(self: ExpiryTables) -> int:
        return now(self) + int(ahead.read_text())

    def tell(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    clock: Any = GameClock.__init__
    clock.__kwdefaults__["hold"] = 0
    looking: Any = ClockExpiry.__init__
    looking.__kwdefaults__["grace"] = 0
    ExpiryTables.now = now_ahead  # type: ignore[method-assign]
    clock_expiry._SEARCH_SECONDS = 0.02
    stop = folder / f"{name}.stop"
    if stop.exists():
        count, place = stop.read_text().split()
        stop_at_expiry(int(count), place, folder / f"{name}.stopped")
    configure_logging("off")
    config = Config(database=url, key_file=str(folder / "key"), listen="127.0.0.1:0", log="off")
    asyncio.run(serve(config, asyncio.Event(), tell))


def stop_at_expiry(count: int, place: str, told: Path) -> None:
    """Arrange that at the clock after so many the whole loop stops."""
    handler, writer = cast("Any", CommandHandler), cast("Any", GameWriter)
    act, append = handler.act, writer.append
    declared = 0

    def stop() -> NoReturn:
        told.touch()
        threading.Event().wait()
        raise AssertionError

    async def expiring_once(self: CommandHandler, game: UUID, seat: int, action: SeatAction, *more: Any) -> Any:
        nonlocal declared
        if not isinstance(action, ExpireSeat):
            return await act(self, game, seat, action, *more)
        if declared == count and place == BEFORE:
            stop()
        outcome = await act(self, game, seat, action, *more)
        declared += 1
        if declared == count + 1:
            stop()
        return outcome

    def appending(
        self: GameWriter,
        game: Any,
        settle: Any,
        changes: Any,
        live: Any = None,
        events: Any = (),
        *more: Any,
        **named: Any,
    ) -> Any:
        answer = append(self, game, settle, changes, live, events, *more, **named)
        if place == DURING and declared == count and events and events[0].topic == "game.TimeExpired":
            stop()
        return answer

    handler.act, writer.append = expiring_once, appending


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
