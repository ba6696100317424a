"""The platforms' own ids of their players, and what became of ended games, as a database keeps them.

All of it stands beside the events and never in them: a record tells nobody who played. Results are a projection, made
in one transaction with a game's last event; ids are the only copy of what a platform has said.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage.rows import Small
from boardkeeper.table.title import Standing

LOOKED_AT = 1_000
"""So many games a page looks at where what is asked for cannot be looked up: what it costs does not grow with them."""

WON = "won"
DRAWN = "drawn"
LOST = "lost"


class SeatResult(Struct, frozen=True):
    """What became of one seat.

    ``outcome`` is ``won`` with rank 1, alone or together with others, ``drawn`` if all seats share it, else ``lost``.
    ``share`` is the seat's part of the victory: all that have rank 1 share it equally.
    """

    seat: Small
    points: int
    rank: Small
    outcome: str
    share: float


class EndGame(Struct, frozen=True):
    """What became of a game that has ended, at a time in milliseconds since 1970; what is there of it is put right.

    ``people`` is how many of its seats were persons' when it began.
    """

    game: UUID
    time: int
    people: int
    seats: tuple[SeatResult, ...]


class PutPlayer(Struct, frozen=True):
    """Who has a seat, by the id that the game's platform has for him; empty: nobody that it tells of.

    Goes behind the game's ``NewGame`` and ``OwnGame``. A second seat of the same player in a game conflicts.
    """

    game: UUID
    seat: int
    player_id: str


class ErasePlayer(Struct, frozen=True):
    """A seat has neither id, name nor token any more, if it is that player's; other processes have to be told."""

    game: UUID
    seat: int
    platform: str
    player_id: str


class NumberResults(Struct, frozen=True):
    """Results that have no place in the feed yet get one, behind all that others may have read."""


PlayerChange = EndGame | PutPlayer | ErasePlayer | NumberResults


class Between(Struct, frozen=True):
    """A time from ``after`` on and before ``before``, in milliseconds since 1970."""

    after: int | None = None
    before: int | None = None

    def __bool__(self) -> bool:
        return self.after is not None or self.before is not None


class Search(Struct, frozen=True):
    """Which games are looked for: all conditions at once, those that are empty left out.

    ``platform`` is whose the games are, empty for those of nobody, ``None`` for all. With ``player_id`` they are those
    of a player of it (it is not ``None`` then), with ``deciding`` such in which he has to decide, with ``outcome`` such
    that ended so for him.
    """

    platform: str | None
    player_id: str = ""
    deciding: bool = False
    outcome: str = ""
    status: str = ""
    title: str = ""
    id_prefix: str = ""
    created: Between = Between()
    updated: Between = Between()


class Place(NamedTuple):
    """Where a game stands in a list, the highest first: by its number, or by when it was created and its number.

    ``time`` is in milliseconds since 1970, 0 where numbers alone count (:func:`is_by_time`).
    """

    time: int
    number: int


def is_by_time(search: Search) -> bool:
    """Whether the games that are looked for come in the order of the times at which they were created.

    Then none is looked at that was created before or after the times that are asked for. The numbers of games are in
    another order: those that were imported, or made at the same moment, have any.
    """
    return bool(search.created) and not search.player_id


def first_place(search: Search, before: Place | None) -> Place | None:
    """Before which place games are, of those in the order of times: behind a page, and before the time asked for."""
    places = [Place(search.created.before, 0)] if search.created.before is not None else []
    return min((*places, *((before,) if before is not None else ())), default=None)


class Found(Struct, frozen=True):
    """A page of games, the newest first, and where the last one looked at stands, if more may come behind it."""

    games: Sequence[tuple[Place, UUID]]
    went_to: Place | None


class ResultRow(Struct, frozen=True):
    """A game that has ended: its place in the feed, when it ended (milliseconds since 1970), how many people played."""

    position: int
    game: UUID
    time: int
    people: int


class StandingRow(Struct, frozen=True):
    """What a player has reached in one title: sums over his ended games, and when the last one ended.

    ``expected`` is the sum of one part of each game's number of seats: what a player reaches who plays as all others.
    """

    player_id: str
    title: str
    games: int
    won: int
    drawn: int
    lost: int
    shares: float
    expected: float
    ranks: int
    points: int
    best_points: int
    last_time: int


class PlayerTables(Protocol):
    """The ways to ask a database for it; they block."""

    def players_of(self, games: Collection[UUID]) -> dict[UUID, dict[int, str]]:
        """The ids of the players of those games, by seat."""

    def search(self, search: Search, *, before: Place | None = None, limit: int = 200) -> Found:
        """A page of games that stand behind ``before``.

        What a page costs does not grow with the number of games. So where a condition cannot be looked up no more than
        ``LOOKED_AT`` games are looked at, and the page may be short, or empty, although more are to come.
        """

    def results_of(self, game: UUID) -> list[SeatResult]:
        """What became of a game, by seat; empty as long as it has not ended."""

    def results_of_games(self, games: Collection[UUID]) -> dict[UUID, list[SeatResult]]:
        """What became of those games, by seat."""

    def has_unnumbered_results(self) -> bool:
        """Whether there are results without a place in the feed (see ``NumberResults``)."""

    def results(
        self, platform: str | None, title: str, *, after: int | None, limit: int, newest_first: bool = False
    ) -> list[ResultRow]:
        """A page of the games that have ended, behind that place in the feed, in its order or from its end on."""

    def standings(
        self, platform: str, title: str, player_ids: Collection[str], *, after: str, limit: int, people_only: bool
    ) -> list[StandingRow]:
        """What players of a platform have reached in a title, in the order of their ids, from behind one on.

        Without ``player_ids`` it is that of all. With ``people_only`` games with bots in them do not count.
        """

    def seats_of_player(self, platform: str, player_id: str, limit: int) -> list[tuple[UUID, int]]:
        """Some of a player's seats."""


def ended(game: UUID, time: int, kinds: Sequence[str], ranks: Sequence[int], standings: Sequence[Standing]) -> EndGame:
    """What became of a game. ``kinds`` says who had each seat; ``ranks`` are those of its ``GameEnded``, by seat.

    The ranks decide, whatever the ``standings`` would say: those only tell the points.
    """
    points = {standing.seat: standing.points for standing in standings}
    seats = tuple(
        SeatResult(seat, points.get(seat, 0), rank, outcome(rank, ranks), share(rank, ranks))
        for seat, rank in enumerate(ranks, 1)
    )
    return EndGame(game, time, sum(kind == PERSON for kind in kinds), seats)


def outcome(rank: int, ranks: Sequence[int]) -> str:
    """What a rank means among those of all seats."""
    if rank > 1:
        return LOST
    return WON if any(other > 1 for other in ranks) else DRAWN


def share(rank: int, ranks: Sequence[int]) -> float:
    """The part of the victory that a rank brings."""
    return 1 / sum(other == 1 for other in ranks) if rank == 1 else 0.0
