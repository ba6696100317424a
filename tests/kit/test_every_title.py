"""Every registered title has all tests, files and texts that the kit requires."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.kit.complete import find_missing
from tests.kit.coverage import TESTS
from tests.service.rival_title import RivalTitle
from tests.service.tiny_title import TinyTitle

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Rule, Title
from boardkeeper.titles.registry import TITLES, load_title

FIRST = next(iter(TITLES))
"""A complete title."""


@pytest.mark.parametrize("id", TITLES)
def test_a_registered_title_is_complete(id: str) -> None:
    missing = list(find_missing(load_title(id), TITLES[id], TESTS))
    assert not missing, "\n".join([f"{id} lacks, as docs/adding-a-title.md says:", *missing])


# --- the check itself ------------------------------------------------------------------------------------------------


class UntestedTitle(TinyTitle):
    """A title that was registered without a test."""

    def rules(self) -> list[Rule]:
        return [Rule("tiny.coins.pass", {"en": "A coin is passed.", "de": "Eine Münze geht weiter."}, {})]


def test_a_title_without_tests_lacks_everything() -> None:
    package = "boardkeeper.game"  # has no words for these commands and events
    found = list(find_missing(UntestedTitle(), package, TESTS))
    assert [it for it in found if not it.startswith("words for")] == [
        "titles/tiny/adapter.py",
        "titles/tiny/mutants.toml",
        "titles/tiny/rejections.toml",
        "a golden game of first with 2",
        "a golden game of first with 3",
        "a golden game of first with 4",
        "perft of first: 0 of 8 positions",
        "stability/layouts/tiny.json",
        "a test for tiny.coins.pass",
    ]
    assert {f"words for {name} in {language}" for name in ("PassCoin", "Finished") for language in ("en", "de")} <= {
        *found
    }
    assert {"words in en", "words in de"} <= {*find_missing(UntestedTitle(), "boardkeeper.table", TESTS)}


@pytest.mark.parametrize(("title", "expected"), [(UntestedTitle(), False), (RivalTitle(), True)], ids=["no", "yes"])
def test_a_title_with_automata_needs_a_name_for_them(title: Title, *, expected: bool) -> None:
    package = "boardkeeper.game"  # has no word for it
    missed = {f"words for a seat that the rules play in {language}" for language in LANGUAGES}
    assert missed & {*find_missing(title, package, TESTS)} == (missed if expected else set())


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the test files of a title."""
    for folder in ("golden", "perft", "titles"):
        shutil.copytree(TESTS / folder / FIRST, tmp_path / folder / FIRST)
    shutil.copytree(TESTS / "families", tmp_path / "families")
    (tmp_path / "stability" / "layouts").mkdir(parents=True)
    shutil.copy(TESTS / "stability" / "layouts" / f"{FIRST}.json", tmp_path / "stability" / "layouts")
    return tmp_path


@pytest.mark.parametrize(
    ("removed", "reported"),
    [
        (f"golden/{FIRST}/*.jsonl.xz", "a golden game of"),
        (f"perft/{FIRST}/*/*.json.xz", "perft of"),
        (f"titles/{FIRST}/adapter.py", f"titles/{FIRST}/adapter.py"),
        (f"titles/{FIRST}/mutants.toml", f"titles/{FIRST}/mutants.toml"),
        (f"titles/{FIRST}/rejections.toml", f"titles/{FIRST}/rejections.toml"),
        (f"stability/layouts/{FIRST}.json", "stability/layouts"),
        (f"titles/{FIRST}/test_*.py", (f"a test for {FIRST}.", f"titles/{FIRST}/test_")),
    ],
)
def test_removed_files_are_reported(copied: Path, removed: str, reported: str | tuple[str, ...]) -> None:
    title: Title = load_title(FIRST)
    assert list(find_missing(title, TITLES[FIRST], copied)) == []
    for path in copied.glob(removed):
        path.unlink()
    found = list(find_missing(title, TITLES[FIRST], copied))
    assert found
    assert all(it.startswith(reported) for it in found), found


def test_a_test_that_is_listed_as_slow_must_exist(copied: Path) -> None:
    settings = copied / "titles" / FIRST / "mutants.toml"
    settings.write_text(settings.read_text("utf-8").replace("slow = [", 'slow = ["test_gone.py", '), "utf-8")
    assert list(find_missing(load_title(FIRST), TITLES[FIRST], copied)) == [f"titles/{FIRST}/test_gone.py"]
