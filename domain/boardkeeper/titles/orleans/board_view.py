"""Conversion of the table to the typed board that a viewer sees."""

from __future__ import annotations

from boardkeeper.families.followers.board import DeedView, view_scores, view_seat, view_table
from boardkeeper.families.followers.data import CITIZEN
from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.orleans import board as b
from boardkeeper.titles.orleans import scoring
from boardkeeper.titles.orleans.material import Orleans, Seat


def board_of(t: Orleans, viewer: int) -> b.Board:
    """Return the board for a viewer. Zones that the viewer does not see are empty; their counts are public."""
    sheets = dict(enumerate(scoring.sheets(t), 1)) if t.is_over() else {}
    return view_table(
        b.Board,
        t,
        viewer,
        hour_glass=b.HourGlassView(
            event=t.event.value,
            strength=t.strength.value,
            remaining={tile: count for pile in t.hour_glass.values() for tile, count in pile.items.items()},
        ),
        place_tiles_1=tuple(tile for tile in t.data.place_tiles if tile in t.place_tiles["1"].items),
        place_tiles_2=tuple(tile for tile in t.data.place_tiles if tile in t.place_tiles["2"].items),
        citizens_on_tracks=_list_citizens(t),
        ways=tuple(b.WayView(way.id, way.kind, way.towns, t.ways[way.id].counts()) for way in t.data.ways),
        deeds=tuple(_view_deed(t, deed) for deed in t.data.deeds),
        seats=tuple(_view_seat(t, seat, viewer) for seat in t.seats),
        scores=view_scores(b.ScoreView, sheets),
        event_seats=t.cursor.value,
        draws={id: zone.counter for id, zone in t.table.zones.items() if zone.counter},
    )


def _list_citizens(t: Orleans) -> tuple[str, ...]:
    homes = (*t.development_citizens.values(), *t.track_citizens.values(), t.citizen_of_stations)
    return tuple(pile.id.removeprefix("track.") for pile in homes if pile.items)


def _view_deed(t: Orleans, id: str) -> DeedView:
    deed = t.data.deeds[id]
    contents = t.deeds[id].counts()
    citizen = contents.pop(CITIZEN, 0) > 0
    return DeedView(id, contents, {who: spaces_left(t, deed, who) for who in deed.spaces}, citizen)


def _view_seat(t: Orleans, seat: Seat, viewer: int) -> b.SeatView:
    return view_seat(
        b.SeatView,
        t,
        seat,
        viewer,
        color=t.data.colors[seat.number - 1],
        tracks={track: marker.value for track, marker in seat.track.items()},
        status=seat.status(),
        draw_limit=t.data.draw_limit(seat.track["knights"].value),
        stations_in_supply=seat.stations.total(),
        stations=tuple(town for town, pile in t.towns.items() if seat.station in pile.items),
        farmer_only_technology=seat.farmer_only.value,
        best_development=seat.furthest_development(),
    )
