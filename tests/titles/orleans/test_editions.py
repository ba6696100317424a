"""The three printings: what each has in its box, what its readings are, and what it calls things."""

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
from boardkeeper.titles.orleans.tables import tables_of
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = ("dlp-2014", "dlp-8th", "capstone-2021")
LARGEST = {"dlp-2014": 4, "dlp-8th": 5, "capstone-2021": 5}
PRINTINGS = [(edition, players) for edition in EDITIONS for players in range(2, LARGEST[edition] + 1)]
GERMAN = ("dlp-2014", "dlp-8th")


@pytest.mark.parametrize(("edition", "players"), PRINTINGS)
def test_every_printing_lays_the_same_supplies_for_as_many_players(edition: str, players: int) -> None:
    """What some printings remove in words and others list in a table comes to the same (components.md 9)."""
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
def test_the_box_of_a_printing_holds_its_largest_game(edition: str) -> None:
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
def test_a_printing_seats_no_more_than_it_has_colors_for(edition: str) -> None:
    for players in (1, LARGEST[edition] + 1):
        with pytest.raises(ChoiceError, match=f"must be 2 to {LARGEST[edition]} in the edition"):
            complete(TITLE.meta, Setup(edition, players))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_first_technology_tile_of_a_printing(edition: str) -> None:
    """One of the Laboratory that comes first is free in the German rulebooks and bound to a farmer in Capstone's."""
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
def test_the_first_craftsman_of_a_printing(edition: str) -> None:
    """Its tile replaces a farmer in all of them, but they give different reasons."""
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
def test_the_draw_of_a_printing(edition: str) -> None:
    """The German sentence that the first printings share with the 8th edition is there "up to" in English."""
    game = OrleansGame(2, edition).market(1).bag(1, monk=6)
    game.enter("followers")
    assert game.legal(1) == [c.DrawFollowers(count) for count in range(5)]
    assert len(detail(game.do(1, c.DrawFollowers(4)), e.FollowersDrawn).followers) == 4


@pytest.mark.parametrize("edition", EDITIONS)
def test_taking_back_of_a_printing(edition: str) -> None:
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
def test_a_step_back_from_a_coin_space_in_a_printing(edition: str) -> None:
    """All of them forbid to step onto a coin space or across it, none to leave it (Torture, Folter)."""
    game = OrleansGame(2, edition).at(1, development=7, coins=0).goods(1, wool=1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    assert game.seat(1).development.value == 6


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_horse_wagon_of_a_printing(edition: str) -> None:
    """Capstone's and the 8th edition say that it collects a good, and what the first printings say is lost to us."""
    game = OrleansGame(2, edition).own(1, "horse_wagon").fill(1, "horse_wagon").on_way("orleans_vierzon_road", wool=1)
    game.enter("actions")
    refusal = game.reject(1, c.Travel("horse_wagon", "vierzon"), "orleans.horse_wagon.collects", "GOOD_LEFT")
    references = {rule.id: rule for rule in TITLE.rules()}[refusal.rule].references
    assert not any(reference.endswith(RULING) for reference in references.values())
    game.do(1, c.Travel("horse_wagon", "vierzon", "wool"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_end_of_the_development_track_in_a_printing(edition: str) -> None:
    """The note on the ends of all tracks (Burg) counts for this one in the first printings, and closes its actions."""
    game = OrleansGame(2, edition).at(1, development=30).fill(1, "scriptorium")
    game.enter("actions")
    if edition == "dlp-2014":
        game.reject(1, c.UsePlace("scriptorium"), "orleans.development.end_closes", "TRACK_END")
    else:
        game.do(1, c.UsePlace("scriptorium"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_coin_space_in_a_printing_pays_once(edition: str) -> None:
    """None of them says what becomes of it after steps back, and we let it pay no second time."""
    game = OrleansGame(2, edition).at(1, development=7, coins=0).goods(1, wool=1).bag(1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment())
    game.fill(1, "scriptorium").enter("actions")
    assert detail(game.do(1, c.UsePlace("scriptorium")), e.DevelopmentAdvanced).coins == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_technology_of_a_printing_waits_for_the_pass_and_needs_a_fixed_character(edition: str) -> None:
    """None places it while planning, none at the Town Hall; the latter only Capstone's rulebook puts beyond doubt."""
    game = OrleansGame(2, edition).technology(1, 2).at(1, technology_placed=1, craftsmen=3)
    game.enter("planning")
    game.reject(1, c.PlaceTechnology("ship", "farmer"), "orleans.technology.after_passing", "PASS_FIRST")
    game.enter("actions")
    game.do(1, c.Pass())
    refusal = game.reject(1, c.PlaceTechnology("town_hall", "any"), "orleans.technology.fixed_character")
    reference = {rule.id: rule for rule in TITLE.rules()}[refusal.rule].references[edition]
    assert reference.endswith(RULING) == (edition != "capstone-2021")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_of_a_printing_created_before_there_was_a_choice_plays_as_it_did(edition: str) -> None:
    """It says all that there was to choose then, and for the rest what held."""
    said = complete(TITLE.meta, Setup(edition, 4)).readings
    old = {reading.id: said[reading.id] for reading in TITLE.meta.readings if not reading.legacy_choice}
    data = data_for(Setup(edition, 4, readings=old))
    assert data.readings.taking_back_time == "before_drawing"
    assert data.readings.horse_wagon_good == "may"
    assert data.readings.development_end == "points_lost"
    assert data.readings.coin_space_again == "once"
    assert not any(marker.id.endswith("draws_made") for marker in TITLE.layout(Setup(edition, 4, {}, old)).markers)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_catalogue_has_every_component_of_the_box_with_its_names(edition: str) -> None:
    """What can lie in a zone, and what stands for a marker; with both names, and how sure all that is."""
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
def test_what_is_not_chosen_is_as_the_edition_reads_it(edition: str) -> None:
    """Whoever leaves the readings out gets those of the edition, as a game does that is created without choices."""
    chosen = complete(TITLE.meta, Setup(edition, 4))
    assert data_for(Setup(edition, 4)).readings == data_for(chosen).readings
    other = data_for(Setup(edition, 4, readings={"event_order": "simultaneous"}))
    assert other.readings == msgspec.structs.replace(data_for(chosen).readings, event_order="simultaneous")


def test_what_there_is_not_cannot_be_chosen() -> None:
    with pytest.raises(ValueError, match=r"^orleans has no edition 'none'$"):
        data_for(Setup("none", 4))
    with pytest.raises(ValueError, match=r"^orleans has no reading 'a'$"):
        data_for(Setup("dlp-8th", 4, readings={"b": "x", "a": "x", "draw_amount": "fixed"}))
    with pytest.raises(ValueError, match=r"^orleans has no option 'c'$"):
        data_for(Setup("dlp-8th", 4, {"c": "x"}))


def test_options_leave_the_tables_of_the_edition_as_they_are() -> None:
    """All games of an edition share its tables: what one game chooses is nothing to the next."""
    tables = tables_of("capstone-2021")
    before = copy.deepcopy(tables)
    for options in ({}, {"bathhouse": "passive", "hour_glass": "ungraded", "hour_glass_split": "b"}):
        data_for(Setup("capstone-2021", 4, options))
        assert variants.apply_options(tables, Options(**options)) != before
        assert tables == before
