"""What the texts for users name is there: commands and their arguments, files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from boardkeeper.terminal.main import parse


def texts(repository: Path) -> list[Path]:
    """Every text for users and contributors."""
    return sorted([*repository.glob("*.md"), *repository.glob("docs/*.md")])


def test_links_lead_to_files(repository: Path) -> None:
    links = [
        (text.name, link)
        for text in texts(repository)
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text.read_text())
        if "://" not in link and not (text.parent / link).exists()
    ]
    assert links == []


def test_every_text_in_docs_is_listed(repository: Path) -> None:
    listed = set(re.findall(r"\]\(([^)]+)\)", (repository / "docs" / "README.md").read_text()))
    there = {path.name for path in (repository / "docs").glob("*.md")} - {"README.md"}
    assert there - listed == set()


@pytest.mark.parametrize(
    "name", ["README.md", *(f"docs/{name}.md" for name in ("running", "operations", "monitoring"))]
)
def test_commands_that_are_shown_can_be_typed(repository: Path, name: str) -> None:
    """They are parsed, not run: a flag or command that is not there ends the program."""
    text = (repository / name).read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    shown = [line for block in blocks for line in block.splitlines() if line.startswith("boardkeeper ")]
    complete = re.compile(r"boardkeeper [a-z]+ (?!COMMAND).+")  # not one that is only mentioned, as `boardkeeper games`
    shown += [code for code in re.findall(r"`([^`\n]+)`", text) if complete.fullmatch(code)]
    assert len(shown) > 3
    for line in shown:
        parse(shlex.split(line, comments=True)[1:])


def test_the_changelog_has_each_heading_once_in_a_release(repository: Path) -> None:
    for release in re.split(r"^## ", (repository / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]:
        headings = re.findall(r"^### (\w+)$", release, re.MULTILINE)
        order = ["Added", "Changed", "Fixed", "Security"]
        assert headings == [heading for heading in order if heading in headings]


def test_the_changelog_goes_back_to_the_first_release(repository: Path) -> None:
    releases = re.findall(r"^## \[([^]]+)\]", (repository / "CHANGELOG.md").read_text(), re.MULTILINE)
    kept = {path.name.removeprefix("v") for path in (repository / "tests/service/released").iterdir()}
    assert releases[0] == "Unreleased"
    assert set(releases[1:]) >= kept, "a part of it was lost"
