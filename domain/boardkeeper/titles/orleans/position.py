"""A position of Orléans: an operator's board, read back into the layout of a table.

What FEN is to chess: the whole typed board with nothing hidden describes a table completely, so a game can begin
from it. Nothing on the board is trusted, and all that is wrong is said at once:

* :mod:`boardkeeper.titles.orleans.position_checks`: is each thing by itself possible, and is nothing missing?
* :mod:`boardkeeper.titles.orleans.position_decisions`: are the open decisions those of the phase, and do the rules know
  a way on from them?
* :mod:`boardkeeper.titles.orleans.position_echo`: does what follows from the rest agree with it?

One problem hides another only where the second cannot be told without the first:

* wrong seats hide everything, as everything belongs to a seat,
* a bag that is not shown hides which components are missing,
* a wrong round, phase, start player, hour glass tile, deed or farmers track hides what the rules say to the open
  decisions, and what follows from the rest; anything else that is wrong hides that of its own seat or field only
  (:mod:`boardkeeper.titles.orleans.position_remains`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Scalar
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.material import Material
from boardkeeper.table.table import Table
from boardkeeper.table.title import PositionError, PositionProblem
from boardkeeper.table.visibility import OPERATOR, PUBLIC, behind, secret
from boardkeeper.titles.orleans import position_checks, position_decisions, position_echo, position_remains, setup
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.board_view import board_of
from boardkeeper.titles.orleans.data import Data
from boardkeeper.titles.orleans.material import Orleans
from boardkeeper.titles.orleans.phases.flow import HOOKS
from boardkeeper.titles.orleans.position_contents import Lying, contents, space_zone

_NO_DICE = Dice(b"")
"""For a table that is only looked at."""


def layout_of(data: Data, players: int, board: Board) -> TableLayout:
    """The layout of the table that the board shows; raises :class:`PositionError` with everything that is wrong."""
    lying = list(contents(data, board))
    problems = position_checks.of_seats(players, board) or _problems(data, players, board, lying)
    if problems:
        raise PositionError(problems)
    return _layout(data, players, board, lying)


def unsound(data: Data, players: int, table: Table) -> Sequence[PositionProblem]:
    """Why a table that somebody else wrote is none that its board describes, but for what no board shows.

    Between markers of a fork and of a position there may be differences that no longer matter to anybody.
    """
    board = board_of(Orleans(Material(table, _NO_DICE), data, players, HOOKS), OPERATOR)
    try:
        described = Table(layout_of(data, players, board))
    except PositionError as error:
        return error.problems
    alike = described.contents()["zones"] == table.contents()["zones"]
    if alike and board_of(Orleans(Material(described, _NO_DICE), data, players, HOOKS), OPERATOR) == board:
        return ()
    return [PositionProblem("", "must be one that a board of Orléans can describe")]


def _problems(data: Data, players: int, board: Board, lying: list[Lying]) -> list[PositionProblem]:
    alone = position_checks.of_each_thing(data, players, board, lying)
    counts = position_checks.of_counts(data, players, board, lying)
    decisions = list(position_decisions.of_board(data, board))
    if not position_remains.can_be_asked(alone):
        return [*alone, *counts, *decisions]
    sound = position_checks.sound(data, players, lying)
    layout = _layout(data, players, position_remains.mended(data, board), sound)
    t = Orleans(Material(Table(layout), _NO_DICE), data, players, HOOKS)
    asked = [*position_echo.problems(t, board), *position_decisions.of_table(t)]
    return [*alone, *counts, *decisions, *position_remains.elsewhere(asked, alone)]


def _layout(data: Data, players: int, board: Board, lying: Iterable[Lying]) -> TableLayout:
    empty = setup.declared(data, players).layout
    piles: dict[str, Counter[str]] = {zone.id: Counter() for zone in empty.zones}
    for _, zone, component, count in lying:
        piles[zone][component] += count
    values = dict(markers(data, board))
    seen = visibilities(data, board)
    return TableLayout(
        seats=players,
        zones=tuple(
            type(zone)(
                zone.id,
                seen.get(zone.id, zone.visibility),
                dict(+piles[zone.id]),
                zone.stack,
                board.draws.get(zone.id, 0),
            )
            for zone in empty.zones
        ),
        markers=tuple(
            type(marker)(marker.id, values.get(marker.id, marker.value), seen.get(marker.id, marker.visibility))
            for marker in empty.markers
        ),
        decisions=tuple(seat.decision for seat in board.seats),
    )


def visibilities(data: Data, board: Board) -> dict[str, str]:
    """Which zones and markers are seen otherwise than on a new table: those behind screens, in sealed planning."""
    if data.options.planning != "sealed":
        return {}
    seen: dict[str, str] = {}
    for seat in board.seats:
        screen = f"seat.{seat.seat}.screen"
        planning = board.phase == "planning"
        if planning:
            seen[screen] = secret(seat.seat)
        for place in seat.places:
            for space in place.spaces:
                zone = space_zone(data, seat, place.place, space.space)
                lasts = space.occupant == TECHNOLOGY or not data.places[place.place].market_extension
                fixed = planning and space.occupant and not space.placed_now and lasts
                seen[zone] = seen[f"{zone}.placed"] = PUBLIC if fixed else behind(screen)
    return seen


# --- what the markers say --------------------------------------------------------------------------------------


def markers(data: Data, board: Board) -> Iterator[tuple[str, Scalar]]:
    """Every marker that the board tells of, with its value."""
    table: dict[str, Scalar] = {
        "round": board.round,
        "phase": board.phase,
        "start_seat": board.start_seat,
        "acting_seat": board.acting_seat,
        "cursor": board.event_seats,
        "event": board.hour_glass.event,
        "strength": board.hour_glass.strength,
        "action_place": board.action_place,
    }
    yield from table.items()
    for seat in board.seats:
        own = f"seat.{seat.seat}"
        values: dict[str, Scalar] = {
            "coins": seat.coins,
            "development": seat.development,
            "merchant": seat.merchant,
            "passed": int(seat.passed),
            "planned": int(seat.planning_finished),
            "given_up_draws": seat.given_up_draws,
            "draws_made": seat.draws_made,
            "debt": seat.debt,
            "arrears": seat.arrears,
            "best_development": seat.best_development,
            "food_due": seat.food_due,
            "technology_placed": seat.technology_placed,
            "farmer_only_technology": seat.farmer_only_technology,
            **seat.tracks,
        }
        for name, value in values.items():
            yield f"{own}.{name}", value
        for place in seat.places:
            for space in place.spaces:
                if space.placed_now:
                    placed = -board.round if space.from_tower else board.round
                    yield f"{space_zone(data, seat, place.place, space.space)}.placed", placed
