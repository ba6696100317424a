"""Layouts never change: every stored game starts from the table of its creation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.service.tiny_title import TINY, TinyTitle
from tests.stability.layouts import LayoutDigests, add, find_changed, find_missing, read, write

from boardkeeper.table.layout import MarkerSpec, TableLayout
from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup
from boardkeeper.titles.registry import TITLES, load_title

CHANGED = (
    "a layout of existing games has changed, so those games could not be loaded or verified any more:"
    " put new zones and markers into new titles, or behind a choice that older games do not have (docs/events.md)."
    " If the title is in no release yet, remove its file and create it again: python -m tests.stability.layouts"
)
MISSING = "a setup or choice has no stored digest: python -m tests.stability.layouts"


@pytest.mark.parametrize("id", TITLES)
def test_no_layout_has_changed(id: str) -> None:
    assert not find_changed(load_title(id), read(id)), CHANGED


@pytest.mark.parametrize("id", TITLES)
def test_every_setup_and_choice_has_a_digest(id: str) -> None:
    assert not find_missing(load_title(id), read(id)), MISSING


def test_each_title_has_a_file_and_each_file_a_title() -> None:
    folder = Path(__file__).parent / "layouts"
    assert {file.stem for file in folder.iterdir()} == set(TITLES), "titles are never removed"


# --- the tests themselves -------------------------------------------------------------------------------------------


class _Changed(TinyTitle):
    """The test title with changed metadata or one more marker."""

    def __init__(self, marked_choice: str = "", **meta: Any) -> None:
        self.meta = replace(TINY.meta, **meta)
        self.marked_choice = marked_choice

    def layout(self, setup: Setup) -> TableLayout:
        layout = super().layout(setup)
        if self.marked_choice in ("always", *setup.options.values()):
            return replace(layout, markers=(*layout.markers, MarkerSpec("added")))
        return layout


RULE = OptionMeta("rule", {}, (ChoiceMeta("old", {}), ChoiceMeta("new", {})), default="new", legacy_choice="old")


@pytest.fixture
def rows() -> list[LayoutDigests]:
    return add(TINY, [])


def test_digests_cover_every_number_of_players_and_every_choice(rows: list[LayoutDigests], tmp_path: Path) -> None:
    assert [row.players for row in rows] == [2, 3, 4]
    assert [row.alike for row in rows] == [["options.pearls=few"]] * 3
    assert not find_changed(TINY, rows)
    assert not find_missing(TINY, rows)
    write("tiny", rows, tmp_path)
    assert read("tiny", tmp_path) == rows


def test_an_added_marker_is_found_in_every_setup(rows: list[LayoutDigests]) -> None:
    assert len(find_changed(_Changed("always"), rows)) == 6
    assert find_changed(_Changed("few"), rows) == [f"first with {it} players options.pearls=few" for it in (2, 3, 4)]


def test_a_marker_of_a_new_choice_leaves_stored_digests_valid(rows: list[LayoutDigests]) -> None:
    later = _Changed("new", options=(*TINY.meta.options, RULE))
    assert not find_changed(later, rows)
    assert {choice for _, choice in find_missing(later, rows)} == {"options.rule=old", "options.rule=new"}
    before = msgspec.json.encode(rows)
    rows = add(later, rows)
    assert [(row.alike, list(row.otherwise)) for row in rows] == [
        (["options.pearls=few", "options.rule=old"], ["options.rule=new"])
    ] * 3
    assert not find_missing(later, rows)
    for row, old in zip(rows, msgspec.json.decode(before, type=list[LayoutDigests]), strict=True):
        assert (row.options, row.digest) == (old.options, old.digest)


def test_stored_digests_are_not_replaced(rows: list[LayoutDigests]) -> None:
    before = msgspec.json.encode(rows)
    assert msgspec.json.encode(add(_Changed("always"), rows)) == before


def test_a_new_default_leaves_stored_digests_valid(rows: list[LayoutDigests]) -> None:
    (pearls,) = TINY.meta.options
    later = _Changed(options=(replace(pearls, default="few"),))
    assert not find_changed(later, rows)
    assert not find_missing(later, rows)
