"""The registry of titles: it lists them without loading their rules."""

from __future__ import annotations

import subprocess
import sys

import pytest

from boardkeeper.titles.registry import TITLES, list_metas, load_meta, load_title

LIST = "import sys; from boardkeeper.titles.registry import list_metas; list_metas(); print(*sys.modules)"


def test_titles_are_listed_by_id() -> None:
    assert [meta.id for meta in list_metas()] == list(TITLES)


@pytest.mark.parametrize("id", TITLES)
def test_a_title_is_loaded_once_with_its_meta(id: str) -> None:
    assert load_title(id) is load_title(id)
    assert load_title(id).meta is load_meta(id)


def test_listing_titles_loads_no_rules() -> None:
    """In a new interpreter."""
    run = subprocess.run([sys.executable, "-c", LIST], capture_output=True, text=True, check=True)
    package = "boardkeeper.titles.orleans."
    loaded = {name.removeprefix(package) for name in run.stdout.split() if name.startswith(package)}
    assert loaded == {"meta", "supplies"}, "only the contents of the box, no rules"


@pytest.mark.parametrize("load", [load_title, load_meta])
def test_an_unknown_title_is_a_key_error(load: object) -> None:
    assert callable(load)
    with pytest.raises(KeyError):
        load("chess")
