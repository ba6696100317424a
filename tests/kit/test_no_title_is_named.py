"""General files name no title: not in code, strings, comments or docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.kit.coverage import DOMAIN

from boardkeeper.titles.registry import TITLES, list_metas

NEUTRAL = (
    "domain/boardkeeper/table",
    "domain/boardkeeper/game",
    "domain/boardkeeper/families",
    "domain/boardkeeper/testkit",
    "domain/boardkeeper/titlekit",
    "domain/boardkeeper/titles",
    "service",
    "clients/python/boardkeeper/client",
    "clients/terminal",
    "proto/boardkeeper/v1",
    "tests/families",
    "tests/kit",
    "tests/golden",
    "tests/perft",
    "tests/stability",
    "bench",
    "tools",
)
"""Folders of code for all titles."""

KINDS = (".py", ".toml", ".proto")
GENERATED = ("_pb2.py", "_pb2_grpc.py")

_ENVELOPE = "an envelope has a field for each title"

EXCEPTIONS: dict[str, str] = {
    "clients/terminal/boardkeeper/terminal/convert_position.py": "reads the positions of version 0.1, all of one title",
    "clients/terminal/boardkeeper/terminal/positions.py": "recognizes the positions of version 0.1",
    "domain/boardkeeper/titles/registry.py": "the list of titles",
    "proto/boardkeeper/v1/board.proto": _ENVELOPE,
    "proto/boardkeeper/v1/command.proto": _ENVELOPE,
    "proto/boardkeeper/v1/event.proto": _ENVELOPE,
    "tests/stability/examples.py": "a word with an accent, which stands in stored examples",
}
"""Files that name titles, with the reason. Delete an entry when its file no longer names a title."""


@cache
def titles() -> dict[str, set[str]]:
    """Return the words for each title: its id and its names."""
    folders = {path.name for path in (DOMAIN / "titles").iterdir() if (path / "__init__.py").exists()}
    words = {id: {id} for id in {*folders, *TITLES}}
    for meta in list_metas():
        words[meta.id] |= {text.lower() for text in meta.text.values()}
    return words


def neutral(repository: Path) -> Iterator[Path]:
    """Yield the files of the neutral folders that are not in a folder or module of a title."""
    ids = titles()
    for folder in NEUTRAL:
        for path in sorted((repository / folder).rglob("*")):
            parts = {*path.relative_to(repository).parts[:-1], path.stem}
            ours = path.suffix in KINDS and not path.name.endswith(GENERATED)
            # Tools create hidden folders, such as the environments of the benchmarks.
            if ours and not parts & set(ids) and not any(part.startswith(".") for part in parts):
                yield path


_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")
"""Word boundaries in ``CamelCase``."""


@cache
def pattern(id: str) -> re.Pattern[str]:
    """Return a pattern for a title in lower case, with no letter before or after it."""
    either = "|".join(map(re.escape, sorted(titles()[id])))
    return re.compile(rf"(?<![^\W\d_])(?:{either})(?![^\W\d_])")


def find_titles(text: str) -> set[str]:
    """Return the titles that a text names, in any spelling."""
    text = _HUMP.sub("_", text).lower()
    return {id for id in titles() if pattern(id).search(text)}


def test_no_neutral_file_names_a_title(repository: Path) -> None:
    found = {
        path.relative_to(repository).as_posix(): ids
        for path in neutral(repository)
        if (ids := find_titles(path.read_text("utf-8")))
    }
    assert {path: ids for path, ids in found.items() if path not in EXCEPTIONS} == {}
    assert set(EXCEPTIONS) - set(found) == set(), "delete the exceptions of these files: they name no title"


@pytest.mark.parametrize("folder", ["domain/boardkeeper/families", "tests/families"])
def test_families_are_searched_too(repository: Path, folder: str) -> None:
    searched = set(neutral(repository))
    families = [path for path in (repository / folder).iterdir() if any(path.glob("*.py"))]
    assert families
    for family in families:
        assert set(family.rglob("*.py")) <= searched


def test_a_title_is_found_in_any_spelling() -> None:
    for id in titles():
        assert find_titles(f'TITLE = "{id}"') == {id}
        assert find_titles(f"from boardkeeper.titles.{id}.board import Board as {id.title()}Board") == {id}
        assert (
            find_titles(f"{id.upper()}_WIRE = 1")
            == find_titles(f"import {id}_pb2")
            == find_titles(f"My{id.title()}Wire")
            == {id}
        )
    assert find_titles("title = load_title(id)") == set()


def test_a_longer_word_is_not_a_title() -> None:
    for id in titles():
        for word in (f"hi{id}", f"{id}que", f"HI{id.upper()}", f"Hi{id}"):
            assert find_titles(word) == find_titles(f"the {word}_of = {word}(games)") == set(), word
