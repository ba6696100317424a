"""The score sheet and the ranking of a story without nations. Source: stories.scoring.*."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from boardkeeper.titlekit.scores import ScoreLine, score_lines
from boardkeeper.titlekit.standings import ranks
from boardkeeper.titles.stories.cards import GOODS
from boardkeeper.titles.stories.control import count_areas, count_churches, count_villages
from boardkeeper.titles.stories.events import SeatScored
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.meta import WORDS


def emit_scores(t: Stories) -> None:
    """Emit the final score of each seat."""
    for seat, line in zip(t.seats, sheets(t), strict=True):
        t.emit(seat, line)


def sheets(t: Stories) -> list[SeatScored]:
    """Return the score of each seat with its rank."""
    rank_of = ranks(ranking_keys(t))
    return [replace(sheet(t, seat), rank=rank_of[seat.number]) for seat in t.seats]


def sheet(t: Stories, seat: Seat) -> SeatScored:
    """Return the score of a seat if the game ended now, without its rank."""
    points = t.data.points
    goods = {good: seat.goods.items[good] for good in GOODS if good in seat.goods.items}
    goods_points = sum(t.data.good_values[good] * count for good, count in goods.items())
    areas, villages, churches = count_areas(t, seat), count_villages(t, seat), count_churches(t, seat)
    citizens = seat.citizens.value
    line = SeatScored(
        coins=seat.coins.value,
        goods=goods,
        goods_points=goods_points,
        areas=areas,
        area_points=areas * points["area"],
        villages=villages,
        citizens=citizens,
        citizen_points=villages * citizens,
        churches=churches,
        church_points=churches * points["church"],
        total=0,
        rank=0,
    )
    return replace(line, total=sum(getattr(line, field) for field in _LINES.values()))


_LINES = {
    "coins": "coins",
    "goods": "goods_points",
    "areas": "area_points",
    "citizens": "citizen_points",
    "churches": "church_points",
}


def lines(t: Stories) -> tuple[ScoreLine, ...]:
    """Return the score sheet of all seats if the game ended now. It uses public information only."""
    return score_lines(WORDS, _LINES, list(map(asdict, sheets(t))))


def ranking_keys(t: Stories) -> dict[int, tuple[int, ...]]:
    """Return the ranking key of each seat: points and, if ``tie_settlers`` is ``fame_then_shared``, fame."""
    fame_too = t.data.chosen.tie_settlers == "fame_then_shared"
    return {seat.number: (sheet(t, seat).total, *((seat.fame.value,) if fame_too else ())) for seat in t.seats}
