"""Layouts never change: the table of every game that was ever begun is laid as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.service.tiny_title import TINY, TinyTitle
from tests.stability.layouts import Laid, add, changed, missing, read, write

from boardkeeper.table.layout import MarkerSpec, TableLayout
from boardkeeper.titlekit.title import ChoiceMeta, OptionMeta, Setup
from boardkeeper.titles.registry import TITLES, load_title

CHANGED = (
    "a layout that games may have begun with is another now, and those games could not be loaded or verified any more:"
    " put new zones and markers into new titles, or behind a choice that older games do not have (docs/events.md)."
    " If the title is in no release yet, remove its file and make it again: python -m tests.stability.layouts"
)
MISSING = "what can be played is not written down: python -m tests.stability.layouts"


@pytest.mark.parametrize("id", TITLES)
def test_every_layout_is_what_it_was(id: str) -> None:
    assert not changed(load_title(id), read(id)), CHANGED


@pytest.mark.parametrize("id", TITLES)
def test_every_setup_and_choice_is_written_down(id: str) -> None:
    assert not missing(load_title(id), read(id)), MISSING


def test_only_titles_are_written_down() -> None:
    folder = Path(__file__).parent / "layouts"
    assert {file.stem for file in folder.iterdir()} == set(TITLES), "titles are never taken away"


# --- what these tests find -----------------------------------------------------------------------------------------


class _Changed(TinyTitle):
    """The test title, of which something was changed."""

    def __init__(self, marked: str = "", **meta: Any) -> None:
        self.meta = replace(TINY.meta, **meta)
        self.marked = marked

    def layout(self, setup: Setup) -> TableLayout:
        layout = super().layout(setup)
        if self.marked in ("always", *setup.options.values()):
            return replace(layout, markers=(*layout.markers, MarkerSpec("added")))
        return layout


RULE = OptionMeta("rule", {}, (ChoiceMeta("old", {}), ChoiceMeta("new", {})), default="new", legacy_choice="old")


@pytest.fixture
def rows() -> list[Laid]:
    return add(TINY, [])


def test_what_is_made_has_every_number_of_players_and_every_choice(rows: list[Laid], tmp_path: Path) -> None:
    assert [row.players for row in rows] == [2, 3, 4]
    assert [row.alike for row in rows] == [["options.pearls=few"]] * 3
    assert not changed(TINY, rows)
    assert not missing(TINY, rows)
    write("tiny", rows, tmp_path)
    assert read("tiny", tmp_path) == rows


def test_one_marker_more_is_found_in_every_setup(rows: list[Laid]) -> None:
    assert len(changed(_Changed("always"), rows)) == 6
    assert changed(_Changed("few"), rows) == [f"first with {it} players options.pearls=few" for it in (2, 3, 4)]


def test_a_marker_behind_a_choice_that_older_games_have_not_changes_nothing(rows: list[Laid]) -> None:
    later = _Changed("new", options=(*TINY.meta.options, RULE))
    assert not changed(later, rows)
    assert {choice for _, choice in missing(later, rows)} == {"options.rule=old", "options.rule=new"}
    before = msgspec.json.encode(rows)
    rows = add(later, rows)
    assert [(row.alike, list(row.otherwise)) for row in rows] == [
        (["options.pearls=few", "options.rule=old"], ["options.rule=new"])
    ] * 3
    assert not missing(later, rows)
    for row, old in zip(rows, msgspec.json.decode(before, type=list[Laid]), strict=True):
        assert (row.options, row.digest) == (old.options, old.digest)


def test_what_is_there_is_not_made_again(rows: list[Laid]) -> None:
    before = msgspec.json.encode(rows)
    assert msgspec.json.encode(add(_Changed("always"), rows)) == before


def test_another_default_changes_nothing(rows: list[Laid]) -> None:
    (pearls,) = TINY.meta.options
    later = _Changed(options=(replace(pearls, default="few"),))
    assert not changed(later, rows)
    assert not missing(later, rows)
