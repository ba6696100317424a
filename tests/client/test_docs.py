"""Commands, arguments and files that the documentation names exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from boardkeeper.terminal.main import parse


def pages(repository: Path) -> list[Path]:
    """Return the pages for users and contributors."""
    return sorted([*repository.glob("*.md"), *repository.glob("docs/*.md")])


def test_linked_files_exist(repository: Path) -> None:
    links = [
        (text.name, link)
        for text in pages(repository)
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text.read_text())
        if "://" not in link and not (text.parent / link).exists()
    ]
    assert links == []


def test_docs_readme_lists_every_page(repository: Path) -> None:
    listed = set(re.findall(r"\]\(([^)]+)\)", (repository / "docs" / "README.md").read_text()))
    pages_in_docs = {path.name for path in (repository / "docs").glob("*.md")} - {"README.md"}
    assert pages_in_docs - listed == set()


@pytest.mark.parametrize(
    "name", ["README.md", *(f"docs/{name}.md" for name in ("running", "operations", "monitoring"))]
)
def test_shown_commands_can_be_parsed(repository: Path, name: str) -> None:
    text = (repository / name).read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    shown = [line for block in blocks for line in block.splitlines() if line.startswith("boardkeeper ")]
    complete = re.compile(r"boardkeeper [a-z]+ (?!COMMAND).+")  # with arguments, unlike `boardkeeper games`
    shown += [code for code in re.findall(r"`([^`\n]+)`", text) if complete.fullmatch(code)]
    assert len(shown) > 3
    for line in shown:
        parse(shlex.split(line, comments=True)[1:])


def test_the_changelog_has_each_heading_once_in_a_release(repository: Path) -> None:
    for release in re.split(r"^## ", (repository / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]:
        headings = re.findall(r"^### (\w+)$", release, re.MULTILINE)
        order = ["Added", "Changed", "Fixed", "Security"]
        assert headings == [heading for heading in order if heading in headings]


def test_the_changelog_has_every_release(repository: Path) -> None:
    releases = re.findall(r"^## \[([^]]+)\]", (repository / "CHANGELOG.md").read_text(), re.MULTILINE)
    released = {path.name.removeprefix("v") for path in (repository / "tests/service/released").iterdir()}
    assert releases[0] == "Unreleased"
    assert set(releases[1:]) >= released
