"""Each fact has a provenance in one format, which does not claim more certainty than our sources give."""

from __future__ import annotations

import pytest

from boardkeeper.testkit.provenance import assert_well_formed, claims, kinds, sources
from boardkeeper.titlekit.alternatives import read_alternatives
from boardkeeper.titles.paladins.meta import META, tables_of

TABLES = tables_of(META.default_edition)
ONE_TABLE = frozenset(
    {
        *("names", "game", "start", "columns", "townsfolk_row", "tax", "workshops", "jars", "points"),
        *("order_places", "favour_places", "opponent", "supplies", "each_seat"),
    }
)
"""Groups that are one table; in all others each entry has a table."""


def test_every_provenance_has_a_readable_form() -> None:
    assert_well_formed(TABLES)
    assert_well_formed(read_alternatives("boardkeeper.titles.paladins"))


def test_every_used_source_is_named_and_every_named_source_is_used() -> None:
    used = {key for _, claim in claims(TABLES) for key in sources(claim)}
    assert set(META.sources) - used == {"R004"}, "the rulebook, which has its own word"
    assert used < set(META.sources)


def test_every_fact_has_a_provenance() -> None:
    for group, table in TABLES.items():
        if group in ONE_TABLE:
            assert "provenance" in table, group
        elif group not in ("sources", "edition"):
            assert all("provenance" in entry for entry in table.values()), group


@pytest.mark.parametrize(
    "path",
    [
        ("workshops",),
        ("jars",),
        ("tax",),
        ("actions", "absolve"),
        ("suspicion", "suspicion_0"),
        ("schemes", "order"),
        ("townsfolk", "squire_1"),
        ("jar_spaces", "discard_suspicion_2"),
    ],
)
def test_facts_derived_from_constraints_are_called_reconstructed(path: tuple[str, ...]) -> None:
    table = TABLES
    for key in path:
        table = table[key]
    assert kinds(table["provenance"])[-1] == "reconstructed"


@pytest.mark.parametrize("group", ["spaces", "townsfolk", "outsiders", "tavern", "favours", "walls", "jar_spaces"])
def test_facts_in_pictures_of_the_rulebook_need_another_source(group: str) -> None:
    """The rulebook's text describes only examples; one wall is among them."""
    alone = {id for id, entry in TABLES[group].items() if kinds(entry["provenance"]) == ["rulebook"]}
    assert alone == ({"wall_17"} if group == "walls" else set())


def test_paladins_described_by_the_rulebook_cite_it() -> None:
    cited = {id for id, paladin in TABLES["paladins"].items() if kinds(paladin["provenance"])[0] == "rulebook"}
    assert cited == {"engelier", "anseis"}
