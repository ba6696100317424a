"""The differences between the editions of a title, as the catalogue lists them."""

from __future__ import annotations

import pytest
from tests.kit.loops import check_each

from boardkeeper.titlekit.title import Difference
from boardkeeper.titles.registry import TITLES, load_meta, load_title


@pytest.mark.parametrize("title", TITLES)
def test_differences_are_listed_once_and_only_between_editions(title: str) -> None:
    ids = [difference.id for difference in load_title(title).differences()]
    assert len(set(ids)) == len(ids)
    assert bool(ids) == (len(load_meta(title).editions) > 1)
    assert not [id for id in ids if "provenance" in id], "a provenance is not a difference"


@pytest.mark.parametrize("title", TITLES)
def test_every_difference_has_different_values_and_cites_rules(title: str) -> None:
    meta = load_meta(title)
    editions = {edition.id for edition in meta.editions}
    rules = {rule.id for rule in load_title(title).rules()}

    def check(difference: Difference) -> None:
        assert set(difference.values) == editions
        assert len(set(difference.values.values())) > 1
        assert set(difference.references) <= editions
        assert difference.rules
        assert set(difference.rules) <= rules
        assert meta.default_edition in difference.references
        if difference.id.startswith("reading."):
            assert set(difference.references) == editions

    check_each(load_title(title).differences(), check)
