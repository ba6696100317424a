"""A server listens only when it is ready: the first call does not have to load shared data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, sys
from boardkeeper.game.events import GAME_EVENTS
from boardkeeper.service.process.front import Front
from boardkeeper.service.process.server import Service
from boardkeeper.service.config import Config
from boardkeeper.service.requests import errors
from boardkeeper.titles import registry
from boardkeeper.wire import messages
from boardkeeper.wire.plans import field_name

bound = []
bind = Front.bind

def bind_when_ready(*arguments):
    bound.append({
        "titles": registry._load_own_title.cache_info().currsize,
        "modules": {name for name in sys.modules if name.startswith("boardkeeper.")},
        "wire": [it.planned for it in (messages._COMMANDS, messages._BOARDS, messages._DETAILS)],
        "effects": messages._effects.cache_info().currsize,
    })
    return bind(*arguments)

Front.bind = bind_when_ready

async def main():
    service = Service(Config(database=sys.argv[1], listen="127.0.0.1:0", log="off", grace_seconds=0.0))
    await service.start()
    known = set(service._application.events_mapper._known)
    (ready,) = bound
    titles = set(registry.TITLES)
    assert ready["titles"] == len(titles)
    assert ready["wire"] == [titles, titles, titles | {field_name(event) for event in GAME_EVENTS}]
    assert ready["effects"] == 1
    assert {f"game.{event.__name__}" for event in GAME_EVENTS} < known
    for title in titles:
        assert {f"{title}.{name}" for name in registry.load_title(title).events} < known
    later = {name for name in sys.modules if name.startswith("boardkeeper.")} - ready["modules"]
    assert not later, later
    while not errors.problems.cache_info().currsize:
        await asyncio.sleep(0.01)
    assert errors.entries.cache_info().currsize == 1
    await service.stop()

asyncio.run(main())
"""


def test_everything_is_loaded_before_the_server_listens(tmp_path: Path) -> None:
    """In a new interpreter, where nothing is loaded yet."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "games.db")], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
