"""Checks of paths that return ``False`` if the user may not search a folder, where ``pathlib`` raises."""

from __future__ import annotations

from pathlib import Path


def exists(path: Path) -> bool:
    """Return whether something is there, as far as this user can see."""
    try:
        return path.exists()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Return whether a regular file is there, as far as this user can see."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Return whether a folder is there, as far as this user can see."""
    try:
        return path.is_dir()
    except OSError:
        return False
