"""Each fact states its provenance in a form that clients can read, no more certain than our sources."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from boardkeeper.testkit.provenance import assert_well_formed, claims, kinds, sources
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titles.stories.catalogue import components, origin
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.tables import DATA_SETS, tables_of

STORIES = [edition.id for edition in META.editions]
EVERY = [pytest.param(story, name, id=f"{story}-{name}") for story in STORIES for name in DATA_SETS.names]
ONE_TABLE = frozenset(
    {
        *("game", "supply_rows", "expansion", "coins", "start_settlers", "start_fortresses", "start_villages", "fame"),
        *("building_fame", "deed_completion", "torture", "event_deck", "scoring", "map"),
        *("manor_farm", "secrets", "end"),
    }
)
"""Groups that are one table; in all others each entry is a table."""

UNNAMED = frozenset(
    {
        *("game", "expansion", "start_settlers", "start_fortresses", "building_fame", "deed_completion", "torture"),
        *("event_deck", "scoring", "map", "secrets", "end", "supply", "supply_rows"),
    }
)
"""Groups without components in the catalogue."""


@pytest.mark.parametrize(("story", "name"), EVERY)
def test_every_provenance_is_well_formed(story: str, name: str) -> None:
    assert_well_formed(tables_of(story, name))


def test_every_source_is_described_and_used() -> None:
    used = {key for story in STORIES for _, claim in claims(tables_of(story)) for key in sources(claim)}
    assert used < set(META.sources)
    assert set(META.sources) - used == {"R001", "R002", "DSK", "LLA"}, "sources of rules and numbers"


@pytest.mark.parametrize(("story", "name"), EVERY)
def test_every_entry_has_a_provenance_and_a_name(story: str, name: str) -> None:
    for group, table in tables_of(story, name).items():
        if group in ("sources", "edition", "readings"):
            continue
        for thing in [table] if group in ONE_TABLE else table.values():
            assert thing["provenance"], group
            assert group in UNNAMED or all(thing[language] for language in LANGUAGES), (group, thing)


def test_every_choice_in_a_provenance_exists() -> None:
    texts = "".join(str(tables_of(story, name)) for story in STORIES for name in DATA_SETS.names)
    assert set(re.findall(r"\(option (\w+)\)", texts)) == {"data_set"}
    assert set(re.findall(r"\(reading (\w+)\)", texts)) <= {reading.id for reading in META.readings}


# --- origins -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provenance", "expected"),
    [
        ("rulebook", "rulebook"),
        ("rulebook: name; reconstructed: spaces", "rulebook"),
        ("derived(rulebook): no spaces", "rulebook"),
        ("derived(orleans); reconstructed: name", "orleans"),
        ("public(LLB, VKF): effect; derived(orleans): spaces", "public"),
        ("knowledge(medium)", "reconstructed"),
        ("reconstructed", "reconstructed"),
    ],
)
def test_first_claim_gives_the_origin(provenance: str, expected: str) -> None:
    assert origin(provenance) == expected


@pytest.mark.parametrize("story", STORIES)
def test_catalogue_has_the_origin_of_every_component(story: str) -> None:
    for component in components(story):
        assert component.facts["origin"] == component.values["origin"] == origin(component.provenance)


def test_numbers_of_components_by_origin() -> None:
    found = {component.id: component for story in STORIES for component in components(story)}
    for kind, expected in {
        "place_card": {"rulebook": 1, "public": 5, "orleans": 13, "reconstructed": 5},
        "building": {"reconstructed": 3},
        "event": {"public": 1, "orleans": 9, "reconstructed": 22},
        "bonus_tile": {"rulebook": 1, "reconstructed": 9},
        "mission": {"rulebook": 1, "public": 1, "reconstructed": 6},
        "message": {"public": 1, "reconstructed": 11},
        "deed": {"rulebook": 1, "public": 1, "reconstructed": 4},
        "space": {"reconstructed": 29},
    }.items():
        assert Counter(each.facts["origin"] for each in found.values() if each.kind == kind) == expected, kind


@pytest.mark.parametrize(
    ("group", "id"), [("places", "territory"), ("places", "market"), ("deeds", "food_depot"), ("missions", "m2")]
)
def test_entries_named_by_the_rulebook_without_numbers_are_reconstructed_in_part(group: str, id: str) -> None:
    table: dict[str, Any] = tables_of("england-vs-france")[group][id]
    assert (kinds(table["provenance"])[0], kinds(table["provenance"])[-1]) == ("rulebook", "reconstructed")
