"""The three printings: their boxes, readings and names."""

from __future__ import annotations

import copy

import msgspec
import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.titlekit.rules_catalogue import RULING
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans import variants
from boardkeeper.titles.orleans.data import CHARACTERS, Options, data_for
from boardkeeper.titles.orleans.material import box
from boardkeeper.titles.orleans.meta import tables_of
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = ("dlp-2014", "dlp-8th", "capstone-2021")
LARGEST = {"dlp-2014": 4, "dlp-8th": 5, "capstone-2021": 5}
PRINTINGS = [(edition, players) for edition in EDITIONS for players in range(2, LARGEST[edition] + 1)]
GERMAN = ("dlp-2014", "dlp-8th")


@pytest.mark.parametrize(("edition", "players"), PRINTINGS)
def test_all_printings_have_the_same_supplies(edition: str, players: int) -> None:
    """Some printings say what to remove, others have a table; the results are equal (components.md 9)."""
    game = OrleansGame(players, edition)
    supply = {
        2: (12, 6, 6, 6, 8, 8, 8),
        3: (14, 8, 8, 8, 11, 11, 11),
        4: (16, 10, 10, 10, 14, 14, 14),
        5: (18, 12, 12, 12, 17, 17, 17),
    }
    assert tuple(game.counts("supply")[character] for character in CHARACTERS) == supply[players]
    assert game.t.technology.total() == (20 if players == 5 else 16)
    on_map = sum(way.total() for way in game.t.ways.values())
    market = game.t.goods_market.total()
    assert (on_map, market) == {2: (43, 35), 3: (48, 36), 4: (52, 38), 5: (52, 38)}[players]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_box_has_exactly_the_components_of_the_largest_game(edition: str) -> None:
    """104 character tiles, 40 trading stations and 16 technology tiles in the first printings, else 125, 50 and 20."""
    box = OrleansGame(2, edition).components
    characters = sum(count for component, count in box.items() if component.removeprefix("own_") in CHARACTERS)
    stations = sum(count for component, count in box.items() if component.startswith("station."))
    largest = LARGEST[edition]
    expected = (104, 40, 16) if largest == 4 else (125, 50, 20)
    assert (characters, stations, box["technology"]) == expected
    assert box["citizen"] == 14
    assert OrleansGame(largest, edition).counts("box") == {}, "nothing stays in the box with the most players"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_number_of_players_is_limited_by_the_printing(edition: str) -> None:
    for players in (1, LARGEST[edition] + 1):
        with pytest.raises(ChoiceError, match=f"must be 2 to {LARGEST[edition]} in the edition"):
            complete(TITLE.meta, Setup(edition, players))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_first_technology_tile_from_the_laboratory(edition: str) -> None:
    """In the German rulebooks it may be on any space; in Capstone's it must replace a farmer."""
    game = OrleansGame(2, edition).own(1, "laboratory").fill(1, "laboratory")
    game.enter("actions")
    game.do(1, c.UsePlace("laboratory"))
    game.idle(2)
    game.do(1, c.Pass())
    placed = c.PlaceTechnology("scriptorium", "knight")
    if edition in GERMAN:
        game.do(1, placed)
    else:
        game.reject(1, placed, "orleans.technology.first_replaces_farmer")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_first_technology_tile_from_a_craftsman(edition: str) -> None:
    """In all printings it must replace a farmer, but by different rules."""
    game = OrleansGame(2, edition).fill(1, "village")
    game.enter("actions")
    game.do(1, c.RecruitFollower("village", "craftsman"))
    game.idle(2)
    game.do(1, c.Pass())
    german = "orleans.technology.craftsmen_space_replaces_farmer"
    rule = german if edition in GERMAN else "orleans.technology.first_replaces_farmer"
    game.reject(1, c.PlaceTechnology("scriptorium", "knight"), rule, "FARMER_ONLY")
    game.do(1, c.PlaceTechnology("ship", "farmer"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_seat_may_draw_fewer_in_all_printings(edition: str) -> None:
    """The 8th edition translates the German sentence of the first printings as "up to"."""
    game = OrleansGame(2, edition).market(1).bag(1, monk=6)
    game.enter("followers")
    assert game.legal(1) == [c.DrawFollowers(count) for count in range(5)]
    assert len(detail(game.do(1, c.DrawFollowers(4)), e.FollowersDrawn).followers) == 4


@pytest.mark.parametrize("edition", EDITIONS)
def test_taking_back_after_drawing_depends_on_the_printing(edition: str) -> None:
    """The German example takes back and then draws, the English one draws and then takes back."""
    game = OrleansGame(2, edition).at(1, knights=2).market(1).bag(1, farmer=8).market(2).bag(2)
    game.fill(1, "scriptorium").enter("followers")
    game.do(1, c.DrawFollowers(4))
    back = c.TakeBackFollower("scriptorium", "knight")
    if edition == "dlp-2014":
        game.reject(1, back, "table.wrong_decision")
        assert game.decision(1) == "plan"
    else:
        game.do(1, back)
        assert game.decision(1) == "take_back"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_marker_may_step_back_from_a_coin_space_in_all_printings(edition: str) -> None:
    """They forbid a step onto or across a coin space, but not from it (Torture, Folter)."""
    game = OrleansGame(2, edition).at(1, development=7, coins=0).goods(1, wool=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    assert game.seat(1).development.value == 6


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_horse_wagon_collects_a_good_in_all_printings(edition: str) -> None:
    """Capstone's and the 8th edition say so; the text of the first printings is not available to us."""
    game = OrleansGame(2, edition).own(1, "horse_wagon").fill(1, "horse_wagon").on_way("orleans_vierzon_road", wool=1)
    game.enter("actions")
    rejection = game.reject(1, c.Travel("horse_wagon", "vierzon"), "orleans.horse_wagon.collects", "GOOD_LEFT")
    references = {rule.id: rule for rule in TITLE.rules()}[rejection.rule].references
    assert not any(reference.endswith(RULING) for reference in references.values())
    game.do(1, c.Travel("horse_wagon", "vierzon", "wool"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_end_of_the_development_track_depends_on_the_printing(edition: str) -> None:
    """In the first printings the note on the ends of tracks (Burg) applies: the end closes the actions."""
    game = OrleansGame(2, edition).at(1, development=30).fill(1, "scriptorium")
    game.enter("actions")
    if edition == "dlp-2014":
        game.reject(1, c.UsePlace("scriptorium"), "orleans.development.end_closes", "TRACK_END")
    else:
        game.do(1, c.UsePlace("scriptorium"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_coin_space_pays_once_in_all_printings(edition: str) -> None:
    """No printing says what happens after steps back; by our ruling it does not pay again."""
    game = OrleansGame(2, edition).at(1, development=7, coins=0).goods(1, wool=1).bag(1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "scriptorium").enter("actions")
    assert detail(game.do(1, c.UsePlace("scriptorium")), e.DevelopmentAdvanced).coins == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_technology_is_placed_after_passing_on_fixed_characters_in_all_printings(edition: str) -> None:
    """Only Capstone's rulebook says that it is not placed in the Town Hall; for the others it is our ruling."""
    game = OrleansGame(2, edition).technology(1, 2).at(1, technology_placed=1, craftsmen=3)
    game.enter("planning")
    game.reject(1, c.PlaceTechnology("ship", "farmer"), "orleans.technology.after_passing", "PASS_FIRST")
    game.enter("actions")
    game.do(1, c.Pass())
    rejection = game.reject(1, c.PlaceTechnology("town_hall", "any"), "orleans.technology.fixed_character")
    reference = {rule.id: rule for rule in TITLE.rules()}[rejection.rule].references[edition]
    assert reference.endswith(RULING) == (edition != "capstone-2021")


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_created_before_a_reading_existed_use_its_legacy_choice(edition: str) -> None:
    complete_readings = complete(TITLE.meta, Setup(edition, 4)).readings
    old = {reading.id: complete_readings[reading.id] for reading in TITLE.meta.readings if not reading.legacy_choice}
    data = data_for(Setup(edition, 4, readings=old))
    assert data.readings.taking_back_time == "before_drawing"
    assert data.readings.horse_wagon_good == "may"
    assert data.readings.development_end == "points_lost"
    assert data.readings.coin_space_again == "once"
    assert not any(marker.id.endswith("draws_made") for marker in TITLE.layout(Setup(edition, 4, {}, old)).markers)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_catalogue_has_every_component_of_the_box(edition: str) -> None:
    """Components of zones and pieces for markers, with names in both languages and provenance."""
    most = TITLE.meta.edition(edition).players[1]
    found = TITLE.components(Setup(edition, most))
    pieces = {component.id: component.facts["in_box"] for component in found if component.kind == "piece"}
    contents = box(data_for(Setup(edition, most)))
    assert contents.keys() <= {component.id for component in found}
    assert {id: str(contents[id]) for id in pieces if id in contents}.items() <= pieces.items()
    assert {id: pieces[id] for id in pieces if id not in contents} == {
        "merchant": str(most),
        "marker": str(7 * most),
        "start_player": "1",
        "game_board": "1",
        "deeds_board": "1",
        "player_board": str(most),
        "bag": str(most),
        "overview": "2",
        "manual": "1",
        "coins": "86" if edition == "capstone-2021" else "47",
    }
    assert all(component.text["en"] and component.text["de"] and component.provenance for component in found)
    assert len({(component.kind, component.id) for component in found}) == len(found)


@pytest.mark.parametrize("edition", EDITIONS)
def test_readings_default_to_those_of_the_edition(edition: str) -> None:
    chosen = complete(TITLE.meta, Setup(edition, 4))
    assert data_for(Setup(edition, 4)).readings == data_for(chosen).readings
    other = data_for(Setup(edition, 4, readings={"event_order": "simultaneous"}))
    assert other.readings == msgspec.structs.replace(data_for(chosen).readings, event_order="simultaneous")


def test_unknown_editions_readings_and_options_are_value_errors() -> None:
    with pytest.raises(ValueError, match=r"^orleans has no edition 'none'$"):
        data_for(Setup("none", 4))
    with pytest.raises(ValueError, match=r"^orleans has no reading 'a'$"):
        data_for(Setup("dlp-8th", 4, readings={"b": "x", "a": "x", "draw_amount": "fixed"}))
    with pytest.raises(ValueError, match=r"^orleans has no option 'c'$"):
        data_for(Setup("dlp-8th", 4, {"c": "x"}))


def test_options_do_not_change_the_tables_of_the_edition() -> None:
    """All games of an edition share its tables."""
    tables = tables_of("capstone-2021")
    before = copy.deepcopy(tables)
    for options in ({}, {"bathhouse": "passive", "hour_glass": "ungraded", "hour_glass_split": "b"}):
        data_for(Setup("capstone-2021", 4, options))
        assert variants.apply_options(tables, Options(**options)) != before
        assert tables == before
