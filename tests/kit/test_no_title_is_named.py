"""What is there for every title names none: neither in code nor in strings, comments or documentation of code."""

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
"""Folders of what is there for every title."""

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
"""Files that name titles, with the reason. What names none any more has to be struck off."""


@cache
def titles() -> dict[str, set[str]]:
    """The words for each title: its id, and what people call it."""
    folders = {path.name for path in (DOMAIN / "titles").iterdir() if (path / "__init__.py").exists()}
    words = {id: {id} for id in {*folders, *TITLES}}
    for meta in list_metas():
        words[meta.id] |= {text.lower() for text in meta.text.values()}
    return words


def neutral(repository: Path) -> Iterator[Path]:
    """The files of those folders, but for what stands in a folder or module of some title."""
    ids = titles()
    for folder in NEUTRAL:
        for path in sorted((repository / folder).rglob("*")):
            parts = {*path.relative_to(repository).parts[:-1], path.stem}
            ours = path.suffix in KINDS and not path.name.endswith(GENERATED)
            # Hidden folders hold what tools put there: the environment of a peer that the benches measure, say.
            if ours and not parts & set(ids) and not any(part.startswith(".") for part in parts):
                yield path


_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")
"""Where one word ends and the next begins in ``CamelCase``."""


@cache
def pattern(id: str) -> re.Pattern[str]:
    """Finds a title in small letters: no letter stands before or after it, else it is another word."""
    either = "|".join(map(re.escape, sorted(titles()[id])))
    return re.compile(rf"(?<![^\W\d_])(?:{either})(?![^\W\d_])")


def named(text: str) -> set[str]:
    """The titles that a text names, in whatever way they are written there."""
    text = _HUMP.sub("_", text).lower()
    return {id for id in titles() if pattern(id).search(text)}


def test_no_neutral_file_names_a_title(repository: Path) -> None:
    found = {
        path.relative_to(repository).as_posix(): ids
        for path in neutral(repository)
        if (ids := named(path.read_text("utf-8")))
    }
    assert {path: ids for path, ids in found.items() if path not in EXCEPTIONS} == {}
    assert set(EXCEPTIONS) - set(found) == set(), "these name none any more: strike them off"


@pytest.mark.parametrize("folder", ["domain/boardkeeper/families", "tests/families"])
def test_families_are_searched_too(repository: Path, folder: str) -> None:
    """What several titles share names none of them."""
    searched = set(neutral(repository))
    families = [path for path in (repository / folder).iterdir() if any(path.glob("*.py"))]
    assert families
    for family in families:
        assert set(family.rglob("*.py")) <= searched


def test_a_title_is_found_however_it_is_written() -> None:
    for id in titles():
        assert named(f'TITLE = "{id}"') == {id}
        assert named(f"from boardkeeper.titles.{id}.board import Board as {id.title()}Board") == {id}
        assert named(f"{id.upper()}_WIRE = 1") == named(f"import {id}_pb2") == named(f"My{id.title()}Wire") == {id}
    assert named("title = load_title(id)") == set()


def test_a_longer_word_is_no_title() -> None:
    for id in titles():
        for word in (f"hi{id}", f"{id}que", f"HI{id.upper()}", f"Hi{id}"):
            assert named(word) == named(f"the {word}_of = {word}(games)") == set(), word
