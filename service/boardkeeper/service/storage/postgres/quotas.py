"""What platforms have used, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from boardkeeper.service.storage.changes import RemoveGame
from boardkeeper.service.storage.postgres.access import Statement
from boardkeeper.service.storage.postgres.readers import Readers
from boardkeeper.service.storage.quotas import DAYS_KEPT, FOR_EVER, STORED_GAMES, CountGames, Spend

_COUNT: LiteralString = (
    "INSERT INTO quotas (platform, what, period, used) SELECT platform, 'games', 0, count(*) FROM games"
    " WHERE platform <> '' GROUP BY platform"
)

MIGRATION: LiteralString = (
    """
CREATE TABLE quotas (
    platform text NOT NULL,
    what text NOT NULL,
    period integer NOT NULL,
    used bigint NOT NULL,
    most bigint,
    PRIMARY KEY (platform, what, period),
    CONSTRAINT quotas_hold CHECK (most IS NULL OR used <= most)
);
ALTER TABLE access_keys ADD COLUMN limits text NOT NULL DEFAULT '';
"""
    + _COUNT
    + ";"
)
"""What they are kept in; what each key has of its own stands with the key."""


COUNTED = (Spend, RemoveGame)
"""Changes that lock rows which belong to many games. They come last in their transactions, always in the same order."""


class PostgresQuotas:
    """Reads them (:class:`~boardkeeper.service.storage.quotas.QuotaTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def used(self, platform: str) -> Mapping[tuple[str, int], int]:
        """What a platform has used, by what it is and the period."""
        rows = self._readers.rows("SELECT what, period, used FROM quotas WHERE platform = %b", (platform,))
        return {(what, period): used for what, period, used in rows}


def game_removed(game: UUID) -> Statement:
    """One game less of its platform; goes before its line in the lobby does."""
    update: LiteralString = (
        "UPDATE quotas q SET used = greatest(0, q.used - 1), most = NULL FROM games g"
        " WHERE g.game = %b AND q.platform = g.platform AND q.what = %b AND q.period = %b::int"
    )
    return Statement(update, (game, STORED_GAMES, FOR_EVER))


def _spend(it: Spend) -> list[Statement]:
    add: LiteralString = (
        "INSERT INTO quotas AS q (platform, what, period, used, most)"
        " VALUES (%b::text, %b::text, %b::int, %b::bigint, %b::bigint) ON CONFLICT (platform, what, period)"
        " DO UPDATE SET used = q.used + excluded.used, most = excluded.most"
    )
    forget: LiteralString = "DELETE FROM quotas WHERE platform = %b AND what = %b AND period BETWEEN 1 AND %b::int"
    added = Statement(add, (it.platform, it.what, it.period, it.amount, it.most))
    if it.period == FOR_EVER:
        return [added]
    return [added, Statement(forget, (it.platform, it.what, it.period - DAYS_KEPT))]


def _count_games(_: CountGames) -> list[Statement]:
    # Nobody makes or removes a game of a platform meanwhile: each would count it here.
    return [
        Statement("LOCK TABLE quotas IN SHARE ROW EXCLUSIVE MODE"),
        Statement("DELETE FROM quotas WHERE what = %b AND period = %b::int", (STORED_GAMES, FOR_EVER)),
        Statement(_COUNT),
    ]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {Spend: _spend, CountGames: _count_games}
"""How each of these changes is written."""
