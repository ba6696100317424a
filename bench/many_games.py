"""Create a database with very many games in its lobby in seconds, by writing rows directly.

    python -m bench.many_games DATABASE GAMES [--status running] [--bots]

DATABASE is a file, or the URL of a PostgreSQL database.

Each game has one short event and a valid chain. Such games cannot be played, but are listed, found and checked like
any other. They serve to measure costs that depend on the number of games.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import LiteralString
from uuid import UUID

import msgspec

from boardkeeper.service.storage import chain
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database_urls import is_postgres
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import list_metas, load_title

_AT_ONCE = 10_000
_STATE = b'[0,"",1,{},[]]'
_GAME = (
    "INSERT INTO games (game, title, setup, commitment, create_time, update_time, version, status, decisions,"
    " standings, chain) VALUES (?,?,?,'',1,1,1,?,?,'[]',?)"
)


def fill(
    database: Path | str, games: int, *, status: str = "running", bots: bool = False, key_file: str | Path = ""
) -> None:
    """Add games of the first title to a database that no process has open; a missing file is created.

    With ``bots``, a bot has to decide in each game. A PostgreSQL database must have no games and needs a ``key_file``.
    """
    title = list_metas()[0]
    setup = msgspec.json.encode(Setup(title.default_edition, 2))
    GameApplication.open(database, load_title, key_file=key_file).close()
    decisions = b'["","draw"]' if bots else b'["draw",""]'
    if isinstance(database, str) and is_postgres(database):
        _fill_postgres(database, range(1, games + 1), title.id, setup, status, decisions, bots=bots)
        return
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        (before,) = connection.execute("SELECT coalesce(max(number), 0) FROM games").fetchone()
        for first in range(before + 1, before + games + 1, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, before + games + 1))
            connection.execute("BEGIN")
            connection.executemany(
                "INSERT INTO stored_events VALUES (?,1,'game.GameStarted',?,?)", map(_event, numbers)
            )
            connection.executemany(
                _GAME,
                ((_id(number), title.id, setup, status, decisions, _event(number)[2]) for number in numbers),
            )
            connection.executemany(
                "INSERT INTO seats (game, seat, kind, name, taken) VALUES (?,?,?,?,1)", _seats(numbers, bots=bots)
            )
            connection.execute("COMMIT")


def _fill_postgres(
    url: str, numbers: range, title: str, setup: bytes, status: str, decisions: bytes, *, bots: bool
) -> None:
    import psycopg  # noqa: PLC0415  # of an extra

    tables: dict[LiteralString, Iterable[tuple[object, ...]]] = {
        "events (game, version, topic, state, link)": (
            (UUID(id), 1, "game.GameStarted", state, link) for id, state, link in map(_event, numbers)
        ),
        "games (game, title, setup, commitment, create_time, status)": (
            (UUID(_id(number)), title, setup, "", 1, status) for number in numbers
        ),
        "progress (game, version, chain, time, status, decisions, bot_decides)": (
            (UUID(id), 1, link, 1, status, decisions, bots) for id, _, link in map(_event, numbers)
        ),
        "seats (game, seat, kind, name, taken)": (
            (UUID(id), seat, kind, name, True) for id, seat, kind, name in _seats(numbers, bots=bots)
        ),
    }
    with psycopg.connect(url) as connection:
        for table, rows in tables.items():
            with connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def _id(number: int) -> str:
    """Return an id whose beginning differs from those of its neighbours."""
    return UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128)).hex


def _event(number: int) -> tuple[str, bytes, bytes]:
    id = _id(number)
    return id, _STATE, chain.next_link(chain.initial_link(id), 1, "game.GameStarted", _STATE)


def _seats(numbers: range, *, bots: bool) -> Iterator[tuple[str, int, str, str]]:
    for number in numbers:
        yield _id(number), 1, "person", "Anna"
        yield _id(number), 2, "bot.random" if bots else "person", ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("games", type=int)
    parser.add_argument("--status", choices=("open", "running", "ended"), default="running")
    parser.add_argument("--key-file", default="", help="key file of a PostgreSQL database")
    parser.add_argument("--bots", action="store_true", help="seat a bot in each game that has to decide")
    chosen = parser.parse_args()
    fill(chosen.database, chosen.games, status=chosen.status, bots=chosen.bots, key_file=chosen.key_file)
