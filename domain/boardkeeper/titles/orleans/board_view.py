"""Builds the typed board from the table, for one viewer."""

from __future__ import annotations

from msgspec.structs import asdict

from boardkeeper.families.followers.board import places_of
from boardkeeper.families.followers.data import CITIZEN, TECHNOLOGY
from boardkeeper.families.followers.phases.verbs.deeds import free_spaces
from boardkeeper.table.visibility import sees
from boardkeeper.titles.orleans import scoring
from boardkeeper.titles.orleans.bindings import Orleans, Seat
from boardkeeper.titles.orleans.board import (
    Board,
    DeedView,
    HourGlassView,
    ScoreView,
    SeatView,
    WayView,
)


def board_of(t: Orleans, viewer: int) -> Board:
    """The whole table; what the viewer does not see is left empty, with its count."""
    return Board(
        round=t.round.value,
        phase=t.phase.value,
        start_seat=t.start.value,
        acting_seat=t.acting.value,
        deciding=tuple(t.table.deciding()),
        hour_glass=HourGlassView(
            event=t.event.value,
            strength=t.strength.value,
            remaining={tile: count for pile in t.hour_glass.values() for tile, count in pile.items.items()},
        ),
        supply=t.supply.counts(),
        goods_market=t.goods_market.counts(),
        technology=t.technology.total(),
        place_tiles_1=tuple(tile for tile in t.data.place_tiles if tile in t.place_tiles["1"].items),
        place_tiles_2=tuple(tile for tile in t.data.place_tiles if tile in t.place_tiles["2"].items),
        citizens_on_tracks=_citizens(t),
        ways=tuple(WayView(way.id, way.kind, way.towns, t.ways[way.id].counts()) for way in t.data.ways),
        deeds=tuple(_deed(t, deed) for deed in t.data.deeds),
        seats=tuple(_seat(t, seat, viewer) for seat in t.seats),
        removed=t.removed.counts(),
        scores=_scores(t),
        box=t.box.counts(),
        turned=t.turned.counts(),
        event_seats=t.cursor.value,
        action_place=t.action_place.value,
        draws={id: zone.counter for id, zone in t.table.zones.items() if zone.counter},
    )


def _citizens(t: Orleans) -> tuple[str, ...]:
    homes = (*t.development_citizens.values(), *t.track_citizens.values(), t.citizen_of_stations)
    return tuple(pile.id.removeprefix("track.") for pile in homes if pile.items)


def _deed(t: Orleans, id: str) -> DeedView:
    deed = t.data.deeds[id]
    contents = t.deeds[id].counts()
    citizen = contents.pop(CITIZEN, 0) > 0
    return DeedView(id, contents, {who: free_spaces(t, deed, who) for who in deed.spaces}, citizen)


def _seat(t: Orleans, seat: Seat, viewer: int) -> SeatView:
    market = sees(t.table, seat.market, viewer)
    return SeatView(
        seat=seat.number,
        color=t.data.colors[seat.number - 1],
        coins=seat.coins.value,
        merchant=seat.merchant.value,
        tracks={track: marker.value for track, marker in seat.track.items()},
        development=seat.development.value,
        status=seat.status(),
        draw_limit=t.data.draw_limit(seat.track["knights"].value),
        goods=seat.goods.counts(),
        citizens=seat.citizens.total(),
        stations_in_supply=seat.stations.total(),
        stations=tuple(town for town, pile in t.towns.items() if seat.station in pile.items),
        technology=seat.technology.items.get(TECHNOLOGY, 0),
        market=seat.market.counts() if market else {},
        drawn=seat.drawn.counts(),
        bag=seat.bag.counts() if sees(t.table, seat.bag, viewer) else {},
        bag_count=seat.bag.total(),
        places=places_of(t, seat, viewer),
        passed=bool(seat.passed.value),
        planning_finished=bool(seat.planned.value),
        decision=t.table.decisions[seat.number],
        debt=seat.debt.value,
        given_up_draws=seat.given_up.value,
        food_due=seat.food_due.value,
        technology_placed=seat.technology_placed.value,
        farmer_only_technology=seat.farmer_only.value,
        arrears=seat.arrears.value,
        best_development=seat.furthest_development(),
        draws_made=seat.made_draws(),
    )


def _scores(t: Orleans) -> tuple[ScoreView, ...]:
    if t.phase.value != "over":
        return ()
    lines = ((seat.number, scoring.sheet(t, seat)) for seat in t.seats)
    return tuple(
        ScoreView(seat=number, **asdict(line))
        for number, line in sorted(lines, key=lambda entry: (entry[1].rank, entry[0]))
    )
