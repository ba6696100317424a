"""The end of the game: the score sheet and the winners."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from boardkeeper.titlekit.scores import ScoreLine, score_lines
from boardkeeper.titlekit.standings import ranks
from boardkeeper.titles.stories.cards import GOODS
from boardkeeper.titles.stories.control import count_areas, count_churches, count_villages
from boardkeeper.titles.stories.events import SeatScored
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.sentences import WORDS


def score(t: Stories) -> None:
    """Score all seats. Source: stories.scoring.*."""
    for seat, line in zip(t.seats, sheets(t), strict=True):
        t.emit(seat, line)


def sheets(t: Stories) -> list[SeatScored]:
    """The line of each seat on the score sheet, from the table as it is now."""
    rank_of = ranks(results(t))
    return [replace(sheet(t, seat), rank=rank_of[seat.number]) for seat in t.seats]


def sheet(t: Stories, seat: Seat) -> SeatScored:
    """A seat's line on the score sheet, without its rank."""
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
    """The score sheet of all seats, from the table as it is now: all that counts is public."""
    return score_lines(WORDS, _LINES, list(map(asdict, sheets(t))))


def results(t: Stories) -> dict[int, tuple[int, ...]]:
    """What ranks each seat: points, then fame (reading ``tie_settlers``)."""
    fame_too = t.data.chosen.tie_settlers == "fame_then_shared"
    return {seat.number: (sheet(t, seat).total, *((seat.fame.value,) if fame_too else ())) for seat in t.seats}
