"""What a game's options change in the tables of its edition: facts that no source settles."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec.structs import asdict

from boardkeeper.table.tables import read_toml
from boardkeeper.titlekit.choices import Chosen


def applied(tables: dict[str, Any], options: Chosen) -> dict[str, Any]:
    """The tables as the options want them; the given ones stay as they are."""
    for option, choice in asdict(options).items():
        tables = _altered(tables, alternatives().get(option, {}).get(choice, {}))
    return tables


@lru_cache(maxsize=1)
def alternatives() -> dict[str, dict[str, dict[str, Any]]]:
    """What is different, by option and choice: parts of the tables, an empty one for what is not there."""
    return read_toml(__package__, "alternatives.toml")


def _altered(tables: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    altered = dict(tables)
    for key, change in changes.items():
        if change == {}:
            del altered[key]
        elif isinstance(change, dict):
            altered[key] = _altered(altered[key], change)
        else:
            altered[key] = change
    return altered
