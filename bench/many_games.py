"""A database with very many games in its lobby, made in seconds: the rows are written directly, not played.

    python -m bench.many_games FILE GAMES [--status running] [--bots]

Each game has one short event and a right chain; nobody can play on in them, but they are listed, found and checked like
any other. What they are for is to measure what depends on how many games there are.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import msgspec

from boardkeeper.service.storage import chain
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.table.title import Setup
from boardkeeper.titles.registry import list_metas, load_title

_AT_ONCE = 10_000
_STATE = b'[0,"",1,{},[]]'
_GAME = (
    "INSERT INTO games (game_id, title, setup, commitment, create_time, update_time, version, status, decisions,"
    " standings, chain) VALUES (?,?,?,'',1,1,1,?,?,'[]',?)"
)


def fill(path: Path, games: int, *, status: str = "running", bots: bool = False) -> None:
    """Add games to a file that nobody has open, which is made if it is not there; with ``bots`` one has to decide.

    They are of the first title that there is.
    """
    title = list_metas()[0]
    setup = msgspec.json.encode(Setup(title.default_edition, 2))
    GameApplication.open(path, load_title).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        (before,) = connection.execute("SELECT coalesce(max(number), 0) FROM games").fetchone()
        for first in range(before + 1, before + games + 1, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, before + games + 1))
            connection.execute("BEGIN")
            connection.executemany(
                "INSERT INTO stored_events VALUES (?,1,'game.GameStarted',?,?)", map(_event, numbers)
            )
            decisions = b'["","draw"]' if bots else b'["draw",""]'
            connection.executemany(
                _GAME,
                ((_id(number), title.id, setup, status, decisions, _event(number)[2]) for number in numbers),
            )
            connection.executemany(
                "INSERT INTO seats (game_id, seat, kind, name, taken) VALUES (?,?,?,?,1)", _seats(numbers, bots=bots)
            )
            connection.execute("COMMIT")


def _id(number: int) -> str:
    """An id that begins otherwise than those of its neighbours."""
    return UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128)).hex


def _event(number: int) -> tuple[str, bytes, bytes]:
    id = _id(number)
    return id, _STATE, chain.link(chain.start(id), 1, "game.GameStarted", _STATE)


def _seats(numbers: range, *, bots: bool) -> Iterator[tuple[str, int, str, str]]:
    for number in numbers:
        yield _id(number), 1, "person", "Anna"
        yield _id(number), 2, "bot.random" if bots else "person", ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("games", type=int)
    parser.add_argument("--status", choices=("open", "running", "ended"), default="running")
    parser.add_argument("--bots", action="store_true", help="seat a bot in each game that has to decide")
    chosen = parser.parse_args()
    fill(chosen.file, chosen.games, status=chosen.status, bots=chosen.bots)
