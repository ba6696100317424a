"""How sure each fact is, is said of each fact, in one form, and no surer than our sources are."""

from __future__ import annotations

import pytest

from boardkeeper.testkit.provenance import assert_well_formed, claims, kinds, sources
from boardkeeper.titlekit.alternatives import read_alternatives
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.tables import tables_of

TABLES = tables_of(META.default_edition)
ONE_TABLE = frozenset(
    {
        *("names", "game", "start", "columns", "townsfolk_row", "tax", "workshops", "jars", "points"),
        *("order_places", "favour_places", "opponent", "supplies", "each_seat"),
    }
)
"""Groups that say one thing; in all others each thing has a table."""


def test_every_provenance_has_the_form_that_clients_can_read() -> None:
    assert_well_formed(TABLES)
    assert_well_formed(read_alternatives("boardkeeper.titles.paladins"))


def test_every_source_is_named_and_none_in_vain() -> None:
    used = {key for _, said in claims(TABLES) for key in sources(said)}
    assert set(META.sources) - used == {"R004"}, "the rulebook, which is named as such"
    assert used < set(META.sources)


def test_whatever_says_something_says_how_sure_it_is() -> None:
    for group, table in TABLES.items():
        if group in ONE_TABLE:
            assert "provenance" in table, group
        elif group not in ("sources", "edition"):
            assert all("provenance" in thing for thing in table.values()), group


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
def test_what_follows_from_a_constraint_only_is_called_reconstructed(path: tuple[str, ...]) -> None:
    table = TABLES
    for key in path:
        table = table[key]
    assert kinds(table["provenance"])[-1] == "reconstructed"


@pytest.mark.parametrize("group", ["spaces", "townsfolk", "outsiders", "tavern", "favours", "walls", "jar_spaces"])
def test_what_the_rulebook_shows_in_pictures_only_is_not_told_from_it_alone(group: str) -> None:
    """Of cards and spaces the text tells examples: one wall is among them, face and all."""
    alone = {id for id, thing in TABLES[group].items() if kinds(thing["provenance"]) == ["rulebook"]}
    assert alone == ({"wall_17"} if group == "walls" else set())


def test_paladins_of_the_rulebook_are_told_from_it() -> None:
    told = {id for id, paladin in TABLES["paladins"].items() if kinds(paladin["provenance"])[0] == "rulebook"}
    assert told == {"engelier", "anseis"}
