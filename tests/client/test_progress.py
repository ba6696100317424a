"""Progress on tracks and with places, its benefits, and what commands unlock, with a title of these tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from google.protobuf import struct_pb2
from rich.console import Console

from boardkeeper.terminal.drawing import progress, seats
from boardkeeper.terminal.drawing.board import Board, PlacedMarker
from boardkeeper.terminal.drawing.command_menu import build_menu
from boardkeeper.terminal.drawing.phrases import Phrases
from boardkeeper.terminal.drawing.table_views import draw_overview, draw_table, draw_zones
from boardkeeper.terminal.drawing.tracks import draw_tracks
from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.v1 import catalog_pb2, command_pb2, effect_pb2, table_pb2

PHRASES = Phrases(
    facts={"needs": "at least {}", "price": "{} beans", "gift": "gives {}", "cost": "costs {}", "build": "build {}"},
    now={"rank": "×{}", "draw": "draw {}"},
    next={"rank": "from {}: ×{}", "bonus": "bonus at {}"},
    spaces={"road": "mile_{}", "era": "age_{}"},
    details={"build": "plan_{}"},
    times={"mill": "-stones", "barn": "sacks"},
    compared={"goal": "place"},
    adds={"helper": "track"},
)
VALUES: Mapping[str, Mapping[str, Any]] = {
    "board": {"rounds": 9},
    "road": {"rank": {"0": 1, "10": 3, "4": 2}, "bonus": [3, 8], "draw": [5, 6]},
    "mile_3": {"gift": "bread"},
    "age_1": {"gift": "seeds"},
    "age_2": {"gift": "wine"},
    "mill": {"needs": [0, 2, 4], "price": [1, 1, 2], "limit": 3},
    "barn": {"price": [2], "limit": 4},
    "baker": {"road": 2},
    "goal_mill": {"place": "mill"},
    "yard": {"build": "hut"},
    "plan_hut": {"cost": 2},
    "cart.1": {"seat": 1},
    "quest": {"needs": 3},
    "bread": {"cost": 4},
}
SEAT_ZONES = {"stones": "pieces", "sacks": "scored", "helper": "helper", "places": "places"}


def marker(id: str, text: str, kind: str, component: str = "", *, seat: int = 1) -> catalog_pb2.MarkerEntry:
    return catalog_pb2.MarkerEntry(id=id, text=text, kind=kind, component=component, seat=seat, chart=seat > 0)


def viewpoint() -> Viewpoint:
    components = []
    for id, values in VALUES.items():
        entry = catalog_pb2.Component(
            id=id, kind="mission" if id == "quest" else "", text=id.partition(".")[0].replace("_", " ").capitalize()
        )
        entry.values.update(values)
        components.append(entry)
    zones = [
        catalog_pb2.ZoneEntry(id=f"seat.{seat}.{it}", text=it.capitalize(), seat=seat, kind=kind)
        for seat in (1, 2)
        for it, kind in SEAT_ZONES.items()
    ]
    zones += [
        catalog_pb2.ZoneEntry(
            id=f"seat.1.mill.{it}", seat=1, kind="space", component="mill", symbol=symbol, position=it, text=symbol
        )
        for it, symbol in ((1, "monk"), (2, "farmer|knight"))
    ]
    zones += [
        catalog_pb2.ZoneEntry(id="goal", text="Goal", kind="goal"),
        catalog_pb2.ZoneEntry(id="field", text="Field", kind="field"),
        catalog_pb2.ZoneEntry(id="supply", text="Supply", kind="supply"),
        catalog_pb2.ZoneEntry(id="mission", text="Mission", kind="mission"),
    ]
    zones += [catalog_pb2.ZoneEntry(id=f"order.{it}", text=f"Order {it}", kind="order", position=it) for it in (1, 2)]
    markers = [
        marker("round", "Round", "round", seat=0),
        catalog_pb2.MarkerEntry(id="fulfilled", text="Fulfilled", kind="flag", zone="mission"),
        marker("place_in_use", "Place in use", "place", seat=0),
        marker("seat.1.road", "Road", "track", "road"),
        marker("seat.1.age", "Age", "era"),
        marker("seat.1.coins", "Coins", "count"),
    ]
    title = catalog_pb2.GetTitleResponse(components=components, zones=zones, markers=markers)
    return Viewpoint.of(title, "en", {1: "Anna", 2: "Bruno"}, 1, PHRASES)


def zone(id: str, **counts: int) -> table_pb2.Zone:
    contents = [table_pb2.Held(component=it.replace("__", "."), count=count) for it, count in counts.items()]
    return table_pb2.Zone(id=id, seen=True, count=sum(counts.values()), contents=contents)


def board(road: int = 0) -> Board:
    numbers = {"round": 2, "fulfilled": 1, "seat.1.road": road, "seat.1.age": 1, "seat.1.coins": 0}
    held = {
        "seat.1.stones": zone("seat.1.stones", stone=2),
        "seat.1.sacks": zone("seat.1.sacks"),
        "seat.1.helper": zone("seat.1.helper", baker=1),
        "seat.2.stones": zone("seat.2.stones", stone=3),
        "goal": zone("goal", goal_mill=1),
        "field": zone("field", cart__1=2),
        "mission": zone("mission", quest=1, bread=2),
        "supply": zone("supply", bread=9, stone=1),
        **{f"seat.1.mill.{it}": zone(f"seat.1.mill.{it}") for it in (1, 2)},
        **{f"order.{it}": zone(f"order.{it}") for it in (1, 2)},
    }
    table = table_pb2.Table(
        zones=held.values(),
        markers=[table_pb2.Marker(id=id, value=effect_pb2.Scalar(number=it)) for id, it in numbers.items()],
        decisions=["plan", ""],
    )
    return Board(table, viewpoint())


def text(drawn: Any) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as captured:
        console.print(drawn)
    return " ".join(captured.get().split())


def road_marker(drawn: Board) -> PlacedMarker:
    return next(drawn.markers(1, "track"))


@pytest.mark.parametrize(
    ("road", "shown"),
    [
        (0, "0+2 (×1, from 4: ×2, bonus at 3)"),
        (2, "2+2 (×1, draw 6, from 4: ×2, bonus at 3)"),
        (4, "4+2 (×2, from 10: ×3, bonus at 8)"),
        (12, "12+2 (×3)"),
    ],
)
def test_a_track_position_shows_its_benefits_and_the_next_ones(road: int, shown: str) -> None:
    drawn = board(road)
    assert progress.describe_position(drawn, road_marker(drawn), ahead=True) == shown
    now = [it for it in shown[:-1].partition(" (")[2].split(", ") if not it.startswith(("from", "bonus"))]
    assert progress.describe_position(drawn, road_marker(drawn)) == f"{road}+2 ({', '.join(now)})"


def test_the_next_space_with_a_benefit_is_described() -> None:
    drawn = board(1)
    assert progress.next_space(drawn, road_marker(drawn)) == ("3", "mile_3")
    assert [*seats.next_space_rows(drawn, 1)] == [("Road 3", "gives Bread"), ("Age 1", "gives Seeds")]
    drawn = board(4)  # the space 8 has a bonus and no component
    assert progress.next_space(drawn, road_marker(drawn)) == ("8", "road")
    tracks = text(draw_tracks(drawn))
    assert "Age 1 gives Seeds Age 2 gives Wine" in tracks
    assert "Road [....1....]" in tracks  # up to the last space with a bonus
    assert "Road 4+2 (×2)" in text(seats.draw_comparison(drawn))


def test_places_show_their_uses_and_the_next_price() -> None:
    drawn = board()
    assert [progress.count_uses(drawn, 1, it) for it in ("mill", "barn", "yard")] == [1, 0, None]
    assert [progress.name_with_uses(drawn, 1, it) for it in ("mill", "barn", "yard")] == [
        "Mill 1/3",
        "Barn 0/4",
        "Yard",
    ]
    assert seats.describe_place(drawn, "mill", 1) == "at least 2, 1 beans"
    assert seats.describe_place(drawn, "barn", 1) == "2 beans"
    assert seats.describe_place(drawn, "yard", 1) == "build Hut (costs 2)"
    assert progress.count_uses(drawn, 2, "barn") is None  # the table does not show it


def test_the_table_shows_rounds_pieces_and_comparisons() -> None:
    drawn = text(draw_table(board()))
    assert "Round 2/9" in drawn
    assert "On the board: 2× Cart" in drawn
    assert "Coins 0" in drawn
    assert "Goal mill (Anna 1, Bruno 0)" in drawn
    assert "Order 1" not in drawn  # an empty place without a price is not shown


def test_missions_show_requirements_and_deliveries() -> None:
    for view in (draw_table, draw_overview):
        assert text(view(board())).count("Mission Quest: at least 3 + 2× Bread ✓") == 1


def test_zones_show_the_value_of_goods() -> None:
    assert "Supply 9× Bread (costs 4), Stone" in text(draw_zones(board()))


def test_commands_show_what_they_unlock_and_who_fits_a_space() -> None:
    def move(component: str, source: str, target: str) -> effect_pb2.Effect:
        return effect_pb2.Effect(move=effect_pb2.Move(component=component, source=source, target=target, count=1))

    def set(id: str, before: effect_pb2.Scalar, after: effect_pb2.Scalar) -> effect_pb2.Effect:
        return effect_pb2.Effect(set=effect_pb2.Set(marker=id, before=before, after=after))

    older, newer = effect_pb2.Scalar(number=1), effect_pb2.Scalar(number=2)
    commands = {
        "Place 1": move("monk", "seat.1.sacks", "seat.1.mill.1"),
        "Place 2": move("monk", "seat.1.sacks", "seat.1.mill.2"),
        "Open": move("yard", "seat.1.sacks", "seat.1.places"),
        "Advance": set("seat.1.age", older, newer),
        "Use": set("place_in_use", effect_pb2.Scalar(word=""), effect_pb2.Scalar(word="barn")),
    }
    legal = [command_pb2.LegalCommand(sentence=it, effects=[effect]) for it, effect in commands.items()]
    mill, rest = build_menu(legal, board())
    assert mill.heading.plain == "Mill 1/3  □ Monk  □ Farmer/Knight  (at least 2, 1 beans)"
    assert [it.label for it in mill.entries] == ["Monk → Monk", "Monk → Farmer/Knight"]
    assert [(it.label, it.note) for it in rest.entries] == [
        ("Open (build Hut (costs 2))", ""),
        ("Advance (gives Wine)", ""),
        ("Use", "2 beans"),
    ]


def test_values_are_in_the_order_of_the_catalogue() -> None:
    values = struct_pb2.Struct()
    values.update({"spaces": {"mill": 1, "road": 2, "10": 3, "4": 1, "other": 2.5}})
    components = [catalog_pb2.Component(id=it) for it in ("road", "mill")]
    components[0].values.CopyFrom(values)
    read = Viewpoint.of(catalog_pb2.GetTitleResponse(components=components), "en", {}).values["road"]
    assert [*read["spaces"].items()] == [("road", 2), ("mill", 1), ("other", 2.5), ("4", 1), ("10", 3)]
