"""Options that change the tables of an edition, from a title's ``alternatives.toml``.

The file has parts of the tables by option and choice: ``[OPTION.CHOICE.cards.owl]``. They are merged into the
tables; an empty table removes an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import asdict

from boardkeeper.titlekit.choices import Chosen
from boardkeeper.titlekit.title_files import read_toml


@lru_cache(maxsize=16)
def read_alternatives(package: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the changes in ``alternatives.toml`` of a package by option and choice. Callers must not change them."""
    return read_toml(package, "alternatives.toml")


def apply_alternatives(package: str, tables: dict[str, Any], options: Chosen) -> dict[str, Any]:
    """Return a copy of the tables with the changes of a game's options."""
    for option, choice in asdict(options).items():
        tables = _apply(tables, read_alternatives(package).get(option, {}).get(choice, {}))
    return tables


def _apply(tables: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    altered = dict(tables)
    for key, change in changes.items():
        if change == {}:
            del altered[key]
        elif isinstance(change, dict):
            altered[key] = _apply(altered[key], change)
        else:
            altered[key] = change
    return altered
