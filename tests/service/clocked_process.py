"""A server process whose clock a test sets: ``python -m tests.service.clocked_process URL FOLDER NAME``.

The clock of its database is ahead by the milliseconds in ``FOLDER/NAME.ahead``, and there is no grace period.
``FOLDER/NAME.stop`` optionally contains a number N and a place. Then the server stores N expired clocks and stops at
the next one: ``before`` it is stored, ``during`` the write, or ``after`` it. There it creates ``FOLDER/NAME.stopped``
and hangs until it is killed.
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
    """Serve until killed. Prints the address once the server is ready."""
    ahead = folder / f"{name}.ahead"

    now = ExpiryTables.now

    def now_ahead(self: ExpiryTables) -> int:
        return now(self) + int(ahead.read_text())

    def print_address(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    clock: Any = GameClock.__init__
    clock.__kwdefaults__["hold"] = 0
    expiry: Any = ClockExpiry.__init__
    expiry.__kwdefaults__["grace"] = 0
    ExpiryTables.now = now_ahead  # type: ignore[method-assign]
    clock_expiry._SEARCH_SECONDS = 0.02
    stop = folder / f"{name}.stop"
    if stop.exists():
        count, place = stop.read_text().split()
        stop_at_expiry(int(count), place, folder / f"{name}.stopped")
    configure_logging("off")
    config = Config(database=url, key_file=str(folder / "key"), listen="127.0.0.1:0", log="off")
    asyncio.run(serve(config, asyncio.Event(), print_address))


def stop_at_expiry(count: int, place: str, stopped: Path) -> None:
    """Block the whole loop at the expiry after ``count`` expiries."""
    handler, writer = cast("Any", CommandHandler), cast("Any", GameWriter)
    act, append = handler.act, writer.append
    expired = 0

    def stop() -> NoReturn:
        stopped.touch()
        threading.Event().wait()
        raise AssertionError

    async def act_or_stop(self: CommandHandler, game: UUID, seat: int, action: SeatAction, *more: Any) -> Any:
        nonlocal expired
        if not isinstance(action, ExpireSeat):
            return await act(self, game, seat, action, *more)
        if expired == count and place == BEFORE:
            stop()
        outcome = await act(self, game, seat, action, *more)
        expired += 1
        if expired == count + 1:
            stop()
        return outcome

    def append_or_stop(
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
        if place == DURING and expired == count and events and events[0].topic == "game.TimeExpired":
            stop()
        return answer

    handler.act, writer.append = act_or_stop, append_or_stop


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
