"""A title that is registered is tested as all others are: what it has not, fails here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.kit.complete import lacking
from tests.kit.coverage import TESTS
from tests.service.rival_title import RivalTitle
from tests.service.tiny_title import TinyTitle

from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Rule, Title
from boardkeeper.titles.registry import TITLES, load_title

FIRST = next(iter(TITLES))
"""Some title that has everything."""


@pytest.mark.parametrize("id", TITLES)
def test_a_registered_title_has_all_that_the_kit_asks_for(id: str) -> None:
    missing = list(lacking(load_title(id), TITLES[id], TESTS))
    assert not missing, "\n".join([f"{id} lacks, as docs/adding-a-title.md says:", *missing])


# --- and it would be seen ------------------------------------------------------------------------------------------


class Newcomer(TinyTitle):
    """A title that somebody registers without a test."""

    def rules(self) -> list[Rule]:
        return [Rule("tiny.coins.pass", {"en": "A coin is passed.", "de": "Eine Münze geht weiter."}, {})]


def test_a_title_without_tests_lacks_everything() -> None:
    package = "boardkeeper.game"  # has no words for these commands and events
    found = list(lacking(Newcomer(), package, TESTS))
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
    assert {"words in en", "words in de"} <= {*lacking(Newcomer(), "boardkeeper.table", TESTS)}


@pytest.mark.parametrize(("title", "expected"), [(Newcomer(), False), (RivalTitle(), True)], ids=["no", "yes"])
def test_what_a_seat_of_the_rules_is_called_is_missed_where_there_is_one(title: Title, *, expected: bool) -> None:
    package = "boardkeeper.game"  # has no word for it
    missed = {f"words for a seat that the rules play in {language}" for language in LANGUAGES}
    assert missed & {*lacking(title, package, TESTS)} == (missed if expected else set())


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """What the tests of a title keep in files."""
    for folder in ("golden", "perft", "titles"):
        shutil.copytree(TESTS / folder / FIRST, tmp_path / folder / FIRST)
    (tmp_path / "stability" / "layouts").mkdir(parents=True)
    shutil.copy(TESTS / "stability" / "layouts" / f"{FIRST}.json", tmp_path / "stability" / "layouts")
    return tmp_path


@pytest.mark.parametrize(
    ("gone", "said"),
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
def test_whatever_is_removed_is_missed(copied: Path, gone: str, said: str | tuple[str, ...]) -> None:
    title: Title = load_title(FIRST)
    assert list(lacking(title, TITLES[FIRST], copied)) == []
    for path in copied.glob(gone):
        path.unlink()
    found = list(lacking(title, TITLES[FIRST], copied))
    assert found
    assert all(it.startswith(said) for it in found), found


def test_a_test_that_is_called_slow_has_to_be_there(copied: Path) -> None:
    settings = copied / "titles" / FIRST / "mutants.toml"
    settings.write_text(settings.read_text("utf-8").replace("slow = [", 'slow = ["test_gone.py", '), "utf-8")
    assert list(lacking(load_title(FIRST), TITLES[FIRST], copied)) == [f"titles/{FIRST}/test_gone.py"]
