"""How sure each fact is, is said of each fact, in one form, and no surer than our sources are."""

from __future__ import annotations

import pytest

from boardkeeper.testkit.provenance import assert_well_formed, claims, kinds, sources
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.tables import tables_of
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = [edition.id for edition in TITLE.meta.editions]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_provenance_has_the_form_that_clients_can_read(edition: str) -> None:
    assert_well_formed(tables_of(edition))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_source_is_named_and_used(edition: str) -> None:
    used = {key for _, said in claims(tables_of(edition)) for key in sources(said)}
    assert used <= set(TITLE.meta.sources)


def test_no_source_is_named_in_vain() -> None:
    used = {key for edition in EDITIONS for _, said in claims(tables_of(edition)) for key in sources(said)}
    assert set(TITLE.meta.sources) - used == {"R000", "R001", "R003"}, "the rulebooks, which are named as such"


@pytest.mark.parametrize("edition", EDITIONS)
def test_whatever_says_something_says_how_sure_it_is(edition: str) -> None:
    """Each table with a name, a number or a list has a provenance of its own or of the table that it stands in."""
    tables = tables_of(edition)
    for group in ("game", "market", "coins", "development", "map", "hour_glass"):
        assert "provenance" in tables[group], group
    for group in ("seat_colors", "characters", "goods", "supply", "tracks", "deeds", "places", "place_tiles", "pieces"):
        for id, table in tables[group].items():
            assert "provenance" in table, (group, id)


# --- what our sources do not say -----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_rulebooks_show_in_pictures_only_is_not_theirs(edition: str) -> None:
    """Spaces of market, tracks, deeds and places, except where the text tells them."""
    tables = tables_of(edition)
    pictures = [tables["market"], tables["development"], tables["map"]]
    pictures += [*tables["tracks"].values(), *tables["deeds"].values()]
    for table in pictures:
        assert kinds(table["provenance"])[0] == "public", table
    for id, table in (*tables["places"].items(), *tables["place_tiles"].items()):
        surest = table["provenance"].split("; ")[0]
        told = id in ("farm_house", "town_hall", "sacristy", "pharmacy", "gunpowder_tower", "bathhouse")
        assert told or surest == "rulebook: effect" or not surest.startswith("rulebook"), (id, surest)


def test_four_colors_are_in_the_rulebooks_and_the_fifth_is_in_none() -> None:
    colors = tables_of("capstone-2021")["seat_colors"]
    assert [kinds(color["provenance"]) for color in colors.values()] == [["rulebook"]] * 4 + [["reconstructed"]]


def test_what_the_text_of_a_printing_lacks_is_not_told_from_its_rulebook() -> None:
    """The first printings' appendix and component list are lost, and pages of the 8th edition."""
    first, eighth = tables_of("dlp-2014"), tables_of("dlp-8th")
    for table in (*first["place_tiles"].values(), first["coins"], first["pieces"]["technology"]):
        assert "rulebook" not in kinds(table["provenance"])
    for id in ("castle", "monastery", "university"):
        assert "rulebook" not in kinds(eighth["places"][id]["provenance"])
        assert "rulebook" in kinds(first["places"][id]["provenance"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_catalogue_tells_of_each_component_what_its_table_says(edition: str) -> None:
    tables = tables_of(edition)
    found = {component.id: component.provenance for component in TITLE.components(Setup(edition, 2))}
    for group in ("characters", "goods", "tracks", "deeds", "places", "place_tiles"):
        for id, table in tables[group].items():
            assert found[id] == table["provenance"]
    assert found["pilgrimage.START"] == "rulebook"
    assert kinds(found["harvest.B"]) == ["rulebook", "public", "reconstructed"]
