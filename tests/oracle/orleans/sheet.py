"""A mutable copy of a board for the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from tests.oracle.orleans import tables

from boardkeeper.titles.orleans.board import Board, SeatView


class Line(NamedTuple):
    """One seat's line of the score sheet."""

    coins: int
    goods_points: int
    stations: int
    citizens: int
    status: int
    status_points: int
    total: int
    rank: int


@dataclass
class Side:
    """The components of one seat. ``spaces`` has the occupant of each space of its places, or an empty string."""

    seat: int
    coins: int
    merchant: str
    tracks: dict[str, int]
    development: int
    farthest: int
    goods: Counter[str]
    citizens: int
    stations_left: int
    stations: list[str]
    technology: int
    farmer_only: int
    technology_placed: int
    market: Counter[str]
    drawn: Counter[str]
    bag: Counter[str]
    tiles: list[str]
    spaces: dict[tuple[str, str], str]
    choice: str
    debt: int
    arrears: int
    food_due: int
    declined: int
    made: int

    def occupants(self, place: str) -> dict[str, str]:
        """Return the occupants of one place by space, without free spaces."""
        return {space: who for (where, space), who in self.spaces.items() if where == place and who}

    def free(self, place: str) -> list[str]:
        """Return the free spaces of one place."""
        return [space for (where, space), who in self.spaces.items() if where == place and not who]


@dataclass
class Sheet:
    """The whole table. ``choices`` are the readings and options of the game."""

    choices: dict[str, str]
    round: int
    phase: str
    start: int
    event: str
    letter: str
    glass: Counter[str]
    turned: Counter[str]
    reached: int
    supply: Counter[str]
    goods_market: Counter[str]
    technology: int
    stack_1: list[str]
    stack_2: list[str]
    citizens: list[str]
    ways: dict[tuple[frozenset[str], str], Counter[str]]
    deeds: dict[str, tuple[Counter[str], bool]]
    removed: Counter[str]
    sides: list[Side]
    scores: dict[int, Line] = field(default_factory=dict)

    def side(self, seat: int) -> Side:
        """Return the side of a seat."""
        return self.sides[seat - 1]

    def clockwise(self) -> list[Side]:
        """Return all sides, starting with the start player."""
        return self.sides[self.start - 1 :] + self.sides[: self.start - 1]

    def waiting(self) -> bool:
        """Return whether a seat must choose."""
        return any(side.choice for side in self.sides)


def copy(board: Board, choices: Mapping[str, str]) -> Sheet:
    """Return the sheet of a board without hidden contents."""
    return Sheet(
        choices=dict(choices),
        round=board.round,
        phase=board.phase,
        start=board.start_seat,
        event=board.hour_glass.event,
        letter=board.hour_glass.strength,
        glass=Counter(board.hour_glass.remaining),
        turned=Counter(board.turned),
        reached=board.event_seats,
        supply=Counter(board.supply),
        goods_market=Counter(board.goods_market),
        technology=board.technology,
        stack_1=sorted(board.place_tiles_1),
        stack_2=sorted(board.place_tiles_2),
        citizens=sorted(board.citizens_on_tracks),
        ways={(frozenset(way.towns), way.kind): Counter(way.goods) for way in board.ways},
        deeds={deed.deed: (Counter(deed.followers), deed.citizen) for deed in board.deeds},
        removed=Counter(board.removed),
        sides=[_side(view) for view in board.seats],
        scores={
            line.seat: Line(
                line.coins,
                line.goods_points,
                line.stations,
                line.citizens,
                line.status,
                line.status_points,
                line.total,
                line.rank,
            )
            for line in board.scores
        },
    )


def _side(view: SeatView) -> Side:
    return Side(
        seat=view.seat,
        coins=view.coins,
        merchant=view.merchant,
        tracks=dict(view.tracks),
        development=view.development,
        farthest=view.best_development,
        goods=Counter(view.goods),
        citizens=view.citizens,
        stations_left=view.stations_in_supply,
        stations=sorted(view.stations),
        technology=view.technology,
        farmer_only=view.farmer_only_technology,
        technology_placed=view.technology_placed,
        market=Counter(view.market),
        drawn=Counter(view.drawn),
        bag=Counter(view.bag),
        tiles=sorted(place.place for place in view.places if place.place not in tables.PLAYER_BOARD),
        spaces={(place.place, space.space): space.occupant for place in view.places for space in place.spaces},
        choice=view.decision,
        debt=view.debt,
        arrears=view.arrears,
        food_due=view.food_due,
        declined=view.given_up_draws,
        made=view.draws_made,
    )


# Internal fields of the title that are not in the rulebook.
_NOT_COMPARED = {"reached", "declined", "made"}
# The oracle does not know whose turn it is in phases 4 and 5.
_NOT_IN_ACTIONS = {"choice"}


def differences(expected: Sheet, found: Sheet) -> list[str]:
    """Describe each difference in one line."""
    lines: list[str] = []
    for item in fields(Sheet):
        if item.name in _NOT_COMPARED or item.name == "sides":
            continue
        _compare(lines, item.name, getattr(expected, item.name), getattr(found, item.name))
    skip = _NOT_COMPARED | (_NOT_IN_ACTIONS if found.phase in ("planning", "actions") else set())
    for mine, theirs in zip(expected.sides, found.sides, strict=True):
        for item in fields(Side):
            if item.name not in skip:
                _compare(lines, f"seat {mine.seat}: {item.name}", getattr(mine, item.name), getattr(theirs, item.name))
    return lines


def _compare(lines: list[str], name: str, expected: object, found: object) -> None:
    if isinstance(expected, list):
        expected = sorted(expected)
    if expected != found:
        lines.append(f"{name}: the oracle says {expected}, the title {found}")
