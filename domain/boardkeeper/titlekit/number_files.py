"""Numbers from a TOML file, as attributes: for values that are found by trying, such as those of bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING


class Numbers:
    """The numbers of a table as attributes."""

    def __init__(self, table: Mapping[str, float]) -> None:
        self.__dict__.update(table)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float:
            """Return the number of this name."""
