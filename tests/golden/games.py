"""Locations of the golden games of our titles."""

from __future__ import annotations

from pathlib import Path

from boardkeeper.testkit import golden

HERE = Path(__file__).parent


def folder(title: str) -> Path:
    """Return the folder of the golden games of a title."""
    return HERE / title


def files(title: str) -> list[Path]:
    """Return all golden games of a title."""
    return golden.files(folder(title))
