"""Where the perft files of our titles are: there is a folder for each title, and in it one for each edition."""

from __future__ import annotations

from pathlib import Path

from boardkeeper.testkit import packed_files
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import load_title

HERE = Path(__file__).parent


def title_of(path: Path) -> Title:
    """Return the title of a file."""
    return load_title(path.parent.parent.name)


def files() -> list[Path]:
    """Return all published files."""
    return packed_files.find(HERE, "*/*/*.json")
