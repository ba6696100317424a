"""Counters of the resources that platforms use, for quotas. All processes share them; they survive restarts.

Only games with an owner are counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import ClassVar
from uuid import UUID

from boardkeeper.service.storage.sql import Change, Statement, Tables, bind

NO_PERIOD = 0
"""The period of quotas that are not per day, such as the number of stored games."""

STORED_GAMES = "games"
RETENTION_DAYS = 7

COUNT_GAMES = (
    f"INSERT INTO quotas (platform, what, period, used) SELECT platform, '{STORED_GAMES}', {NO_PERIOD}, count(*)"
    " FROM games WHERE platform <> '' GROUP BY platform"
)


class SpendQuota(Change, frozen=True):
    """Add an amount to a counter of a platform. Conflicts if the sum exceeds ``most``.

    ``period`` is the number of days since 1970 in UTC, or ``NO_PERIOD``. Counters of old days are deleted.
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
            " VALUES (?platform::text, ?what::text, ?period::int, ?amount::bigint, ?most::bigint)"
            " ON CONFLICT (platform, what, period)"
            " DO UPDATE SET used = q.used + excluded.used, most = excluded.most"
        )
        if self.period == NO_PERIOD:
            return bind(self, add)
        delete = "DELETE FROM quotas WHERE platform = ?platform AND what = ?what"
        return bind(self, add, f"{delete} AND period BETWEEN 1 AND ?period::int - {RETENTION_DAYS}")


class RecountGames(Change, frozen=True):
    """Count the stored games of each platform again."""

    def statements(self) -> list[Statement]:
        return [
            # The lock keeps other processes from creating or removing games, which would be counted twice.
            Statement("{postgres:LOCK TABLE quotas IN SHARE ROW EXCLUSIVE MODE}"),
            Statement("DELETE FROM quotas WHERE what = ? AND period = ?::int", (STORED_GAMES, NO_PERIOD)),
            Statement(COUNT_GAMES),
        ]


def uncount_game(game: UUID) -> Statement:
    """Return the statement that subtracts a game from its platform's counter. Run it before the row is deleted."""
    update = (
        "UPDATE quotas AS q SET used = greatest(0, q.used - 1), most = NULL FROM games g"
        " WHERE g.game = ? AND q.platform = g.platform AND q.what = ? AND q.period = ?::int"
    )
    return Statement(update, (game, STORED_GAMES, NO_PERIOD))


class QuotaTables(Tables):
    """Reads the counters."""

    def used(self, platform: str) -> Mapping[tuple[str, int], int]:
        """Return the counters of a platform by quota and period."""
        select = "SELECT what, period, used FROM quotas WHERE platform = ?"
        rows = self._reader.fetch_tuples(tuple[str, int, int], select, platform)
        return {(what, period): used for what, period, used in rows}
