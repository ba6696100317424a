"""How much each platform has used of what is limited: counted in the database, for all processes and over restarts.

Only games of platforms are counted. The counters are beside the events and never in them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar
from uuid import UUID

from boardkeeper.service.storage.sql import Change, Statement, Tables

NO_PERIOD = 0
"""The period of a quota without periods: the number of stored games."""

STORED_GAMES = "games"
RETENTION_DAYS = 7

COUNT_GAMES = (
    f"INSERT INTO quotas (platform, what, period, used) SELECT platform, '{STORED_GAMES}', {NO_PERIOD}, count(*)"
    " FROM games WHERE platform <> '' GROUP BY platform"
)


class SpendQuota(Change, frozen=True):
    """A platform uses an amount; conflicts if the sum would be more than ``most``.

    ``period`` is the day in UTC since 1970, or ``NO_PERIOD``. Days before the last few are deleted.
    """

    is_counted: ClassVar[bool] = True

    platform: str
    what: str
    period: int
    amount: int
    most: int | None = None

    @property
    def lock_key(self) -> Hashable:
        return self.platform, self.what, self.period

    def statements(self) -> list[Statement]:
        add = (
            "INSERT INTO quotas AS q (platform, what, period, used, most)"
            " VALUES (?::text, ?::text, ?::int, ?::bigint, ?::bigint) ON CONFLICT (platform, what, period)"
            " DO UPDATE SET used = q.used + excluded.used, most = excluded.most"
        )
        added = Statement(add, (self.platform, self.what, self.period, self.amount, self.most))
        if self.period == NO_PERIOD:
            return [added]
        delete = "DELETE FROM quotas WHERE platform = ? AND what = ? AND period BETWEEN 1 AND ?::int"
        return [added, Statement(delete, (self.platform, self.what, self.period - RETENTION_DAYS))]


class RecountGames(Change, frozen=True):
    """The stored games of each platform are counted again."""

    def statements(self) -> list[Statement]:
        return [
            # The lock keeps other processes from creating or removing games, which would be counted twice.
            Statement("{postgres:LOCK TABLE quotas IN SHARE ROW EXCLUSIVE MODE}"),
            Statement("DELETE FROM quotas WHERE what = ? AND period = ?::int", (STORED_GAMES, NO_PERIOD)),
            Statement(COUNT_GAMES),
        ]


def uncount_game(game: UUID) -> Statement:
    """Count one game less for its platform. It runs before the game's row is deleted."""
    update = (
        "UPDATE quotas AS q SET used = greatest(0, q.used - 1), most = NULL FROM games g"
        " WHERE g.game = ? AND q.platform = g.platform AND q.what = ? AND q.period = ?::int"
    )
    return Statement(update, (game, STORED_GAMES, NO_PERIOD))


class QuotaTables(Tables):
    """Reads the counters."""

    def used(self, platform: str) -> Mapping[tuple[str, int], int]:
        """Return what a platform has used, by quota and period."""
        select = "SELECT what, period, used FROM quotas WHERE platform = ?"
        rows = self._reader.fetch_tuples(tuple[str, int, int], select, platform)
        return {(what, period): used for what, period, used in rows}
