"""The provenance of the facts in the tables: complete, well formed, and no more certain than the sources."""

from __future__ import annotations

import pytest

from boardkeeper.testkit.provenance import assert_well_formed, claims, kinds, sources
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.meta import tables_of
from boardkeeper.titles.orleans.title import TITLE

EDITIONS = [edition.id for edition in TITLE.meta.editions]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_provenance_is_well_formed(edition: str) -> None:
    assert_well_formed(tables_of(edition))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_used_source_is_listed(edition: str) -> None:
    used = {key for _, claim in claims(tables_of(edition)) for key in sources(claim)}
    assert used <= set(TITLE.meta.sources)


def test_every_listed_source_is_used() -> None:
    used = {key for edition in EDITIONS for _, claim in claims(tables_of(edition)) for key in sources(claim)}
    assert set(TITLE.meta.sources) - used == {"R000", "R001", "R003"}, "claims cite the rulebooks without a key"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_table_has_a_provenance(edition: str) -> None:
    """A table with a name, a number or a list has a provenance, or the table that contains it has one."""
    tables = tables_of(edition)
    for group in ("game", "market", "coins", "development", "map", "hour_glass"):
        assert "provenance" in tables[group], group
    for group in ("seat_colors", "characters", "goods", "supply", "tracks", "deeds", "places", "place_tiles", "pieces"):
        for id, table in tables[group].items():
            assert "provenance" in table, (group, id)


# --- facts that our sources do not contain --------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_facts_that_are_only_in_pictures_do_not_cite_the_rulebook(edition: str) -> None:
    """These are the spaces of the market, tracks, deeds and places, except those in the text."""
    tables = tables_of(edition)
    pictures = [tables["market"], tables["development"], tables["map"]]
    pictures += [*tables["tracks"].values(), *tables["deeds"].values()]
    for table in pictures:
        assert kinds(table["provenance"])[0] == "public", table
    for id, table in (*tables["places"].items(), *tables["place_tiles"].items()):
        first = table["provenance"].split("; ")[0]
        in_text = id in ("farm_house", "town_hall", "sacristy", "pharmacy", "gunpowder_tower", "bathhouse")
        assert in_text or first == "rulebook: effect" or not first.startswith("rulebook"), (id, first)


def test_the_fifth_color_is_in_no_rulebook() -> None:
    colors = tables_of("capstone-2021")["seat_colors"]
    assert [kinds(color["provenance"]) for color in colors.values()] == [["rulebook"]] * 4 + [["reconstructed"]]


def test_facts_of_missing_pages_do_not_cite_the_rulebook() -> None:
    """We do not have the appendix and component list of the first printings, nor some pages of the 8th edition."""
    first, eighth = tables_of("dlp-2014"), tables_of("dlp-8th")
    for table in (*first["place_tiles"].values(), first["coins"], first["pieces"]["technology"]):
        assert "rulebook" not in kinds(table["provenance"])
    for id in ("castle", "monastery", "university"):
        assert "rulebook" not in kinds(eighth["places"][id]["provenance"])
        assert "rulebook" in kinds(first["places"][id]["provenance"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_catalogue_has_the_provenance_of_the_tables(edition: str) -> None:
    tables = tables_of(edition)
    found = {component.id: component.provenance for component in TITLE.components(Setup(edition, 2))}
    for group in ("characters", "goods", "tracks", "deeds", "places", "place_tiles"):
        for id, table in tables[group].items():
            assert found[id] == table["provenance"]
    assert found["pilgrimage.START"] == "rulebook"
    assert kinds(found["harvest.B"]) == ["rulebook", "public", "reconstructed"]
