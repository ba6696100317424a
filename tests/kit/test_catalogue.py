"""The catalogue describes every component and supply of a title's editions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardkeeper.testkit.setups import player_counts
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Component, EditionMeta, Setup
from boardkeeper.titles.registry import TITLES, load_meta, load_title

EDITIONS = [pytest.param(id, edition, id=f"{id}-{edition.id}") for id in TITLES for edition in load_meta(id).editions]


def catalogue(title: str, edition: EditionMeta) -> dict[str, Component]:
    """Return the components of an edition by id."""
    components = load_title(title).components(Setup(edition.id, edition.players[0]))
    found = {component.id: component for component in components}
    assert len(found) == len(components), "two components have one id"
    return found


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_components_have_typed_facts_and_a_provenance(title: str, edition: EditionMeta) -> None:
    for component in catalogue(title, edition).values():
        assert set(component.values) == set(component.facts), component.id
        assert all(type(fact) is str for fact in component.facts.values()), component.id
        assert component.provenance, component.id
        assert component.in_box >= 0, component.id


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_the_catalogue_is_the_same_for_every_number_of_players(title: str, edition: EditionMeta) -> None:
    fewest, most = edition.players
    setups = (Setup(edition.id, players) for players in range(fewest, most + 1))
    first, *others = (list(load_title(title).components(setup)) for setup in setups)
    assert all(other == first for other in others)


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_every_edition_has_supplies_for_each_number_of_players(title: str, edition: EditionMeta) -> None:
    fewest, most = edition.players
    supplied = [supply.players for supply in edition.supplies]
    assert [players for players in supplied if players >= fewest] == list(range(fewest, most + 1))
    assert set(supplied) <= set(player_counts(load_meta(title)))
    assert all(supply.common and supply.provenance for supply in edition.supplies)


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_all_seats_or_no_seats_have_colors(title: str, edition: EditionMeta) -> None:
    colors = edition.seat_colors
    assert [color.seat for color in colors] in ([], list(range(1, edition.players[1] + 1)))
    assert len({color.id for color in colors}) == len(colors)
    assert all(color.text[language] for color in colors for language in LANGUAGES)


@pytest.mark.parametrize(("title", "edition"), EDITIONS)
def test_every_kind_and_key_is_documented(repository: Path, title: str, edition: EditionMeta) -> None:
    page = (repository / "docs" / "catalogue.md").read_text("utf-8")
    found = catalogue(title, edition)
    keys = {"en_provenance", "de_provenance"}
    for component in found.values():
        keys |= {component.kind, *component.values}
    for supply in edition.supplies:
        keys |= {key for key in (*supply.common, *supply.unused, *supply.each_seat) if key not in found}
    assert keys - set(re.findall(r"`(\w+)`", page)) == set()
