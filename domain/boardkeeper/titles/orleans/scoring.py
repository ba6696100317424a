"""The end of the game: the last citizen, the score sheets and the ranking."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from boardkeeper.families.followers.data import CITIZEN
from boardkeeper.titlekit.scores import ScoreLine, score_lines
from boardkeeper.titlekit.standings import ranks
from boardkeeper.titles.orleans.data import GOODS
from boardkeeper.titles.orleans.events import MostStationsRewarded, SeatScored
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.meta import WORDS


def emit_scores(t: Orleans) -> None:
    """Give the last citizen to its seat and emit the score of each seat. Source: orleans.scoring.*."""
    reward_most_stations(t)
    for seat, line in zip(t.seats, sheets(t), strict=True):
        t.emit(seat, line)


def reward_most_stations(t: Orleans) -> None:
    """Give the remaining citizen to the seat with the most trading stations; in a tie, to no seat."""
    built = {seat.number: seat.built_stations() for seat in t.seats}
    most = max(built.values())
    owners = [seat for seat in t.seats if built[seat.number] == most]
    owner = owners[0] if len(owners) == 1 else None
    if owner:
        t.move(CITIZEN, t.citizen_of_stations, owner.citizens)
    t.emit(owner, MostStationsRewarded(most))


def sheets(t: Orleans) -> list[SeatScored]:
    """Return the score sheets of all seats, with ranks, for the current table."""
    rank_of = ranks(ranking_keys(t))
    return [replace(sheet(t, seat), rank=rank_of[seat.number]) for seat in t.seats]


def sheet(t: Orleans, seat: Seat) -> SeatScored:
    """Return the score sheet of a seat, without its rank."""
    goods = {good: seat.goods.items[good] for good in GOODS if good in seat.goods.items}
    goods_points = sum(t.data.good_points[good] * count for good, count in goods.items())
    stations = seat.built_stations()
    citizens = seat.citizens.total()
    status = seat.status()
    line = SeatScored(
        coins=seat.coins.value,
        goods=goods,
        goods_points=goods_points,
        stations=stations,
        citizens=citizens,
        status=status,
        status_points=(stations + citizens) * status,
        total=0,
        rank=0,
    )
    return replace(line, total=sum(getattr(line, field) for field in _LINES.values()))


_LINES = {"coins": "coins", "goods": "goods_points", "status": "status_points"}


def lines(t: Orleans) -> tuple[ScoreLine, ...]:
    """Return the lines of the score sheet for the current table. All scored components are public."""
    return score_lines(WORDS, _LINES, list(map(asdict, sheets(t))))


def ranking_keys(t: Orleans) -> dict[int, tuple[int, int]]:
    """Return the ranking key of each seat: points, then the position on the development track."""
    return {seat.number: (sheet(t, seat).total, seat.development.value) for seat in t.seats}
