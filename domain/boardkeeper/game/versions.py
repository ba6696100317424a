"""Versions in two bytes each as long as they fit: a game may stay in memory long, and few have more than 65,535."""

from __future__ import annotations

from array import array

_MOST_IN_SHORT = 0xFFFF


def new_versions() -> array[int]:
    """An empty list of versions."""
    return array("H")


def widened(versions: array[int], version: int) -> array[int]:
    """The same versions, in a list that takes this one too."""
    return array("I", versions) if version > _MOST_IN_SHORT and versions.typecode == "H" else versions
