"""The tables of an edition as the files have them: what boards and tiles say, readable without the rules."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=16)
def tables_of(edition: str) -> dict[str, Any]:
    """The raw tables of an edition: the base with its overrides, not to be changed; raises ``ValueError``."""
    folder = files(__package__)
    override = folder / "editions" / f"{edition}.toml"
    if not override.is_file():
        raise ValueError(f"Orléans has no edition {edition!r}")
    tables = tomllib.loads((folder / "components.toml").read_text("utf-8"))
    return _merged(tables, tomllib.loads(override.read_text("utf-8")))


def _merged(base: dict[str, Any], override: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in override.items():
        both_tables = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if both_tables else value
    return merged
