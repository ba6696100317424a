"""Which titles of other packages are loaded, and what is said of those that cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from boardkeeper import engine
from boardkeeper.titles import registry
from boardkeeper.titles.registry import TITLES, TitleError

REASONS = {
    "chess": r"is not installed; installed: orleans, paladins, stories, absent, .*pebbles",
    "absent": r"cannot be loaded from broken_titles.absent: ModuleNotFoundError: No module named",
    "empty": r"cannot be loaded from broken_titles.empty: AttributeError: broken_titles.empty has no TITLE",
    "exits": r"cannot be loaded from broken_titles.exits: SystemExit: 3",
    "fails": r"cannot be loaded from broken_titles.fails: RuntimeError: no licence",
    "game": r"has an id that is reserved",
    "impossible": r"has no edition 'second', which is its default edition",
    "misnamed": r"has another id in its metadata: 'pebbles'",
    "twice": r"is offered by more than one package: broken-titles and rival-pebbles; uninstall all but one",
    "twofold": r"has several zones of the same id in its layout: bag",
    "unlaid": r"has no layout for 3 players in 'first': ZeroDivisionError: no bag",
    "Pebbles": r"is not a title id",
    "../x": r"is not a title id",
    "p": r"is not a title id",
    "a" * 32: r"is not a title id",
}


@pytest.mark.parametrize("id", REASONS)
def test_a_title_that_cannot_be_loaded_is_named_with_the_reason(site: Path, id: str) -> None:
    with pytest.raises(TitleError, match=REASONS[id]) as raised:
        registry.allow(id)
    assert raised.value.id == id
    assert registry.loaded_titles() == tuple(TITLES)
    with pytest.raises(KeyError):
        registry.load_title(id)


def test_nothing_of_another_package_is_loaded_before_it_is_allowed(site: Path) -> None:
    assert "pebbles" in registry.installed_titles()
    assert registry.loaded_titles() == tuple(TITLES)
    with pytest.raises(KeyError):
        registry.load_meta("pebbles")


def test_an_allowed_title_is_found_with_its_package(site: Path) -> None:
    registry.allow("pebbles")
    registry.allow("pebbles")
    assert registry.loaded_titles() == (*TITLES, "pebbles")
    assert registry.load_title("pebbles").meta is registry.load_meta("pebbles")
    assert registry.list_metas()[-1].id == "pebbles"
    assert registry.source_of("pebbles") == registry.Source("pebbles", "1.4")
    assert registry.source_of("orleans") is None


def test_no_package_takes_the_place_of_our_titles(site: Path) -> None:
    registry.allow("orleans")
    assert registry.source_of("orleans") is None
    assert type(registry.load_title("orleans")).__module__ == "boardkeeper.titles.orleans.title"


@pytest.mark.parametrize(
    ("listed", "ids", "problems"),
    [
        ("built-in", tuple(TITLES), []),
        ("built-in, pebbles", (*TITLES, "pebbles"), []),
        ("pebbles,stories,pebbles", ("pebbles", "stories"), []),
        ("fails,built-in,chess,,pebbles", (*TITLES, "pebbles"), ["fails", "chess"]),
        ("", (), []),
    ],
)
def test_a_list_names_ours_and_others(site: Path, listed: str, ids: tuple[str, ...], problems: list[str]) -> None:
    allowed, errors = registry.allow_listed(listed)
    assert (allowed, [error.id for error in errors]) == (ids, problems)


def test_the_library_plays_what_the_program_allows(site: Path) -> None:
    with pytest.raises(engine.UnknownNameError):
        engine.create("pebbles", 2, seed=1)
    engine.allow("pebbles")
    game = engine.create("pebbles", 2, seed=1)
    while not game.is_over:
        game.submit(game.to_move[0], game.suggest(game.to_move[0], "greedy"))
    assert engine.load(game.save()).digest() == game.digest()
    assert sum(standing.points for standing in game.standings) == 5


def test_the_library_says_why_a_title_is_not_allowed(site: Path) -> None:
    with pytest.raises(engine.MisuseError, match="title 'fails' cannot be loaded from"):
        engine.allow("fails")


SPOILT = {
    "editions=(replace(META.editions[0], players=(3, 2)),)": "has 3 to 2 players in 'first'; the smallest is 1",
    "editions=(replace(META.editions[0], players=(0, 2)),)": "has 0 to 2 players in 'first'; the smallest is 1",
    "editions=(replace(META.editions[0], players=(2, 99)),)": "has 2 to 99 players in 'first'; .* the largest 16",
    "ZoneSpec('x' * 300)": "has the id 'x.*' in its layout; use up to 200 printable ASCII characters",
    "ZoneSpec('a\\nb')": "has the id 'a.*b' in its layout",
    "ZoneSpec('x', 'evil')": "has the visibility 'evil' in its layout, for 'x'",
    "ZoneSpec('x', 'seat.9')": "has the visibility 'seat.9' in its layout, for 'x'",
    "ZoneSpec('x', contents={'coin': -1})": "has -1 of 'coin' in the zone 'x'; use 1 to 100000",
    "ZoneSpec('x', contents={'coin': 1.5})": "has 1.5 of 'coin' in the zone 'x'",
    "MarkerSpec('x', 10**9)": "has a marker 'x' with the value '1000000000', which no record can hold",
    "MarkerSpec('x', None)": "has a marker 'x' with the value 'None'",
    "ZoneSpec(f'x{next(CALLS)}')": "has a layout for 2 players in 'first' that changes from call to call",
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_title_whose_games_cannot_be_stored_is_not_loaded(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: str
) -> None:
    is_meta = spoilt.startswith("editions")
    kind = "markers" if spoilt.startswith("Marker") else "zones"
    change = "layout" if is_meta else f"replace(layout, {kind}=(*layout.{kind}, {spoilt}))"
    (tmp_path / "spoilt_title.py").write_text(f"""
from itertools import count
from msgspec.structs import replace
from pebbles_title import PebblesTitle
from boardkeeper.table.layout import MarkerSpec, ZoneSpec

CALLS = count()
META = PebblesTitle.meta

class SpoiltTitle(PebblesTitle):
    meta = replace(META, id="spoilt"{", " + spoilt if is_meta else ""})

    def layout(self, setup):
        layout = super().layout(setup)
        return {change}

TITLE = SpoiltTitle()
""")
    info = tmp_path / "spoilt-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: spoilt\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[boardkeeper.titles]\nspoilt = spoilt_title\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "spoilt_title", raising=False)
    with pytest.raises(TitleError, match=SPOILT[spoilt]):
        registry.allow("spoilt")
