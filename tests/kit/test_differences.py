"""What the catalogue says about the differences between printings of a title."""

from __future__ import annotations

import pytest

from boardkeeper.titlekit.title import Difference
from boardkeeper.titles.registry import TITLES, load_meta, load_title

DIFFERENCES = [pytest.param(id, it, id=f"{id}-{it.id}") for id in TITLES for it in load_title(id).differences()]


@pytest.mark.parametrize("title", TITLES)
def test_differences_are_listed_once_and_only_between_editions(title: str) -> None:
    ids = [difference.id for difference in load_title(title).differences()]
    assert len(set(ids)) == len(ids)
    assert bool(ids) == (len(load_meta(title).editions) > 1)
    assert not [id for id in ids if "provenance" in id], "how sure a fact is makes no difference"


@pytest.mark.parametrize(("title", "difference"), DIFFERENCES)
def test_every_difference_is_one_and_knows_all_editions(title: str, difference: Difference) -> None:
    editions = {edition.id for edition in load_meta(title).editions}
    assert set(difference.values) == editions
    assert len(set(difference.values.values())) > 1
    assert set(difference.references) <= editions


@pytest.mark.parametrize(("title", "difference"), DIFFERENCES)
def test_every_difference_cites_rules_and_where_they_stand(title: str, difference: Difference) -> None:
    meta = load_meta(title)
    assert difference.rules
    assert set(difference.rules) <= {rule.id for rule in load_title(title).rules()}
    assert meta.default_edition in difference.references
    if difference.id.startswith("reading."):
        assert set(difference.references) == {edition.id for edition in meta.editions}
