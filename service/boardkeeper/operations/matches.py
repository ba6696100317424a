"""Matches between bots: games in worker processes, and their results with confidence intervals."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import sqrt
from multiprocessing import active_children, get_context
from statistics import NormalDist, mean, stdev

from msgspec import Struct

from boardkeeper import engine
from boardkeeper.titles.registry import allow_listed

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Match(Struct, frozen=True):
    """A number of games between kinds of bots. ``choices`` are the options and readings by id."""

    title: str
    bots: tuple[str, ...]
    players: int
    games: int
    seed: int = 0
    edition: str = ""
    options: Mapping[str, str] = {}
    readings: Mapping[str, str] = {}

    def seating(self, game: int) -> tuple[str, ...]:
        """Return the bot of each seat. Consecutive games with the same seed give each bot each of the first seats."""
        turn = game % len(self.bots)
        return tuple(self.bots[(seat + turn) % len(self.bots)] for seat in range(self.players))

    def seed_of(self, game: int) -> int:
        """Return the seed of a game: the same for all seatings."""
        return self.seed + game // len(self.bots)

    def start(self, game: int) -> engine.Game:
        """Return a new game. Raises :class:`boardkeeper.engine.RulesError` for wrong fields of the match."""
        return engine.create(
            self.title,
            [engine.Bot(bot) for bot in self.seating(game)],
            edition=self.edition,
            options=self.options,
            readings=self.readings,
            seed=self.seed_of(game),
        )


class SeatResult(Struct, frozen=True):
    """The result of a seat in one game. ``share`` is 1 for a win, and the share of it in a tie."""

    bot: str
    points: int
    share: float


class BotResult(Struct, frozen=True):
    """The results of a bot: its seats in all games, and its wins.

    ``interval`` is the 95 % confidence interval of the share of wins, ``margin`` that of the mean points.
    """

    bot: str
    seats: int
    wins: float
    share: float
    interval: tuple[float, float]
    points: float
    margin: float


def play_game(match: Match, game: int) -> list[SeatResult]:
    """Play one game of a match."""
    table = match.start(game)
    table.play_bots()
    winners = [it.seat for it in table.standings if it.rank == 1]
    points = {it.seat: it.points for it in table.standings}
    bots = enumerate(match.seating(game), 1)
    return [SeatResult(bot, points[seat], (seat in winners) / len(winners)) for seat, bot in bots]


def play_match(match: Match, processes: int = 0) -> Iterator[list[SeatResult]]:
    """Play the games of a match, and yield their results as they end.

    ``processes`` is the number of worker processes; 0: one for each core; 1: no others than this one.
    """
    count = min(processes or os.cpu_count() or 1, match.games)
    if count == 1:
        yield from (play_game(match, game) for game in range(match.games))
        return
    pool = ProcessPoolExecutor(count, get_context("spawn"), allow_listed, (os.environ.get("BOARDKEEPER_TITLES", ""),))
    try:
        for future in as_completed([pool.submit(play_game, match, game) for game in range(match.games)]):
            yield future.result()
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in active_children():
            worker.terminate()
        raise


def summarize(games: Sequence[Sequence[SeatResult]]) -> list[BotResult]:
    """Return the results of each bot, the one with the largest share of wins first."""
    seats: dict[str, list[SeatResult]] = {}
    for game in games:
        for seat in game:
            seats.setdefault(seat.bot, []).append(seat)
    results = [_result(bot, each) for bot, each in seats.items()]
    return sorted(results, key=lambda it: -it.share)


def _result(bot: str, seats: Sequence[SeatResult]) -> BotResult:
    wins, points = sum(seat.share for seat in seats), [seat.points for seat in seats]
    margin = _Z * stdev(points) / sqrt(len(points)) if len(points) > 1 else 0.0
    return BotResult(bot, len(seats), wins, wins / len(seats), wilson_interval(wins, len(seats)), mean(points), margin)


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Return the Wilson score interval of a share of wins (Wilson 1927), at the level :data:`CONFIDENCE`."""
    share, spread = wins / games, _Z * _Z / games
    center = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(center - half, 0.0), min(center + half, 1.0)
