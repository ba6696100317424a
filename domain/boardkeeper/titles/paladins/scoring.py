"""The score sheet and the ranking. Source: paladins.scoring.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from boardkeeper.titlekit.scores import ScoreLine, score_lines
from boardkeeper.titlekit.standings import ranks
from boardkeeper.titlekit.standings import standings as result
from boardkeeper.titlekit.title import Standing
from boardkeeper.titles.paladins.data import ATTRIBUTES, Outsider
from boardkeeper.titles.paladins.events import SeatScored
from boardkeeper.titles.paladins.material import Opponent, Paladins, Seat, Side
from boardkeeper.titles.paladins.meta import WORDS

_PER_POINTS_OF_ATTRIBUTE = 4
_PER_TIMES = 2


def order_points(t: Paladins, side: Side) -> dict[str, int]:
    """Return the points of each King's Order that a seat has fulfilled. Source: paladins.scoring.orders."""
    fulfilled: dict[str, int] = {}
    for at, points in enumerate(t.data.order_points):
        order = t.card_at(t.orders, at).removeprefix("order_")
        if order and side.times(order) >= t.data.order_needs:
            fulfilled[order] = points
    return fulfilled


def count_placed_workshops(t: Paladins, side: Side) -> int:
    """Return how many workshops a seat has placed."""
    return len(t.data.workshop_row) - side.workshops.total()


def _count_hired(seat: Seat) -> int:
    """Return how many townsfolk a seat has, including those in the inquisition."""
    return seat.townsfolk.total() + seat.inquiry.total()


def outsider_points(t: Paladins, side: Side, fulfilled: int) -> dict[str, int]:
    """Return the points of each converted outsider. Source: paladins.scoring.outsiders."""
    cards = [t.data.outsiders[id] for id in sorted(side.converted.items)]
    found: dict[str, int] = {}
    for card in cards:
        again = any(t.data.outsiders[id].scores == card.scores for id in found)
        found[card.id] = _points_of_outsider(t, side, card, cards, fulfilled, again=again)
    if isinstance(side, Opponent):  # paladins.opponent.scoring.converted
        return {id: max(1, points) for id, points in found.items()}
    return found


def _points_of_outsider(
    t: Paladins, side: Side, card: Outsider, cards: Sequence[Outsider], fulfilled: int, *, again: bool
) -> int:
    scores = card.scores
    if scores in ATTRIBUTES:
        return side.attributes[scores].value // _PER_POINTS_OF_ATTRIBUTE
    match scores:
        case "commission" | "garrison" | "fortify" | "absolve":
            return side.times(scores) // _PER_TIMES
        case "develop":
            return count_placed_workshops(t, side) // _PER_TIMES
        case "hired":
            return _count_hired(side) // _PER_TIMES if isinstance(side, Seat) else 0
        case "saracen" | "byzantine" | "viking":
            return sum(1 for id in side.attacked.items if t.data.outsiders[id].suit == scores)
        case "paid_debts":
            return side.paid.total()
        case "unpaid_debts":
            once = t.data.readings.second_traitor == "once_per_debt"
            return 0 if again and once else side.unpaid.total()
        case "suspicion":
            return side.suspicion.total()
        case "orders":
            return 1 + fulfilled
        case _:
            return 1 + sum(1 for other in cards if other.scores == scores)


def sheet(t: Paladins, side: Side) -> SeatScored:
    """Return the score of a seat if the game ended now, without its rank."""
    points = t.data.points
    fulfilled = order_points(t, side)
    converted = outsider_points(t, side, len(fulfilled))
    person = isinstance(side, Seat)
    goods = (side.silver.value + side.provisions.value) // points["goods_per_point"] if isinstance(side, Seat) else 0
    lines = {
        **{attribute: t.data.attribute_points[side.attributes[attribute].value] for attribute in ATTRIBUTES},
        **{action: points[action][side.times(action)] for action in ("commission", "fortify", "garrison", "absolve")},
        "walls": sum(t.data.walls[wall].points for wall in side.walls.items),
        "develop": points["develop"][count_placed_workshops(t, side)] if person else 0,
        "paid_debts": points["paid_debt"] * side.paid.total(),
        "unpaid_debts": points["unpaid_debt"] * side.unpaid.total(),
        "goods": goods,
    }
    total = sum(lines.values()) + sum(fulfilled.values()) + sum(converted.values())
    return SeatScored(orders=fulfilled, outsiders=converted, total=total, rank=0, **lines)


_LINES = {
    "orders": "order_points",
    **dict.fromkeys(ATTRIBUTES),
    **dict.fromkeys(("commission", "garrison", "fortify", "walls", "absolve", "develop")),
    **dict.fromkeys(("paid_debts", "unpaid_debts", "goods")),
    "outsiders": "outsider_points",
}


def lines(t: Paladins) -> tuple[ScoreLine, ...]:
    """Return the score sheet of all seats if the game ended now. It uses public information only."""
    sheets_of_seats = [asdict(sheet(t, side)) for side in t.seats]
    for each in sheets_of_seats:
        each["order_points"] = sum(each["orders"].values())
        each["outsider_points"] = sum(each["outsiders"].values())
    return score_lines(WORDS, {id: field or id for id, field in _LINES.items()}, sheets_of_seats)


def _ranking_key(side: Side, scored: SeatScored) -> tuple[int, int, int]:
    """Return the ranking key: points, points of orders, fewest suspicion. Source: paladins.scoring.ties."""
    return scored.total, sum(scored.orders.values()), -side.suspicion.total()


def sheets(t: Paladins) -> list[SeatScored]:
    """Return the score of each seat with its rank."""
    scored = [sheet(t, side) for side in t.seats]
    rank_of = ranks({side.number: _ranking_key(side, each) for side, each in zip(t.seats, scored, strict=True)})
    return [replace(each, rank=rank_of[number]) for number, each in enumerate(scored, 1)]


def standings(t: Paladins) -> list[Standing]:
    """Return the standings, best seat first."""
    return result({side.number: _ranking_key(side, sheet(t, side)) for side in t.seats})
