"""Locations of the perft files of our titles: a folder for each title, and in it one for each edition."""

from __future__ import annotations

from pathlib import Path

from boardkeeper.testkit import packed_files
from boardkeeper.titlekit.title import Title
from boardkeeper.titles.registry import load_title

HERE = Path(__file__).parent


def title_of(path: Path) -> Title:
    return load_title(path.parent.parent.name)


def files() -> list[Path]:
    """Return all published perft files."""
    return packed_files.find(HERE, "*/*/*.json")
