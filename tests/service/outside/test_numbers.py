"""``boardkeeper title-numbers`` fixes the field numbers of a title's package: none moves, none is used again."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.service.outside.versions import SITE, installed, run

FIRST = """    count: int
    \"\"\"How many: 1 to 3, and at most the pebbles in the bag.\"\"\"
"""
TOY = """
import pebbles
from boardkeeper.testkit import toy

class TestPebbles(toy.TitleTests):
    title = pebbles.TITLE
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The title pebbles as a package, on a folder for ``PYTHONPATH``."""
    site = installed(tmp_path / "site", "1.4")
    (site / "pebbles").mkdir()
    (site / "pebbles_title.py").rename(site / "pebbles" / "__init__.py")
    (site / "pebbles-1.4.dist-info" / "entry_points.txt").write_text("[boardkeeper.titles]\npebbles = pebbles\n")
    return site


def change(site: Path, old: str, new: str) -> None:
    module = site / "pebbles" / "__init__.py"
    text = module.read_text("utf-8")
    assert old in text, old
    module.write_text(text.replace(old, new, 1), "utf-8")


def numbers(site: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    return run(site, "-B", "-m", "boardkeeper", "title-numbers", "pebbles", *flags)


def changes(site: Path) -> list[str]:
    done = numbers(site, "--json")
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)["changes"]
    return found


def test_numbers_never_move_and_are_never_used_again(package: Path) -> None:
    assert "DrawPebbles.count = 1" in changes(package)
    assert changes(package) == []
    change(package, FIRST, "    hurry: bool\n\n" + FIRST)
    assert changes(package) == ["DrawPebbles.hurry = 2"]
    change(package, "    hurry: bool\n\n", "")
    assert changes(package) == ["DrawPebbles.hurry = 2 (reserved)"]
    change(package, FIRST, "    slowly: bool\n\n" + FIRST)
    assert changes(package) == ["DrawPebbles.slowly = 3"]
    change(package, "    slowly: bool\n\n", "    hurry: bool\n\n")
    done = numbers(package)
    assert done.returncode != 0
    assert "nothing was written: DrawPebbles.hurry was removed earlier; choose another name" in done.stderr


def test_a_file_that_is_older_than_the_structs_is_found(package: Path) -> None:
    changes(package)
    (package / "test_pebbles.py").write_text(TOY, "utf-8")
    test = ("-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_pebbles.py", "-k", "field_numbers")
    assert run(package, *test).returncode == 0
    assert numbers(package, "--check").returncode == 0
    change(package, FIRST, "    hurry: bool\n\n" + FIRST)
    checked = numbers(package, "--check")
    assert checked.returncode == 1
    assert "is older than the structs: run boardkeeper title-numbers pebbles" in checked.stdout
    failed = run(package, *test)
    assert failed.returncode == 1
    assert "wire.binpb is older than the structs: run boardkeeper title-numbers pebbles" in failed.stdout


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("pebbles", "pebbles is a single module, which has no place for wire.binpb"),
        ("chess", "title 'chess' is not installed"),
        ("orleans", "its published .proto files fix its numbers"),
    ],
)
def test_a_title_without_a_file_is_an_error(title: str, says: str) -> None:
    done = run(SITE, "-B", "-m", "boardkeeper", "title-numbers", title)
    assert done.returncode != 0
    assert says in done.stderr
