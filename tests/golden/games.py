"""Where the golden games of our titles are."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def folder(title: str) -> Path:
    """The folder of the golden games of a title."""
    return HERE / title


def files(title: str) -> list[Path]:
    """All golden games of a title."""
    return sorted(folder(title).glob("*.jsonl"))
