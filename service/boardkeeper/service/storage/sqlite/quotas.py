"""What platforms have used, in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.quotas import DAYS_KEPT, FOR_EVER, STORED_GAMES, CountGames, Spend

Statement = tuple[str, tuple[object, ...]]

TABLES = """
CREATE TABLE IF NOT EXISTS quotas (
    platform TEXT NOT NULL,
    what TEXT NOT NULL,
    period INTEGER NOT NULL,
    used INTEGER NOT NULL,
    most INTEGER,
    PRIMARY KEY (platform, what, period),
    CHECK (most IS NULL OR used<=most)
) WITHOUT ROWID;
"""

COUNT = (
    f"INSERT INTO quotas SELECT platform, '{STORED_GAMES}', {FOR_EVER}, count(*), NULL FROM games"
    " WHERE platform<>'' GROUP BY platform"
)
"""For files from before anything was counted, too."""


class SqliteQuotas:
    """Reads them (:class:`~boardkeeper.service.storage.quotas.QuotaTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def used(self, platform: str) -> Mapping[tuple[str, int], int]:
        """What a platform has used, by what it is and the period."""
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT what, period, used FROM quotas WHERE platform=?", (platform,))
            return {(what, period): used for what, period, used in cursor.fetchall()}


def game_removed(game: str) -> Statement:
    """One game less of its platform; goes before its line in the lobby does."""
    update = (
        "UPDATE quotas SET used=max(0, used-1), most=NULL WHERE what=? AND period=?"
        " AND platform=(SELECT platform FROM games WHERE game_id=?)"
    )
    return update, (STORED_GAMES, FOR_EVER, game)


def _spend(it: Spend) -> list[Statement]:
    add = (
        "INSERT INTO quotas VALUES (?,?,?,?,?) ON CONFLICT (platform, what, period)"
        " DO UPDATE SET used=used+excluded.used, most=excluded.most"
    )
    forget = "DELETE FROM quotas WHERE platform=? AND what=? AND period BETWEEN 1 AND ?"
    added: Statement = (add, (it.platform, it.what, it.period, it.amount, it.most))
    if it.period == FOR_EVER:
        return [added]
    return [added, (forget, (it.platform, it.what, it.period - DAYS_KEPT))]


def _count_games(_: CountGames) -> list[Statement]:
    return [("DELETE FROM quotas WHERE what=? AND period=?", (STORED_GAMES, FOR_EVER)), (COUNT, ())]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {Spend: _spend, CountGames: _count_games}
"""How each of these changes is written."""
