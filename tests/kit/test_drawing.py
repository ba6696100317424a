"""Everything on a table has a catalogue entry with a name in every language, a seat and a kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tests.game.records import load_title as load_any
from tests.kit.adapters import adapters

from boardkeeper.game.choices import ChoiceError, complete
from boardkeeper.table.effects import Ask, Set
from boardkeeper.table.layout import TableLayout
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.histories import eager_history
from boardkeeper.testkit.setups import default_setup, player_counts, random_setup
from boardkeeper.titlekit.drawing import Drawing, DrawnTitle, MarkerEntry, ZoneEntry, drawing_of
from boardkeeper.titlekit.material import read
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Setup, Title

TITLES = [pytest.param(it, id=it.id) for it in adapters() if isinstance(it.title, DrawnTitle)]
FREE = {"internal", "screen"}
"""Kinds of markers whose values have no texts."""


def setups(title: Title) -> Iterator[Setup]:
    """Yield every edition with every number of players, with the default choices and with each other choice."""
    meta = title.meta
    offered = (*(("options", it) for it in meta.options), *(("readings", it) for it in meta.readings))
    choices = [
        ({}, {}),
        *(
            (({it.id: one.id}, {}) if kind == "options" else ({}, {it.id: one.id}))
            for kind, it in offered
            for one in it.choices
        ),
    ]
    for edition in meta.editions:
        for players in player_counts(meta):
            for options, readings in choices:
                try:
                    yield complete(meta, Setup(edition.id, players, options, readings))
                except ChoiceError:
                    continue


@cache
def tables(id: str) -> tuple[tuple[Setup, TableLayout, Drawing], ...]:
    """Return every different layout of a title, with its setup and its drawing."""
    title = next(adapter.title for adapter in adapters() if adapter.id == id)
    found: dict[tuple[str, TableLayout], Setup] = {}
    for setup in setups(title):
        layout = title.layout(setup)
        key = setup.edition, tuple(it.id for it in layout.zones), tuple(it.id for it in layout.markers)
        found.setdefault(key, setup)  # type: ignore[arg-type]
    return tuple((setup, title.layout(setup), drawing_of(title, setup)) for setup in found.values())


@pytest.mark.parametrize("adapter", TITLES)
def test_everything_on_a_table_has_an_entry(adapter: Adapter) -> None:
    assert len(tables(adapter.id)) > 1
    for setup, layout, drawing in tables(adapter.id):
        assert [it.id for it in drawing.zones] == [it.id for it in layout.zones]
        assert [it.id for it in drawing.markers] == [it.id for it in layout.markers]
        assert [it.stack for it in drawing.zones] == [it.stack for it in layout.zones]
        texts = [it.text for it in drawing.zones] + [it.text for it in drawing.markers]
        texts += [it.text for it in drawing.decisions]
        assert all(text[language].strip() and "{" not in text[language] for text in texts for language in LANGUAGES)
        entries: tuple[ZoneEntry | MarkerEntry, ...] = (*drawing.zones, *drawing.markers)
        for entry in entries:
            assert entry.kind, f"{entry.id} has no kind ({setup})"
            assert entry.seat == (int(entry.id.split(".")[1]) if entry.id.startswith("seat.") else 0)


@pytest.mark.parametrize("adapter", TITLES)
def test_entries_name_existing_components_and_zones(adapter: Adapter) -> None:
    """Also, no two zones have the same position in an order."""
    symbols = read(adapter.package).get("symbols", {})
    for setup, _, drawing in tables(adapter.id):
        components = {it.id: it for it in adapter.title.components(setup)}
        zones = {it.id for it in drawing.zones}
        entries: tuple[ZoneEntry | MarkerEntry, ...] = (*drawing.zones, *drawing.markers)
        for entry in entries:
            assert not entry.component or entry.component in components, entry
        assert all(it.symbol in components or it.symbol in symbols for it in drawing.zones if it.symbol)
        assert all(it.zone in zones for it in drawing.markers if it.zone)
        places = [(it.seat, it.kind, it.component, it.position) for it in drawing.zones if it.position]
        assert len(set(places)) == len(places)
        if drawing.map is not None:
            assert {it.component for it in drawing.map.towns} <= components.keys()
            assert all(0 < it.x < 1 and 0 < it.y < 1 for it in drawing.map.towns)
            ends = {town for way in drawing.map.ways for town in way.towns}
            assert ends <= {it.component for it in drawing.map.towns}
            assert all(len(way.towns) == 2 for way in drawing.map.ways)


@pytest.mark.parametrize("adapter", TITLES)
def test_every_table_of_words_is_used(adapter: Adapter) -> None:
    """A marker has its words, or names of zones or markers contain each of them."""
    drawings = [drawing for _, _, drawing in tables(adapter.id)]
    said = {word.id for drawing in drawings for marker in drawing.markers for word in marker.words}
    names = {it.text["en"] for drawing in drawings for it in drawing.zones}
    names |= {it.text["en"] for drawing in drawings for it in drawing.markers}
    for words in read(adapter.package).get("words", {}).values():
        assert words.keys() <= said or all(any(it["en"] in name for name in names) for it in words.values())


@pytest.mark.parametrize("adapter", TITLES)
def test_every_kind_is_documented(adapter: Adapter, repository: Path) -> None:
    documented = set(re.findall(r"`([a-z_]+)`", (repository / "docs" / "catalogue.md").read_text()))
    kinds = {it.kind for _, _, drawing in tables(adapter.id) for it in drawing.zones}
    kinds |= {it.kind for _, _, drawing in tables(adapter.id) for it in drawing.markers}
    assert kinds | read(adapter.package).get("symbols", {}).keys() <= documented


@pytest.mark.parametrize("adapter", TITLES)
def test_components_on_a_table_are_in_the_catalogue(adapter: Adapter) -> None:
    """The ids of distinguishable copies have a suffix after the last point."""
    for setup, layout, _ in tables(adapter.id):
        known = {it.id for it in adapter.title.components(setup)}
        found = {component for zone in layout.zones for component in (*zone.contents, *zone.order)}
        unknown = {it.rpartition(".")[0] or it for it in found if not {it, it.rpartition(".")[0]} & known}
        assert unknown == adapter.not_catalogued.keys()


@pytest.mark.parametrize("adapter", TITLES)
def test_every_decision_has_a_name(adapter: Adapter) -> None:
    (names,) = {tuple(it.id for it in drawing.decisions) for _, _, drawing in tables(adapter.id)}
    assert sorted(names) == sorted(adapter.decisions)


@pytest.mark.parametrize("adapter", TITLES)
@pytest.mark.parametrize("seed", range(3))
def test_values_of_markers_in_games_have_words(adapter: Adapter, seed: int) -> None:
    chance = Random(f"words {seed}")
    players = chance.choice(adapter.players)
    setup = random_setup(adapter.title, seed, players) if seed else default_setup(adapter.title, players)
    drawing = drawing_of(adapter.title, setup)
    words = {it.id: {word.id for word in it.words} for it in drawing.markers if it.kind not in FREE}
    checked = 0
    for event in eager_history(adapter, setup, chance):
        for effect in event.effects:
            if isinstance(effect, Set) and isinstance(effect.after, str) and effect.after and effect.marker in words:
                assert effect.after in words[effect.marker], effect
                checked += 1
            if isinstance(effect, Ask) and effect.after:
                assert effect.after in {it.id for it in drawing.decisions}
    assert checked > 10


def test_a_title_without_a_catalogue_of_its_table_has_a_default_drawing() -> None:
    title = load_any("tiny")
    setup = complete(title.meta, Setup("", 2))
    drawing = drawing_of(title, setup)
    assert [it.id for it in drawing.zones] == [it.id for it in title.layout(setup).zones]
    assert {it.id: it.text["de"] for it in drawing.zones}["hand.1"] == "Hand 1"
    assert not any(it.kind or it.component for it in drawing.zones)
