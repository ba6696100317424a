"""Checks of a database after kills: each answered command is stored once, and all other data agrees with the events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from tests.campaign.clients import COMMAND, Clients, Table
from tests.service.feeds import expected_items, items_of

from boardkeeper.game.game import ENDED
from boardkeeper.service.auth.seat_tokens import hash_token
from boardkeeper.service.storage.admin import check_database
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database_urls import is_postgres
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.quotas import NO_PERIOD, STORED_GAMES
from boardkeeper.titles.registry import load_title

PLATFORM = "lobby"


Answers = tuple[Table, dict[str, int], set[str]]
"""A table and its answers until a moment: the versions of accepted commands, and the rejected commands."""


@contextmanager
def open_application(database: str, key: Path) -> Iterator[GameApplication]:
    """Open the application on a database."""
    application = GameApplication.open(database, load_title, key_file=_key_of(database, key))
    try:
        yield application
    finally:
        application.close()


def copy_answers(table: Table) -> Answers:
    """Copy the answers until now."""
    return table, dict(table.answered), set(table.rejected)


def check_answers(before: Answers, events: Iterable[tuple[int, str]]) -> None:
    """Check the events of a game, as version and command id: each command answered before is stored exactly once."""
    table, answered, rejected = before
    pieces = [(id, list(piece)) for id, piece in groupby(events, lambda event: event[1])]
    versions = [version for _, piece in pieces for version, _ in piece]
    assert versions == list(range(1, len(versions) + 1)), (table.game, versions)
    counts = Counter(id for id, _ in pieces if id.startswith(COMMAND))
    assert set(counts.values()) <= {1}, f"{table.game}: a command is stored twice: {counts}"
    found = {id: piece[-1][0] for id, piece in pieces if id in counts}
    missing = {id: version for id, version in answered.items() if found.get(id) != version}
    assert not missing, f"{table.game}: answered, but not stored so: {missing}; stored: {found}"
    assert not rejected & found.keys(), f"{table.game}: rejected, but stored: {rejected & found.keys()}"
    assert found.keys() <= table.sent, f"{table.game}: no client sent {found.keys() - table.sent}"


def _key_of(database: str, key: Path) -> str:
    return str(key) if is_postgres(database) else ""


def check_all(database: str, key: Path, clients: Clients) -> None:
    """Check all stored data, when no server uses the database and every request has its answer."""
    for checked in check_database(database, key_file=key if is_postgres(database) else None):
        assert not getattr(checked, "damage", None), checked
        assert not getattr(checked, "problem", ""), checked
    with open_application(database, key) as application:
        for table in clients.tables:
            events = application.game_events(UUID(table.game))
            found = ((event.originator_version, event.command_id.partition(":")[2]) for event in events)
            check_answers(copy_answers(table), found)
        _check_games(application, clients.tables)
        _check_feed(application, clients)
        quotas = application.database.quotas.used(PLATFORM)
        assert quotas[STORED_GAMES, NO_PERIOD] == len(clients.tables)
    rebuilt = rebuild(database, load_title, key_file=_key_of(database, key))
    assert (rebuilt.games, rebuilt.differences, rebuilt.damages) == (len(clients.tables), [], {})
    with open_application(database, key) as application:
        assert application.database.quotas.used(PLATFORM) == quotas


def _check_games(application: GameApplication, tables: Iterable[Table]) -> None:
    """Check that one request created each game, and that each seat and invitation is used once."""
    named: dict[str, list[UUID]] = defaultdict(list)
    for game in application.game_tables.known_games():
        row = application.game_tables.lobby_row(game)
        assert row is not None
        named[row.seats[0].name].append(game)
        assert bool(application.database.players.results_of(game)) == (row.status == ENDED), f"the result of {game}"
    assert {name: list(map(str, games)) for name, games in named.items()} == {it.name: [it.game] for it in tables}
    for table in tables:
        seats = application.game_tables.seats(UUID(table.game))
        for seat, token in table.tokens.items():
            assert seats[seat - 1].token_hash == hash_token(token), (
                f"{table.game}: the token of seat {seat} is another one"
            )
        names = [seat.name for seat in seats]
        for name, token in table.joined.items():
            assert names.count(name) == bool(token), f"{table.game}: {name} has joined {names.count(name)} times"
        rows = application.database.invitations.invitations_of(UUID(table.game))
        assert set(table.invitations) <= {row.id for row in rows}
        assert len(rows) <= table.invited
        used = [row for row in rows if row.used_seat]
        assert len(used) == (1 if table.invitations else 0), f"{table.game}: used invitations: {used}"


def _check_feed(application: GameApplication, clients: Clients) -> None:
    """Check that each item is in the feed once, and that the following client received all of them in order."""
    feed = application.database.feed
    feed.number_outbox()
    rows = feed.page(0, feed.bounds().newest, 1_000_000)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert len({row.id for row in rows}) == len(rows)
    server: Any = SimpleNamespace(application=application)
    by_game: dict[UUID, list[Any]] = defaultdict(list)
    for row in rows:
        by_game[row.game].append(row)
    for game in application.game_tables.known_games():
        assert items_of(by_game.pop(game), game) == expected_items(server, game), f"the feed of {game}"
    assert not by_game
    stored = [(str(row.game), row.version, row.kind, row.content.seats) for row in rows]
    for at, (sent, expected) in enumerate(zip(clients.items, stored, strict=False)):
        assert sent == expected, f"item {at + 1} of the feed"
    assert len(clients.items) == len(stored)
