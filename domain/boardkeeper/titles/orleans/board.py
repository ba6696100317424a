"""The typed board that clients see: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.board import PlaceView


class SeatView(Struct, frozen=True):
    """One seat's side of the table. ``bag`` is empty for a viewer that may only know ``bag_count``."""

    seat: int
    color: str
    coins: int
    merchant: str
    tracks: dict[str, int]
    development: int
    status: int
    draw_limit: int
    goods: dict[str, int]
    citizens: int
    stations_in_supply: int
    stations: tuple[str, ...]
    technology: int
    market: dict[str, int]
    drawn: dict[str, int]
    bag: dict[str, int]
    bag_count: int
    places: tuple[PlaceView, ...]
    passed: bool
    planning_finished: bool
    decision: str
    debt: int
    given_up_draws: int = 0
    food_due: int = 0
    technology_placed: int = 0
    farmer_only_technology: int = 0
    arrears: int = 0
    best_development: int = 0
    draws_made: int = 0


class WayView(Struct, frozen=True):
    """A road or waterway and the goods that lie on it."""

    way: str
    kind: str
    towns: tuple[str, ...]
    goods: dict[str, int]


class DeedView(Struct, frozen=True):
    """A beneficial deed: who is on it, what is still free, and whether its citizen is still there."""

    deed: str
    followers: dict[str, int]
    free: dict[str, int]
    citizen: bool


class HourGlassView(Struct, frozen=True):
    """The hour glass: this round's tile and what the face-down piles still hold."""

    event: str
    strength: str
    remaining: dict[str, int]


class ScoreView(Struct, frozen=True):
    """One line of the score sheet; ranks are equal for seats that share a place."""

    seat: int
    coins: int
    goods: dict[str, int]
    goods_points: int
    stations: int
    citizens: int
    status: int
    status_points: int
    total: int
    rank: int


class Board(Struct, frozen=True):
    """The whole table as one viewer sees it. ``scores`` is filled when the game is over.

    ``box`` is what was never in the game, ``removed`` what has left it, ``turned`` the hour glass tiles of past rounds,
    ``event_seats`` how many seats this round's event has reached, ``action_place`` the place of a half-done action,
    ``draws`` how often chance has picked from each zone: with them an operator's board is the whole position.
    """

    round: int
    phase: str
    start_seat: int
    acting_seat: int
    deciding: tuple[int, ...]
    hour_glass: HourGlassView
    supply: dict[str, int]
    goods_market: dict[str, int]
    technology: int
    place_tiles_1: tuple[str, ...]
    place_tiles_2: tuple[str, ...]
    citizens_on_tracks: tuple[str, ...]
    ways: tuple[WayView, ...]
    deeds: tuple[DeedView, ...]
    seats: tuple[SeatView, ...]
    removed: dict[str, int]
    scores: tuple[ScoreView, ...]
    box: dict[str, int] = {}
    turned: dict[str, int] = {}
    event_seats: int = 0
    action_place: str = ""
    draws: dict[str, int] = {}
